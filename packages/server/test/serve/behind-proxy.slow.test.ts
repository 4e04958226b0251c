/** The service behind proxies on other machines: who may connect, and whose address counts. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { CALL_PAUSE_MS, waitUntil } from '../../../../test/support/deadline.ts';
import { smallIndex } from '../../../../test/support/index-version.ts';
import {
  createKey,
  type RunningService,
  refusedStart,
  runSmallService,
} from '../../../../test/support/running-service.ts';
import { startInProcess } from '../../../../test/support/service-in-process.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { rawV2Header, v1Header, v2Header } from './listen/proxy-headers.ts';

const PROXY_ADDRESS = '127.0.0.9';
const STRANGER = '127.0.0.10';
const HEADERS_WITHOUT_CLIENT = {
  UNKNOWN: v1Header(),
  LOCAL: v2Header(),
  unspecified: rawV2Header(0x21, 0x00, Buffer.alloc(0)),
  Unix: rawV2Header(0x21, 0x31, Buffer.alloc(216)),
  datagram: rawV2Header(0x21, 0x12, Buffer.alloc(12)),
};
const TRUSTED = ['--trusted-proxies', `${PROXY_ADDRESS},10.0.0.0/8`];

async function aService(context: TestContext, args: readonly string[]) {
  const service = await runSmallService(context, { args: ['--threads', '2', ...TRUSTED, ...args] });
  const port = Number(new URL(service.ready.url).port);
  const openFrom = async (localAddress: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {}); // a refused connection may be reset
    context.after(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { service, openFrom };
}

/** A search around the caller's own address. The response names that address, without IP data. */
function ownAddressCall(key: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const target = '/api/1/query?query=alba&aroundLatLngViaIP=true';
  return `POST ${target} HTTP/1.1\r\nHost: a\r\nX-Service-Key: ${key}\r\n${lines.join('')}Content-Length: 0\r\nConnection: close\r\n\r\n`;
}

/** The status of the response, and the client's address that it names. */
async function answerTo(socket: Socket, ...pieces: readonly (string | Buffer)[]) {
  const answer = text(socket).catch(() => '');
  for (const piece of pieces) socket.write(piece);
  const response = await answer;
  return {
    response,
    status: Number(response.split(' ')[1]),
    client: /aroundLatLngViaIP: (\S+) could not be located/.exec(response)?.[1],
  };
}

async function metricsOf(service: RunningService): Promise<string> {
  return await (await fetch(service.ready.metricsUrl ?? '')).text();
}

test('on all addresses, plain HTTP is served to trusted proxies only; others are counted and logged once per thread', async (context) => {
  const { service, openFrom } = await aService(context, [
    ...['--behind-proxy', '--host', '0.0.0.0', '--drain-grace-seconds', '30'],
    ...['--metrics-port', '0', '--metrics-host', '127.0.0.4'],
  ]);
  const call = ownAddressCall(service.key, { 'X-Forwarded-For': '203.0.113.5', 'X-Forwarded-Proto': 'https' });
  const { client, response } = await answerTo(await openFrom(PROXY_ADDRESS), call);
  assert.equal(client, '203.0.113.5');
  assert.doesNotMatch(response, /strict-transport-security/i, 'the proxy decides on it');
  const strangers = Array.from({ length: 100 }, async () => (await answerTo(await openFrom(STRANGER), call)).response);
  assert.deepEqual(await Promise.all(strangers), Array(100).fill(''));
  const metrics = await metricsOf(service);
  assert.match(metrics, /^toponym_refused_connections_total\{reason="untrusted_peer"\} 100$/m);
  assert.match(metrics, /^toponym_connections 0$/m);
  await service.logged('a peer that is not one of the --trusted-proxies was refused');
  const lines = service.log().match(/a peer that is not one of the --trusted-proxies was refused/g) ?? [];
  assert.ok(lines.length >= 1 && lines.length <= 2, `${lines.length} lines`);

  // the metrics listener answers health checks of peers that are not proxies
  const url = service.ready.metricsUrl ?? '';
  assert.match(url, /^http:\/\/127\.0\.0\.4:\d+\/metrics$/);
  for (const target of ['/healthz', '/readyz']) assert.equal((await fetch(new URL(target, url))).status, 200, target);
  service.child.kill('SIGTERM');
  await waitUntil(
    '/readyz responds 503',
    async () => (await fetch(new URL('/readyz', url))).status === 503,
    CALL_PAUSE_MS,
  );
  assert.equal((await fetch(new URL('/healthz', url))).status, 200);
});

/** Stops the service, which may not wait for connections without a request. */
async function stopsAtOnce(service: RunningService): Promise<void> {
  const { length } = service.log(); // on a busy machine, a connection has been closed before
  service.child.kill('SIGTERM');
  assert.deepEqual(await service.ended(), [0, null]);
  const after = service.log().slice(length);
  assert.doesNotMatch(after, /requests still running were aborted|sent no complete PROXY header in time/);
}

