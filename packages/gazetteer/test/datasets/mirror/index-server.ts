/** An HTTPS server with an index, whose certificate authority a service trusts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { openIndexFolder, openStateFolder } from 'toponym-server/serve/state-folder';
import { writeVersion } from '../../../../../test/support/index-version.ts';
import { versionOf } from '../../../../../test/support/readiness.ts';
import { runService, type ServeRun, stateWithCertificate } from '../../../../../test/support/running-service.ts';
import { type InProcessRun, startInProcess } from '../../../../../test/support/service-in-process.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { IndexCopy } from '../../../src/datasets/index-copy.ts';
import { type Responder, serveFiles, wellServed } from '../../fetch/file-server.ts';

export const NAMES = ['Alba', 'Borea', 'Cora', 'Dora', 'Erda', 'Flora'];

export type IndexServer = Awaited<ReturnType<typeof serveIndex>>;

/** Starts a server without an index. `respond` chooses its responses. */
export async function serveIndex(context: Pick<TestContext, 'after'>) {
  const folder = temporaryFolder(context);
  let responder: Responder = (_request, response) => response.writeHead(404).end();
  const { url, ca, requests } = await serveFiles(context, (request, response) => responder(request, response));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, ca);
  setDefaultCACertificates([...getCACertificates(), ca]);
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

/** Seconds between two checks of the URL and of the files. */
const WATCH_SECONDS = 0.2;

/**
 * Starts a service in this process on the index of this server, which it checks several times a
 * second.
 */
export async function startReplica(
  context: Pick<TestContext, 'after'>,
  server: Pick<IndexServer, 'url'>,
  { url = server.url, ...run }: InProcessRun & { readonly url?: URL } = {},
) {
  const service = await startInProcess(context, { watchSeconds: WATCH_SECONDS, ...run, index: url.href });
  return { ...service, version: () => versionOf(service) };
}

/**
 * A state folder with a copy of the server's current version, as an earlier service has left it.
 */
export async function stateWithCopy(context: Pick<TestContext, 'after'>, server: IndexServer): Promise<string> {
  const state = await stateWithCertificate(context);
  const check = async () => ({ version: '', places: 0 });
  await new IndexCopy(server.url, openIndexFolder(openStateFolder(state)), check).fetch();
  return state;
}

/** Runs a service with one thread on the index of this server. */
export async function runReplica(
  context: Pick<TestContext, 'after'>,
  { url, env }: Pick<IndexServer, 'url' | 'env'>,
  { args = [], index = url.href, ...run }: ServeRun = {},
) {
  // not a flag, which may not have a password
  const variables = { ...env, ...run.env, TOPONYM_INDEX: index };
  const service = await runService(context, { ...run, env: variables, args: ['--threads', '1', ...args] });
  return { ...service, version: () => versionOf(service) };
}

async function indexBytes(folder: string, version: string, names: readonly string[]): Promise<Buffer> {
  const file = join(folder, 'built.toponym');
  await writeVersion(file, version, names);
  return readFileSync(file);
}
