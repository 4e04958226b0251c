/** A service whose index is at a URL: start, new versions, restart, signals. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { waitUntil, withDeadline } from '../../../../../test/support/deadline.ts';
import { PROGRAM, testEnvironment } from '../../../../../test/support/environment.ts';
import { freePort } from '../../../../../test/support/free-port.ts';
import { noticeOf, untilNoNotice, untilNotice } from '../../../../../test/support/readiness.ts';
import { refusedStart } from '../../../../../test/support/running-service.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { serveProxy, UNSPECIFIED, wellServed } from '../../fetch/file-server.ts';
import { type IndexServer, runReplica, serveIndex, startReplica, stateWithCopy } from './index-server.ts';

/** Waits until the server has received `count` more requests. */
async function untilRequests({ requests }: IndexServer, count: number, before = requests.length): Promise<void> {
  const goal = before + count;
  await waitUntil(`the server has received ${count} more requests`, () => requests.length >= goal);
}

test('a start without a copy', async (context) => {
  const server = await serveIndex(context);
  const url = new URL(server.url);
  url.username = 'reader';
  url.password = 'hunter2';
  url.search = 'X-Amz-Signature=deadbeef';
  const { promise: published, resolve: publish } = Promise.withResolvers<Buffer>();
  server.respond(async (request, response) => wellServed(await published, '"one"')(request, response));
  const metricsPort = await freePort();
  const starting = startReplica(context, server, { url, metricsPort });
  starting.catch(() => {}); // the test may fail before it awaits the start
  const get = async (where: string) => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}${where}`);
    return { status: response.status, body: await response.text() };
  };

  await context.test('the metrics listener answers while the index is downloaded: alive and not ready', async () => {
    await waitUntil('the download begins', () => server.requests.length > 0);
    assert.equal((await get('/healthz')).status, 200);
    const readyz = await get('/readyz');
    assert.equal(readyz.status, 503);
    assert.match(readyz.body, /the service is starting/);
    assert.match((await get('/metrics')).body, /^toponym_ready 0$/m);
  });
  publish(await server.build('one'));
  const service = await starting;
  assert.equal((await get('/readyz')).status, 200);
  assert.match((await get('/metrics')).body, /^toponym_ready 1$/m);

  await context.test('later versions are found by their ETag and swapped in', async () => {
    assert.equal(await service.version(), 'one');
    await untilRequests(server, 2);
    assert.equal(server.requests.at(-1)?.headers['if-none-match'], '"one"');
    assert.ok(!service.log().includes('"msg":"index reloaded"'), 'an unchanged index is not reloaded');
    await server.publish('two');
    await service.logged('"data":"two"');
    assert.equal(await service.version(), 'two');
    assert.equal(await noticeOf(service), undefined);
  });

  await context.test('user, password and query are sent, but shown and stored nowhere', async () => {
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
});

test('a service that checks only when asked to', async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const state = await stateWithCopy(context, server);
  const before = server.requests.length;
  const first = await startReplica(context, server, { state, watchSeconds: 0 });

  await context.test('a start with a copy asks only whether it is current', async () => {
    assert.equal(await first.version(), 'one');
    await untilRequests(server, 1, before);
    const headers = server.requests.slice(before).map((request) => request.headers['if-none-match']);
    assert.deepEqual(headers, ['"one"']);
  });

  await context.test('a reload checks at once, and there is no other check', async () => {
    await server.publish('two');
    void first.reload();
    await first.logged('"data":"two"');
    assert.equal(await first.version(), 'two');
    assert.equal(server.requests.length, before + 2);
  });

  await context.test('stopping ends a download', async () => {
    const running = stuckDownload(server);
    void first.reload();
    await running;
    await withDeadline('the service has stopped', first.drain());
  });

  await context.test('a start with a copy serves it at once, and a newer version soon', async () => {
    await server.publish('three');
    const second = await startReplica(context, server, { state, watchSeconds: 0 });
    await second.logged('"data":"three"');
    assert.equal(await second.version(), 'three');
  });
});

test('an unreachable server: a start uses the copy and has a notice, and later checks recover', async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const state = await stateWithCopy(context, server);
  server.respond((request) => request.socket.destroy());
  const service = await startReplica(context, server, { state });
  assert.equal(await service.version(), 'one');
  await untilNotice(service, /^index world\.toponym not downloaded; the log says why$/);
  await untilRequests(server, 4);
  assert.equal(service.log().match(/index not downloaded/g)?.length, 1, service.log());
  assert.match(
    service.log(),
    /"reason":"https:\/\/localhost:\d+\/data\/world\.toponym: the connection was lost \(tried 3 times in a row\)"/,
  );
  await server.publish('two');
  await service.logged('"data":"two"');
  await untilNoNotice(service);
});

test('without a copy, an index that is not on the server ends the start with exit code 1 and one line', async (context) => {
  const server = await serveIndex(context);
  const state = path.join(temporaryFolder(context), 'state');
  const { code, stderr } = await refusedStart(['--json', '--state', state, '--index', server.url.href]);
  assert.equal(code, 1);
  assert.equal(stderr, `toponym: ${server.url}: the server answered 404 Not Found\n`);
});

test('a service downloads its index through the proxy of HTTPS_PROXY', async (context) => {
  const server = await serveIndex(context);
  await server.publish('one');
  const proxy = await serveProxy(context);
  const url = new URL(server.url);
  url.hostname = UNSPECIFIED;
  const service = await runReplica(context, { ...server, url }, { env: { HTTPS_PROXY: proxy.url } });
  assert.equal(await service.version(), 'one');
  assert.deepEqual(new Set(proxy.asked), new Set([url.host]));
  assert.doesNotMatch(service.log(), /hunter2/);
});

test('stopping ends a download before the service is ready', async (context) => {
  const server = await serveIndex(context);
  const starting = stuckDownload(server);
  const { child, exit } = startProcess(context, server, path.join(temporaryFolder(context), 'state'));
  await starting;
  child.kill('SIGTERM');
  assert.deepEqual(await withDeadline('the program has exited', exit), [0, null]);
});

test('after a kill during the first download, the next start resumes it; two services share the copy', async (context) => {
  const server = await serveIndex(context);
  const content = await server.build('one');
  const state = path.join(temporaryFolder(context), 'state');
  server.respond((_request, response) => {
    response.writeHead(200, { etag: '"one"', 'content-length': content.length });
    response.write(content.subarray(0, 5000));
  });
  const { child, exit } = startProcess(context, server, state);
  await waitUntil('the first bytes are stored', () => {
    const part = filesIn(state).find((file) => file.endsWith('.part'));
    return part !== undefined && statSync(part).size === 5000;
  });
  child.kill('SIGKILL');
  await exit;

  let sent = 0;
  const publish = async (version: string) => {
    const serve = wellServed(await server.build(version), `"${version}"`);
    server.respond((request, response) => {
      serve(request, response);
      if (response.statusCode !== 304) sent++;
    });
  };
  await publish('one');
  const before = server.requests.length;
  const services = await Promise.all([
    runReplica(context, server, { state, args: ['--watch-seconds', '1'] }),
    startReplica(context, server, { state }),
  ]);
  assert.equal(server.requests[before]?.headers.range, 'bytes=5000-');
  for (const service of services) assert.equal(await service.version(), 'one');
  assert.equal(sent, 1);
  await publish('two');
  for (const service of services) await service.logged('"data":"two"');
  for (const service of services) assert.equal(await service.version(), 'two');
  assert.equal(sent, 2);
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

/** Starts the program without waiting until it is ready. */
function startProcess(context: TestContext, server: IndexServer, state: string) {
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
