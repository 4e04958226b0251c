/** A service whose index is at a URL: start, new versions, restart, signals. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { cutOff, wellServed } from '../../fetch/file-server.ts';
import { waitUntil, withDeadline } from '../../support/deadline.ts';
import { PROGRAM, testEnvironment } from '../../support/environment.ts';
import { freePort } from '../../support/free-port.ts';
import { noticeOf, untilNotice } from '../../support/readiness.ts';
import { runToponym } from '../../support/running-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type IndexServer, runReplica, serveIndex } from './index-server.ts';

/** Waits until the server has received `count` more requests. */
async function untilRequests({ requests }: IndexServer, count: number): Promise<void> {
  const goal = requests.length + count;
  await waitUntil(`the server has received ${count} more requests`, () => requests.length >= goal);
}

test('a start downloads the index; later versions are found by their ETag and swapped in', async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const service = await runReplica(context, server, { args: ['--watch-seconds', '1'] });
  assert.equal(await service.version(), 'one');
  await untilRequests(server, 2);
  assert.equal(server.requests.at(-1)?.headers['if-none-match'], '"one"');
  assert.ok(!service.log().includes('"msg":"reloaded"'), 'an unchanged index is not reloaded');
  await server.publish('two');
  await service.logged('"data":"two"');
  assert.equal(await service.version(), 'two');
  assert.equal(await noticeOf(service), undefined);
});

test('a restart uses the copy and asks only whether it is current', async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const first = await runReplica(context, server);
  first.child.kill('SIGTERM');
  assert.deepEqual(await first.ended(), [0, null]);
  const before = server.requests.length;
  const second = await runReplica(context, server, { state: first.state });
  assert.equal(await second.version(), 'one');
  const headers = server.requests.slice(before).map((request) => request.headers['if-none-match']);
  assert.deepEqual(headers, ['"one"']);
});

test('a start with a copy serves a newer version when it is ready', async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const first = await runReplica(context, server);
  first.child.kill('SIGTERM');
  await first.ended();
  await server.publish('two');
  const second = await runReplica(context, server, { state: first.state });
  assert.equal(await second.version(), 'two');
});

test('a damaged copy is downloaded again at the start', async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const first = await runReplica(context, server);
  first.child.kill('SIGTERM');
  await first.ended();
  const copy = filesIn(first.state).find((file) => file.endsWith('.toponym')) ?? '';
  truncateSync(copy, 1000);
  const second = await runReplica(context, server, { state: first.state });
  assert.equal(await second.version(), 'one');
  assert.ok(statSync(copy).size > 1000);
});

test('SIGHUP checks at once; --watch-seconds 0 checks at no other time', async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const service = await runReplica(context, server, { args: ['--watch-seconds', '0'] });
  await server.publish('two');
  const before = server.requests.length;
  service.child.kill('SIGHUP');
  await service.logged('"data":"two"');
  assert.equal(await service.version(), 'two');
  assert.equal(server.requests.length, before + 1);
});

test('an unreachable server: a start uses the copy and has a notice, and later checks recover', async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const first = await runReplica(context, server);
  first.child.kill('SIGTERM');
  await first.ended();
  server.respond((request) => request.socket.destroy());
  const second = await runReplica(context, server, { state: first.state, args: ['--watch-seconds', '1'] });
  assert.equal(await second.version(), 'one');
  assert.equal(await noticeOf(second), 'index world.toponym not downloaded; the log says why');
  await untilRequests(server, 4);
  assert.equal(second.log().match(/index not downloaded/g)?.length, 1, second.log());
  assert.match(second.log(), /"reason":"https:\/\/localhost:\d+\/data\/world\.toponym: the connection was lost"/);
  await server.publish('two');
  await second.logged('"data":"two"');
  await waitUntil('the notice is gone', async () => (await noticeOf(second)) === undefined);
});

test('a silent server delays a start with a copy by at most some seconds', { timeout: 60_000 }, async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const first = await runReplica(context, server);
  first.child.kill('SIGTERM');
  await first.ended();
  server.respond(() => {});
  const startedMs = performance.now();
  const second = await runReplica(context, server, { state: first.state });
  assert.ok(performance.now() - startedMs < 15_000);
  assert.equal(await second.version(), 'one');
  await untilNotice(second, /^index world\.toponym not downloaded; the log says why$/);
  second.child.kill('SIGTERM');
  assert.deepEqual(await second.ended(), [0, null]);
});

test('without a copy and a usable index, a start fails with a clear message', async (context) => {
  const server = await serveIndex(context);
  const serve = async () => {
    const state = path.join(temporaryFolder(context), 'state');
    const args = ['serve', '--json', '--ip-database', 'none', '--state', state, '--index', server.url.href];
    return await runToponym(args, { env: server.env });
  };
  const absent = await serve();
  assert.equal(absent.code, 1);
  assert.equal(absent.stderr, `toponym: ${server.url}: the server answered 404 Not Found\n`);
  server.respond(wellServed(Buffer.from('<!doctype html>')));
  const page = await serve();
  assert.equal(page.code, 1);
  assert.match(page.stderr, /toponym: .*world\.toponym.*: not a Toponym index: it does not start with the magic bytes/);
  await server.publish('empty', []);
  const empty = await serve();
  assert.equal(empty.code, 1);
  assert.match(empty.stderr, /toponym: https:.*world\.toponym: the index holds no places/);
});

