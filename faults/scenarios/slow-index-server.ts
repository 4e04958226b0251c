/** A server of the index that drips, or never ends its response. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyPath } from 'toponym-gazetteer/datasets/index-copy';
import { type IndexServer, serveIndex } from '../../packages/gazetteer/test/datasets/mirror/index-server.ts';
import type { Responder } from '../../packages/gazetteer/test/fetch/file-server.ts';
import { CALL_PAUSE_MS, waitUntil } from '../../test/support/deadline.ts';
import { untilNotice } from '../../test/support/readiness.ts';
import { type RunningService, runToponym } from '../../test/support/running-service.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { atMost, behaves, type Check, exactly, formatSeconds, problemOf, skipped } from '../checks.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, runCommand, startService } from '../service.ts';
import { mountSmallDisk } from '../small-disk.ts';

const DRIP_MS = 4000;
const MAX_NOTICE_MS = 60_000;
const NOT_DOWNLOADED = /index world\.toponym not downloaded/;

export const slowIndexServer: Scenario = {
  name: 'slow-index-server',
  promise:
    'A server of the index that drips or never ends holds neither a check nor a start for more than a minute, and never fills the disk.',
  run: runServers,
};

async function runServers(run: FaultRun): Promise<readonly Check[]> {
  const server = await serveIndex(run);
  await server.publish('one');
  const env = { ...server.env, TOPONYM_INDEX: server.url.href };
  const service = await startService(run, { env, args: ['--watch-seconds', '1'] });
  const { key } = await createKey(run, service);
  const checks = [
    behaves('drips, until SIGHUP', 'SIGHUP starts over', await problemOf(() => startOver(server, service, key))),
  ];
  if (run.scale === 'full') {
    server.respond(drip);
    const startedMs = performance.now();
    await untilNotice(service, NOT_DOWNLOADED);
    const noticeMs = performance.now() - startedMs;
    checks.push(atMost('drips: time until /readyz says so', noticeMs, MAX_NOTICE_MS, formatSeconds));
    checks.push(...(await firstStart(run, env)));
  }
  return [...checks, await endlessChunks(run, server)];
}

async function startOver(server: IndexServer, service: RunningService, key: string): Promise<void> {
  const before = server.requests.length;
  server.respond(drip);
  await waitUntil('a check gets drops', () => server.requests.length > before);
  await server.publish('two');
  service.child.kill('SIGHUP');
  await waitUntil('the new version is served', () => isServed(service, key, 'two'), CALL_PAUSE_MS);
}

async function isServed(service: RunningService, key: string, version: string): Promise<boolean> {
  return (await service.call('/api/1/query', { form: {}, key })).json().dataset.version === version;
}

async function firstStart(run: FaultRun, env: NodeJS.ProcessEnv): Promise<Check[]> {
  const startedMs = performance.now();
  const args = ['serve', '--port', '0', '--state', temporaryFolder(run), '--ip-database', 'none'];
  const { code } = await runToponym(args, { env });
  const endedMs = performance.now() - startedMs;
  return [
    exactly('drips: exit code of a first start', code, 1),
    atMost('drips: time until a first start gives up', endedMs, MAX_NOTICE_MS, formatSeconds),
  ];
}

async function endlessChunks(run: FaultRun, server: IndexServer): Promise<Check> {
  const disk = mountSmallDisk(run, '64m');
  if (typeof disk === 'string') return skipped('sends endless chunks', disk);
  const state = join(disk.folder, 'state');
  await server.publish('one');
  const env = { ...server.env, TOPONYM_INDEX: server.url.href };
  const service = await startService(run, { state, env, args: ['--watch-seconds', '1'] });
  const promised = 'the disk keeps room for keys, nothing of the response is left, and the copy is served';
  const problem = await problemOf(async () => {
    server.respond(endless);
    await untilNotice(service, NOT_DOWNLOADED);
    const { code } = await runCommand(run, ['keys', 'create', '--label', 'x', '--state', state]);
    assert.equal(code, 0, 'keys create failed');
    server.respond((_request, response) => response.writeHead(503).end());
    const folder = dirname(copyPath(server.url, join(state, 'index')));
    await waitUntil(
      'nothing of the response is left',
      () => !readdirSync(folder).some((name) => name.endsWith('.part')),
    );
    assert.ok(await isServed(service, service.key, 'one'), 'the copy is not served');
  });
  return behaves('sends endless chunks', promised, problem);
}

const drip: Responder = (_request, response) => {
  response.writeHead(200, { etag: '"drip"', 'content-length': 1e6 });
  response.write('x');
  const timer = setInterval(() => response.write('x'), DRIP_MS);
  response.once('close', () => clearInterval(timer));
};

const endless: Responder = (_request, response) => {
  response.writeHead(200, { etag: '"endless"' });
  const send = () => {
    if (!response.destroyed) response.write(Buffer.alloc(1 << 20), send);
  };
  send();
};
