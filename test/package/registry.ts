/**
 * A registry on this machine to which npm publishes, and from which it installs. It redirects requests for
 * packages that nobody has published there to npm's registry.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

interface Publication {
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, object>>;
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

/** A name in `refused` cannot be published. `upstream` has all other packages. */
export async function startRegistry(context: TestContext, { upstream }: { upstream: string }) {
  const published = new Map<string, Publication>();
  const refused = new Set<string>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [name = '', , file] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/');
    const document = published.get(name);
    if (request.method === 'PUT') {
      const isRefused = refused.has(name) || document !== undefined;
      if (!isRefused) published.set(name, (await json(request)) as Publication);
      response.writeHead(isRefused ? 403 : 201).end('{}');
    } else if (document === undefined) {
      const isOurs = name.startsWith('toponym');
      response.writeHead(isOurs ? 404 : 302, { Location: new URL(request.url ?? '', upstream).href }).end();
    } else if (file === undefined) {
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ ...document, _attachments: {} }));
    } else {
      response.writeHead(200).end(Buffer.from(document._attachments[file]?.data ?? '', 'base64'));
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close().closeAllConnections());
  return { published, refused, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}