test('with TLS and the PROXY protocol, limits, keys and locations use the address in the header', async (context) => {
  const { service, openFrom } = await aService(context, ['--proxy-protocol', '--drain-seconds', '50']);
  const ca = readFileSync(path.join(service.state, 'tls', 'cert.pem'));
  const callFrom = async (header: Buffer, call: string, peer = PROXY_ADDRESS) => {
    const socket = await openFrom(peer);
    socket.write(header);
    return await answerTo(connectTls({ socket, ca }), call);
  };
  const call = ownAddressCall(service.key);
  for (let i = 0; i < 60; i++) {
    const header = i % 2 === 0 ? v1Header('203.0.113.5') : v2Header('203.0.113.5');
    assert.equal((await callFrom(header, call)).client, '203.0.113.5');
  }
  assert.equal((await callFrom(v2Header('203.0.113.5'), call)).status, 429);
  assert.equal((await callFrom(v2Header('2001:db8::5'), call)).client, '2001:db8:0:0:0:0:0:5');
  assert.equal((await callFrom(v2Header(), call)).client, PROXY_ADDRESS);

  const { key } = await createKey(service, ['--cidr', '198.51.100.0/24']);
  assert.equal((await callFrom(v2Header('198.51.100.9'), ownAddressCall(key))).status, 200);
  assert.equal((await callFrom(v2Header('198.51.101.9'), ownAddressCall(key))).status, 403);

  // a client wrote X-Forwarded-For, also if the address in the header is that of a trusted proxy
  const forwarded = ownAddressCall(key, { 'X-Forwarded-For': '198.51.100.9' });
  for (const client of ['198.51.101.9', '10.1.2.3'])
    assert.equal((await callFrom(v2Header(client), forwarded)).status, 403, client);

  const direct = await answerTo(connectTls({ socket: await openFrom(STRANGER), ca }), call);
  assert.equal(direct.client, STRANGER);
  assert.match((await answerTo(await openFrom(STRANGER), call)).response, /This port speaks HTTPS/);

  for (const [name, header] of Object.entries(HEADERS_WITHOUT_CLIENT))
    assert.equal((await callFrom(header, forwarded)).status, 403, `${name}: X-Forwarded-For does not count`);

  // unfinished headers and handshakes
  const unfinished = ['', 'PROXY TCP4', v2Header('203.0.113.5')];
  for (let i = 0; i < 12; i++) (await openFrom(PROXY_ADDRESS)).write(unfinished[i % unfinished.length] ?? '');
  assert.equal((await callFrom(v2Header('198.51.100.9'), ownAddressCall(key))).status, 200);
  await stopsAtOnce(service);
});

test('behind a proxy with the PROXY protocol, only a valid header names the client, and unfinished ones delay no stop', async (context) => {
  const args = ['--behind-proxy', '--proxy-protocol', '--drain-seconds', '50'];
  const { service, openFrom } = await aService(context, args);
  const answer = await answerTo(await openFrom(PROXY_ADDRESS), v2Header('203.0.113.5'), ownAddressCall(service.key));
  assert.equal(answer.client, '203.0.113.5');
  assert.equal((await answerTo(await openFrom(PROXY_ADDRESS), ownAddressCall(service.key))).response, '');
  await service.logged('no valid PROXY header');
  const forwarded = ownAddressCall(service.key, { 'X-Forwarded-For': '198.51.100.9' });
  for (const [name, header] of Object.entries(HEADERS_WITHOUT_CLIENT))
    assert.equal((await answerTo(await openFrom(PROXY_ADDRESS), header, forwarded)).client, PROXY_ADDRESS, name);
  for (let i = 0; i < 4; i++) (await openFrom(PROXY_ADDRESS)).write('PROXY TCP4');
  await stopsAtOnce(service);
});

test('plain HTTP for everyone, and PROXY headers of everyone, are refused with exit code 2', async (context) => {
  const state = ['--state', path.join(temporaryFolder(context), 'state')];
  const open = await refusedStart(['--behind-proxy', '--host', '0.0.0.0', ...state]);
  assert.equal(open.code, 2);
  assert.match(open.stderr, /--host 0\.0\.0\.0 needs --trusted-proxies/);
  const anyone = await refusedStart(['--proxy-protocol', ...state]);
  assert.equal(anyone.code, 2);
  assert.match(anyone.stderr, /--proxy-protocol needs --trusted-proxies/);
});

function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8);
}

test('behind a proxy the service speaks plain HTTP on a Unix socket, for its owner and group only', async (context) => {
  const socketPath = path.join(temporaryFolder(context), 'toponym.sock');
  const service = await startInProcess(context, { behindProxy: true, host: `unix:${socketPath}` });
  assert.equal(service.url, `unix:${socketPath}`);
  assert.equal(modeOf(socketPath), '660');
  const [response] = await once(request({ socketPath, path: '/healthz' }).end(), 'response');
  assert.equal(response.statusCode, 200);
  await text(response);
  const state = path.join(temporaryFolder(context), 'state');
  const args = ['--behind-proxy', '--host', `unix:${socketPath}`, '--state', state, '--index', await smallIndex()];
  const second = await refusedStart(args);
  assert.match(second.stderr, /^toponym: The Unix socket \S+ is in use by Toponym \S+, which serves already\.\n$/);
  await service.drain();
  assert.ok(!existsSync(socketPath));
});

test('socketMode sets the mode of the Unix socket, whatever the umask', async (context) => {
  const socketPath = path.join(temporaryFolder(context), 'toponym.sock');
  await startInProcess(context, { behindProxy: true, host: `unix:${socketPath}`, socketMode: 0o606 });
  assert.equal(modeOf(socketPath), '606');
});
