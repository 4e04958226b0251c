/** An HTTPS server with an index, whose certificate authority a service trusts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Responder, serveFiles, wellServed } from '../../fetch/file-server.ts';
import { writeVersion } from '../../support/index-version.ts';
import { runService, type ServeRun } from '../../support/running-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export const NAMES = ['Alba', 'Borea', 'Cora', 'Dora', 'Erda', 'Flora'];

export type IndexServer = Awaited<ReturnType<typeof serveIndex>>;

/** Starts a server without an index. `respond` chooses its responses. */
export async function serveIndex(context: Pick<TestContext, 'after'>) {
  const folder = temporaryFolder(context);
  let responder: Responder = (_request, response) => response.writeHead(404).end();
  const { url, ca, requests } = await serveFiles(context, (request, response) => responder(request, response));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, ca);
  return {
    url: new URL('/data/world.toponym', url),
    env: { NODE_EXTRA_CA_CERTS: caFile },
    requests,
    respond(next: Responder): void {
      responder = next;
    },
    /** Publishes an index with this data version, which is also its ETag. */
    async publish(version: string, names: readonly string[] = NAMES): Promise<Buffer> {
      const content = await indexBytes(folder, version, names);
      responder = wellServed(content, `"${version}"`);
      return content;
    },
    build: (version: string, names: readonly string[] = NAMES) => indexBytes(folder, version, names),
  };
}

/** Runs a service with one thread on the index of this server. */
export async function runReplica(
  context: Pick<TestContext, 'after'>,
  { url, env }: Pick<IndexServer, 'url' | 'env'>,
  { args = [], index = url.href, ...run }: ServeRun = {},
) {
  // not a flag, which may not have a password
  const variables = { ...env, TOPONYM_INDEX: index };
  const service = await runService(context, { ...run, env: variables, args: ['--threads', '1', ...args] });
  const version = async () => (await service.call('/api/1/query', { form: {} })).json().dataset.version as string;
  return { ...service, version };
}

async function indexBytes(folder: string, version: string, names: readonly string[]): Promise<Buffer> {
  const file = join(folder, 'built.toponym');
  await writeVersion(file, version, names);
  return readFileSync(file);
}