test('the metrics listener answers while the index is downloaded: alive and not ready', async (context) => {
  const server = await serveIndex(context);
  const { promise: published, resolve: publish } = Promise.withResolvers<Buffer>();
  server.respond(async (request, response) => wellServed(await published)(request, response));
  const port = await freePort();
  const starting = runReplica(context, server, { args: ['--metrics-port', String(port)] });
  const get = async (where: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${where}`);
    return { status: response.status, body: await response.text() };
  };
  await waitUntil('the download begins', () => server.requests.length > 0);
  assert.equal((await get('/healthz')).status, 200);
  const readyz = await get('/readyz');
  assert.equal(readyz.status, 503);
  assert.match(readyz.body, /the service is starting/);
  assert.match((await get('/metrics')).body, /^toponym_ready 0$/m);
  publish(await server.build('one'));
  await starting;
  assert.equal((await get('/readyz')).status, 200);
  assert.match((await get('/metrics')).body, /^toponym_ready 1$/m);
});

test('a broken connection is resumed where it stopped', async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const service = await runReplica(context, server, { args: ['--watch-seconds', '0'] });
  const content = await server.build('two');
  const half = Math.floor(content.length / 2);
  let answers = 0;
  server.respond((request, response) => {
    const respond = answers++ === 0 ? cutOff(content, { until: half }, '"two"') : wellServed(content, '"two"');
    respond(request, response);
  });
  service.child.kill('SIGHUP');
  await service.logged('"data":"two"');
  assert.equal(server.requests.at(-1)?.headers.range, `bytes=${half}-`);
  assert.equal(await service.version(), 'two');
});

test('an index that changes during its download is downloaded from the beginning', async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const service = await runReplica(context, server, { args: ['--watch-seconds', '0'] });
  const content = await server.build('two');
  let answers = 0;
  const three = await server.build('three');
  server.respond((request, response) => {
    const respond = answers++ === 0 ? cutOff(content, { until: 5000 }, '"two"') : wellServed(three, '"three"');
    respond(request, response);
  });
  service.child.kill('SIGHUP');
  await service.logged('"data":"three"');
  assert.equal(await service.version(), 'three');
});

test('SIGTERM ends a download, also before the service is ready', async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const service = await runReplica(context, server, { args: ['--watch-seconds', '0'] });
  const running = stuckDownload(server);
  service.child.kill('SIGHUP');
  await running;
  service.child.kill('SIGTERM');
  assert.deepEqual(await service.ended(), [0, null]);

  const starting = stuckDownload(server);
  const { child, exit } = startReplica(context, server, path.join(temporaryFolder(context), 'state'));
  await starting;
  child.kill('SIGTERM');
  assert.deepEqual(await withDeadline('the program has exited', exit), [0, null]);
});

test('after a kill during the first download, the next start resumes it', async (context) => {
  const server = await serveIndex(context);
  const content = await server.build('one');
  const state = path.join(temporaryFolder(context), 'state');
  server.respond((_request, response) => {
    response.writeHead(200, { etag: '"one"', 'content-length': content.length });
    response.write(content.subarray(0, 5000));
  });
  const { child, exit } = startReplica(context, server, state);
  await waitUntil('the first bytes are stored', () => {
    const part = filesIn(state).find((file) => file.endsWith('.part'));
    return part !== undefined && statSync(part).size === 5000;
  });
  child.kill('SIGKILL');
  await exit;
  await server.publish('one');
  const before = server.requests.length;
  const service = await runReplica(context, server, { state });
  assert.equal(await service.version(), 'one');
  assert.equal(server.requests[before]?.headers.range, 'bytes=5000-');
});

test('user, password and query are sent, but shown and stored nowhere', async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const url = new URL(server.url);
  url.username = 'reader';
  url.password = 'hunter2';
  url.search = 'X-Amz-Signature=deadbeef';
  const service = await runReplica(context, server, { index: url.href, args: ['--watch-seconds', '1'] });
  assert.equal(server.requests[0]?.url, '/data/world.toponym?X-Amz-Signature=deadbeef');
  assert.equal(server.requests[0]?.headers.authorization, `Basic ${btoa('reader:hunter2')}`);
  server.respond((_request, response) => response.writeHead(403).end());
  const notice = await untilNotice(service, /not downloaded/);
  await service.logged('the server answered 403 Forbidden');
  const files = filesIn(path.join(service.state, 'index'));
  assert.ok(files.length >= 2);
  const texts = [service.log(), notice, ...files, ...files.map((file) => readFileSync(file, 'latin1'))];
  for (const text of texts) assert.doesNotMatch(text, /hunter2|deadbeef/);
});

/** Lets the server send only the start of an index. Resolves when that is sent. */
function stuckDownload(server: IndexServer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.respond((_request, response) => {
    response.writeHead(200, { etag: '"stuck"', 'content-length': 100_000 });
    response.write(Buffer.alloc(5000), () => resolve());
  });
  return promise;
}

/** Starts a service without waiting until it is ready. */
function startReplica(context: TestContext, server: IndexServer, state: string) {
  const args = ['serve', '--port', '0', '--state', state, '--ip-database', 'none', '--index', server.url.href];
  const env = { ...testEnvironment(), ...server.env };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: 'ignore' });
  context.after(() => child.kill('SIGKILL'));
  return { child, exit: once(child, 'exit') };
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
}
