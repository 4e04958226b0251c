import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseCidr } from '../../../src/access/address.ts';
import { UsageError } from '../../../src/errors/errors.ts';
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
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LOOPBACK = parseCidr('127.0.0.0/8')!;

test('a host name is resolved to an address', async () => {
  const address = await prepareAddress({
    host: 'localhost',
    port: 0,
    behindProxy: false,
    socketMode: 0o660,
    trustedProxies: [],
  });
  assert.ok(address.kind === 'tcp' && ['127.0.0.1', '::1'].includes(address.host));
});

test('a port in use is refused, even if its owner allows sharing', async (context) => {
  const other = createServer().listen({ host: '127.0.0.1', port: 0, reusePort: process.platform === 'linux' });
  context.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await assert.rejects(
    prepareAddress({ host: '127.0.0.1', port, behindProxy: false, socketMode: 0o660, trustedProxies: [] }),
    new UsageError(
      `127.0.0.1 port ${port} is in use by another program; stop that program, or choose another port with --port (0 picks a free one).`,
    ),
  );
});

test('plain HTTP needs trusted proxies on addresses other than loopback', async () => {
  const settings = { port: 0, behindProxy: true, socketMode: 0o660, trustedProxies: [] };
  await assert.rejects(
    prepareAddress({ ...settings, host: '0.0.0.0' }),
    new UsageError(
      '--behind-proxy serves plain HTTP, so --host 0.0.0.0 needs --trusted-proxies with the addresses of your proxies, such as 10.0.0.0/8. Without it, --host must be 127.0.0.1, ::1 or unix:/path.',
    ),
  );
  await prepareAddress({ ...settings, host: '127.0.0.2' });
  await prepareAddress({ ...settings, host: '0.0.0.0', trustedProxies: [LOOPBACK] });
});

test('plain HTTP is not served to a large part of the internet', async () => {
  const settings = { port: 0, behindProxy: true, socketMode: 0o660 };
  for (const block of ['0.0.0.0/0', '128.0.0.0/1', '::/0', '2000::/3', '::ffff:0:0/96']) {
    const trustedProxies = [LOOPBACK, parseCidr(block)!];
    await assert.rejects(
      prepareAddress({ ...settings, host: '0.0.0.0', trustedProxies }),
      (error) => error instanceof UsageError && /is too large a block for --host 0\.0\.0\.0\./.test(error.message),
      block,
    );
    await prepareAddress({ ...settings, host: '127.0.0.1', trustedProxies });
    await prepareAddress({ ...settings, host: '0.0.0.0', trustedProxies, behindProxy: false });
  }
  const privateBlocks = [parseCidr('10.0.0.0/8')!, parseCidr('fc00::/7')!];
  await prepareAddress({ ...settings, host: '0.0.0.0', trustedProxies: privateBlocks });
});

test('a Unix socket needs --behind-proxy', async (context) => {
  const host = `unix:${join(temporaryFolder(context), 'socket')}`;
  await assert.rejects(
    prepareAddress({ host, port: 0, behindProxy: false, socketMode: 0o660, trustedProxies: [] }),
    /needs --behind-proxy/,
  );
});

test('a Unix socket in use is refused, a stale one is removed, another file is kept', async (context) => {
  const path = join(temporaryFolder(context), 'socket');
  const prepared = () =>
    prepareAddress({ host: `unix:${path}`, port: 0, behindProxy: true, socketMode: 0o600, trustedProxies: [] });
  const other = createServer().listen(path);
  await once(other, 'listening');
  await assert.rejects(prepared(), /in use by another program/);
  other.close();
  await once(other, 'close');
  assert.deepEqual(await prepared(), { kind: 'unix', path, mode: 0o600 });
  writeFileSync(path, 'precious');
  await assert.rejects(prepared(), /is not a socket/);
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
    prepareAddress({ host: `unix:${path}`, port: 0, behindProxy: true, socketMode: 0o600, trustedProxies: [] }),
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

test('a host with a NUL character is refused', async () => {
  for (const host of ['unix:\0abc', 'unix:/tmp/a\0b', 'local\0host']) {
    await assert.rejects(
      prepareAddress({ host, port: 0, behindProxy: true, socketMode: 0o660, trustedProxies: [] }),
      new UsageError(`--host ${JSON.stringify(host)} must not contain a NUL character.`),
    );
  }
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
  for (const block of ['0.0.0.0/0', '128.0.0.0/1', '::/0', '2000::/3', '::ffff:0:0/96'])
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

test('a client on this machine may need a PROXY header, or may be refused', () => {
  const loopback = { behindProxy: true, trustedProxies: blocks('127.0.0.1'), proxyProtocol: false };
  const others = { ...loopback, trustedProxies: blocks('10.0.0.0/8') };
  const address = { ...EVERYWHERE, host: '127.0.0.1' };
  const direct = { address, hasProxyHeader: false };
  const withHeader = { address, hasProxyHeader: true };
  assert.deepEqual(localAccess(EVERYWHERE, loopback), direct);
  assert.deepEqual(localAccess(EVERYWHERE, { ...loopback, proxyProtocol: true }), withHeader);
  assert.equal(localAccess(EVERYWHERE, others), undefined);
  const inside = { ...EVERYWHERE, host: '10.1.2.3' };
  assert.deepEqual(localAccess(inside, others), { address: inside, hasProxyHeader: false });
  assert.deepEqual(localAccess(EVERYWHERE, { ...others, behindProxy: false, proxyProtocol: true }), direct);
  assert.deepEqual(localAccess(EVERYWHERE, { ...loopback, trustedProxies: [] }), direct);
  assert.deepEqual(localAccess(UNIX, { ...others, proxyProtocol: true }), { address: UNIX, hasProxyHeader: true });
});

test('on ::, a client on this machine uses the loopback address that may connect', () => {
  const all = { ...EVERYWHERE, host: '::' };
  const settings = { behindProxy: true, trustedProxies: blocks('127.0.0.1'), proxyProtocol: true };
  const v4 = { ...all, host: '127.0.0.1' };
  const v6 = { ...all, host: '::1' };
  assert.deepEqual(localAccess(all, settings), { address: v4, hasProxyHeader: true });
  assert.deepEqual(localAccess(all, { ...settings, trustedProxies: blocks('::1') }), {
    address: v6,
    hasProxyHeader: true,
  });
  // with TLS, a peer that is not a proxy may connect without a header
  assert.deepEqual(localAccess(all, { ...settings, behindProxy: false }), { address: v6, hasProxyHeader: false });
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
