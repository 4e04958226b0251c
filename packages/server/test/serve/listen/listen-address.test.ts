import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseCidr } from 'toponym-access/address';
import { UsageError } from 'toponym-files/errors/errors';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import {
  checkProxySettings,
  type ListenAddress,
  listenWithMode,
  localAccess,
  type ProxySettings,
  prepareAddress,
  urlOf,
  warnOfProxySettings,
} from '../../../src/serve/listen/listen-address.ts';

/** Prepares an address for plain HTTP behind a proxy, unless `changes` say otherwise. */
function prepare(changes: Partial<Parameters<typeof prepareAddress>[0]>) {
  return prepareAddress({
    host: '127.0.0.1',
    port: 0,
    behindProxy: true,
    socketMode: 0o600,
    trustedProxies: [],
    ...changes,
  });
}

/** A large part of the internet. */
const LARGE_BLOCKS = ['0.0.0.0/0', '128.0.0.0/1', '::/0', '2000::/3', '::ffff:0:0/96'];

test('a host name is resolved to an address, and a NUL character in it refused', async () => {
  const address = await prepare({ host: 'localhost', behindProxy: false });
  assert.ok(address.kind === 'tcp' && ['127.0.0.1', '::1'].includes(address.host));
  for (const host of ['unix:\0abc', 'unix:/tmp/a\0b', 'local\0host']) {
    const refusal = new UsageError(`--host ${JSON.stringify(host)} must not contain a NUL character.`);
    await assert.rejects(prepare({ host }), refusal);
  }
});

test('a port in use is refused, even if its owner allows sharing', async (context) => {
  const other = createServer().listen({ host: '127.0.0.1', port: 0, reusePort: process.platform === 'linux' });
  context.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await assert.rejects(
    prepare({ port, behindProxy: false }),
    new UsageError(
      `127.0.0.1 port ${port} is in use by another program; stop that program, or choose another port with --port (0 picks a free one).`,
    ),
  );
});

test('plain HTTP beyond loopback needs trusted proxies, which are not a large part of the internet', async () => {
  const host = '0.0.0.0';
  await assert.rejects(
    prepare({ host }),
    new UsageError(
      '--behind-proxy serves plain HTTP, so --host 0.0.0.0 needs --trusted-proxies with the addresses of your proxies, such as 10.0.0.0/8. Without it, --host must be 127.0.0.1, ::1 or unix:/path.',
    ),
  );
  await prepare({ host: '127.0.0.2' });
  await prepare({ host, trustedProxies: blocks('127.0.0.0/8', '10.0.0.0/8', 'fc00::/7') });
  for (const block of LARGE_BLOCKS) {
    const trustedProxies = blocks('127.0.0.0/8', block);
    const refusal = { name: 'UsageError', message: /is too large a block for --host 0\.0\.0\.0\./ };
    await assert.rejects(prepare({ host, trustedProxies }), refusal, block);
    await prepare({ trustedProxies });
    await prepare({ host, trustedProxies, behindProxy: false });
  }
});

test('a Unix socket needs --behind-proxy; one in use is refused, a stale one is removed, another file is kept', async (context) => {
  const path = join(temporaryFolder(context), 'socket');
  const host = `unix:${path}`;
  await assert.rejects(prepare({ host, behindProxy: false }), /needs --behind-proxy/);
  const other = createServer().listen(path);
  await once(other, 'listening');
  await assert.rejects(prepare({ host }), /in use by another program/);
  other.close();
  await once(other, 'close');
  assert.deepEqual(await prepare({ host }), { kind: 'unix', path, mode: 0o600 });
  writeFileSync(path, 'precious');
  await assert.rejects(prepare({ host }), /is not a socket/);
  assert.ok(existsSync(path));
});

test('a Unix socket whose server is too busy to accept a connection is kept', {
  skip: process.platform !== 'linux' && 'other systems report a full backlog as a closed socket',
}, async (context) => {
  const path = join(temporaryFolder(context), 'socket');
  const busy = createServer().listen({ path, backlog: 1 });
  await once(busy, 'listening');
  // connecting takes place at once, accepting only in the next tick: the two fill the backlog
  const clients = [connect(path), connect(path)];
  context.after(() => {
    for (const client of clients) client.destroy();
    busy.close();
  });
  await assert.rejects(
    prepare({ host: `unix:${path}` }),
    new UsageError(
      `The Unix socket ${path} may be in use by another program (resource temporarily unavailable); stop that program, or delete the file if no program uses it, or choose another path for --host unix:.`,
    ),
  );
  assert.ok(existsSync(path));
});

test('the URL is reachable from this machine', () => {
  const urls = ['127.0.0.1', '0.0.0.0', '::', '::1'].map((host) => urlOf({ kind: 'tcp', host, port: 8443 }, true));
  assert.deepEqual(urls, [
    'https://127.0.0.1:8443',
    'https://127.0.0.1:8443',
    'https://[::1]:8443',
    'https://[::1]:8443',
  ]);
});

