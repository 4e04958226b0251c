/** Downloads that must not be served: the service keeps its data, says so, and recovers. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { HEADER } from 'toponym-engine/index-file/layout';
import { waitUntil } from '../../../../../test/support/deadline.ts';
import { PROGRAM } from '../../../../../test/support/environment.ts';
import { untilNoNotice, untilNotice, untilReloadProblem } from '../../../../../test/support/readiness.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { type Responder, status, wellServed } from '../../fetch/file-server.ts';
import { type IndexServer, NAMES, runReplica, serveIndex, startReplica } from './index-server.ts';

const REFUSED = /^index world\.toponym not reloaded; the log says why$/;
const NOT_DOWNLOADED = /^index world\.toponym not downloaded; the log says why$/;

/** Waits until the server has received two more requests: the first may have been under way. */
async function untilCheckedAgain({ requests }: IndexServer): Promise<void> {
  const goal = requests.length + 2;
  await waitUntil('the server is asked again', () => requests.length >= goal);
}

test('a bad, older or shrunken download changes nothing, is logged once, and is asked for again only on request', async (context) => {
  const server = await serveIndex(context);
  const good = await server.publish('cities-2026-05-02');
  const service = await startReplica(context, server, { metricsPort: 0 });

  const damaged = Buffer.from(good);
  damaged[good.length - 100] = ~(good[good.length - 100] ?? 0);
  const otherFormat = Buffer.from(good);
  otherFormat.writeUInt32LE(99, HEADER.formatVersionAt);
  const older = await server.build('cities-2026-05-01');
  const shrunken = await server.build('cities-2026-05-03', NAMES.slice(0, 2));
  const empty = await server.build('cities-2026-05-03', []);
  const cases: readonly [string, Responder, RegExp, RegExp][] = [
    [
      'an HTML page',
      wellServed(Buffer.from('<!doctype html>'), '"page"'),
      REFUSED,
      /does not start with the magic bytes/,
    ],
    ['an empty file', wellServed(Buffer.alloc(0), '"nothing"'), REFUSED, /does not start with the magic bytes/],
    ['a truncated index', wellServed(good.subarray(0, -64), '"cut"'), REFUSED, /is \d+ bytes long and should be \d+/],
    [
      'a damaged index',
      wellServed(damaged, '"damaged"'),
      REFUSED,
      /section \w+ is damaged: its checksum does not match/,
    ],
    ['another format', wellServed(otherFormat, '"format"'), REFUSED, /index of version 99\.\d+, this program reads/],
    [
      'older data',
      wellServed(older, '"older"'),
      REFUSED,
      /holds data cities-2026-05-01, and cities-2026-05-02 is being/,
    ],
    ['fewer places', wellServed(shrunken, '"few"'), REFUSED, /holds 2 places, and 6 are being .* set --allow-shrunken/],
    ['no places', wellServed(empty, '"none"'), REFUSED, /the index holds no places/],
    ['an error', status(404), NOT_DOWNLOADED, /the server answered 404 Not Found/],
    ['an overload', status(503, { 'retry-after': '60' }), NOT_DOWNLOADED, /answered 503 .* retry after 60 s/],
  ];
  for (const [name, responder, notice, reason] of cases) {
    await context.test(name, async () => {
      const logBefore = service.log().length;
      server.respond(responder);
      await untilNotice(service, notice);
      await untilCheckedAgain(server);
      const errors = service
        .log()
        .slice(logBefore)
        .split('\n')
        .filter((line) => /"level":(50|"error")/.test(line));
      assert.equal(errors.length, 1, errors.join('\n'));
      assert.match(errors[0] ?? '', reason);
      assert.equal(await service.version(), 'cities-2026-05-02');
      await untilReloadProblem(service, true);
      server.respond(wellServed(good, '"cities-2026-05-02"'));
      await untilNoNotice(service);
      await untilReloadProblem(service, false);
    });
  }
  await context.test('a refused version is downloaded again only on request', async () => {
    const logBefore = service.log();
    let sent = 0;
    const page = wellServed(Buffer.from('<!doctype html>'), '"another page"');
    server.respond((request, response) => {
      page(request, response);
      if (response.statusCode === 200) sent++;
    });
    await untilNotice(service, REFUSED);
    await untilCheckedAgain(server);
    assert.equal(sent, 1);
    void service.reload();
    await service.logged('index not reloaded', logBefore.split('index not reloaded').length - 1 + 2);
    assert.equal(sent, 2);
    await untilNotice(service, REFUSED); // on a slow machine, the check is still reported as a long one
  });
  await server.publish('cities-2026-05-04', NAMES.slice(0, 3));
  await service.logged('"data":"cities-2026-05-04"');
  await untilNoNotice(service); // a slow download has a notice until it is done
});

test('a new version that does not fit the overlay changes nothing, and one that does is served', async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const overlay = path.join(temporaryFolder(context), 'fixes.ndjson');
  writeFileSync(overlay, '{"hide":"G6"}\n');
  const service = await startReplica(context, server, { overlay, metricsPort: 0, allowShrunkenData: true });
  await server.publish('two', NAMES.slice(0, 2)); // allowed by allowShrunkenData
  await service.logged('hide: place G6 does not exist');
  await untilNotice(service, /^overlay fixes\.ndjson not reloaded; the log says why$/);
  await untilReloadProblem(service, true);
  assert.match(await service.version(), /^one\+overlay-/);
  await server.publish('three');
  await service.logged('"data":"three+overlay-');
  assert.match(await service.version(), /^three\+overlay-/);
  await untilNoNotice(service);
  await untilReloadProblem(service, false);
});

const canMount = spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0;
const skip = canMount ? false : 'this system does not let the test mount a small volume';

test('a full disk: the download is refused or removed, and the copy stays', { skip }, async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const state = path.join(temporaryFolder(context), 'state');
  const indexFolder = path.join(state, 'index');
  mkdirSync(indexFolder, { recursive: true, mode: 0o700 });
  const script = `mount -t tmpfs -o size=20m tmpfs "${indexFolder}" && exec "$@"`;
  const program = ['unshare', '--map-root-user', '--mount', 'bash', '-c', script, 'bash', process.execPath, PROGRAM];
  const service = await runReplica(context, server, { state, program, args: ['--watch-seconds', '1'] });
  const content = Buffer.alloc(30 << 20, 'TOPONYM\n');
  server.respond(wellServed(content, '"large"'));
  await service.logged('bytes free, and the download needs 31457280 bytes');
  await untilNotice(service, NOT_DOWNLOADED);
  await server.publish('one');
  await untilNoNotice(service);
  server.respond((_request, response) => {
    response.writeHead(200, { etag: '"chunked"' }).write(content); // no Content-Length
    response.end();
  });
  await untilNotice(service, NOT_DOWNLOADED);
  await service.logged('bytes free, less than the reserve of 16777216');
  await server.publish('two'); // fits only if the unfinished download was removed
  await service.logged('"data":"two"');
  assert.equal(await service.version(), 'two');
});