const DEFAULTS: ProxySettings = { behindProxy: false, trustedProxies: [], proxyProtocol: false };
const EVERYWHERE = { kind: 'tcp', host: '0.0.0.0', port: 1 } as const;
const UNIX = { kind: 'unix', path: '/run/toponym.sock', mode: 0o660 } as const;

function blocks(...texts: readonly string[]) {
  return texts.map((text) => parseCidr(text)!);
}

/** The warnings that the settings cause. */
function warningsOf(settings: Partial<ProxySettings>, address: ListenAddress = EVERYWHERE): string[] {
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  warnOfProxySettings(address, { ...DEFAULTS, ...settings }, log as Parameters<typeof warnOfProxySettings>[2]);
  return warnings;
}

test('the PROXY protocol needs trusted proxies', () => {
  assert.throws(() => checkProxySettings({ ...DEFAULTS, proxyProtocol: true }), UsageError);
  checkProxySettings({ ...DEFAULTS, proxyProtocol: true, trustedProxies: blocks('10.0.0.0/8') });
});

test('a proxy that is not trusted, and trust in a large part of the internet, cause a warning', () => {
  assert.match(warningsOf({ behindProxy: true }).join(), /name the proxy with --trusted-proxies/);
  for (const block of LARGE_BLOCKS)
    assert.match(
      warningsOf({ trustedProxies: blocks('10.1.1.1', block) }).join(),
      /includes \S+\/\d+: any client/,
      block,
    );
  assert.deepEqual(warningsOf({ trustedProxies: blocks('10.0.0.0/8', 'fc00::/7') }), []);
  assert.deepEqual(warningsOf({}), []);
});

test('a proxy on a Unix socket must be trusted as 127.0.0.1, unless it sends PROXY headers', () => {
  const others = { behindProxy: true, trustedProxies: blocks('10.1.1.1') };
  assert.match(warningsOf(others, UNIX).join(), /add 127\.0\.0\.1 to --trusted-proxies/);
  assert.deepEqual(warningsOf({ ...others, proxyProtocol: true }, UNIX), []);
  assert.deepEqual(warningsOf({ ...others, trustedProxies: blocks('127.0.0.0/8') }, UNIX), []);
  assert.deepEqual(warningsOf(others), []);
});

test('a client on this machine may need a PROXY header or another loopback address, or may be refused', () => {
  const everywhere6 = { ...EVERYWHERE, host: '::' };
  const inside = { ...EVERYWHERE, host: '10.1.2.3' };
  const [toSelf, toOthers] = [blocks('127.0.0.1'), blocks('10.0.0.0/8')];
  const withHeader = { proxyProtocol: true };
  const cases: [address: ListenAddress, settings: Partial<ProxySettings>, host?: string, hasProxyHeader?: boolean][] = [
    [EVERYWHERE, { trustedProxies: toSelf }, '127.0.0.1', false],
    [EVERYWHERE, { trustedProxies: toSelf, ...withHeader }, '127.0.0.1', true],
    [EVERYWHERE, { trustedProxies: toOthers }],
    [inside, { trustedProxies: toOthers }, '10.1.2.3', false],
    [EVERYWHERE, { trustedProxies: toOthers, ...withHeader, behindProxy: false }, '127.0.0.1', false],
    [EVERYWHERE, { trustedProxies: [] }, '127.0.0.1', false],
    [everywhere6, { trustedProxies: toSelf, ...withHeader }, '127.0.0.1', true],
    [everywhere6, { trustedProxies: blocks('::1'), ...withHeader }, '::1', true],
    // with TLS, a peer that is not a proxy may connect without a header
    [everywhere6, { trustedProxies: toSelf, ...withHeader, behindProxy: false }, '::1', false],
  ];
  for (const [address, settings, host, hasProxyHeader] of cases) {
    const expected = host === undefined ? undefined : { address: { ...address, host }, hasProxyHeader };
    assert.deepEqual(localAccess(address, { ...DEFAULTS, behindProxy: true, ...settings }), expected);
  }
  const socket = localAccess(UNIX, { ...DEFAULTS, behindProxy: true, trustedProxies: toOthers, ...withHeader });
  assert.deepEqual(socket, { address: UNIX, hasProxyHeader: true });
});

test('a socket is accessible to its owner only until its mode is set, and the umask is restored', async (context) => {
  const path = join(temporaryFolder(context), 'toponym.sock');
  const umask = process.umask();
  const server = createServer();
  context.after(() => server.close());
  let modeWhileListening = '';
  await listenWithMode({ path, mode: 0o666 }, async () => {
    server.listen(path);
    await once(server, 'listening');
    modeWhileListening = modeOf(path);
  });
  assert.deepEqual([modeWhileListening, modeOf(path)], ['700', '666']);
  assert.equal(process.umask(), umask);
});

function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8);
}
