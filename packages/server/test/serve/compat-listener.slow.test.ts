/** The second listener, which has the adapters only and speaks plain HTTP. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { parseCidr } from 'toponym-access/address';
import { waitUntil, withDeadline } from '../../../../test/support/deadline.ts';
import { PROGRAM } from '../../../../test/support/environment.ts';
import { smallIndex, writeVersion } from '../../../../test/support/index-version.ts';
import { refusedStart, runSmallService } from '../../../../test/support/running-service.ts';
import { type InProcessRun, startInProcess } from '../../../../test/support/service-in-process.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { v1Header, v2Header } from './listen/proxy-headers.ts';

const CRASH_MODULE = new URL('../../../../faults/clients/crash-thread.ts', import.meta.url).href;

/** A service with Photon's API, also at a free port of 127.0.0.1, unless `run` says otherwise. */
async function aService(context: TestContext, run: InProcessRun = {}) {
  const service = await startInProcess(context, {
    ...{ compat: ['photon'], compatListen: { host: '127.0.0.1', port: 0 }, callsPerMinute: 1000 },
    ...run,
  });
  const url = service.compatUrl ?? '';
  /** Calls with the key in the path. Each call has its own connection, which any thread may accept. */
  const call = (target: string, options: object = {}) => callOver(`${url}/k/${service.key}${target}`, options);
  return { service, url, call };
}

async function callOver(url: string, options: object = {}): Promise<{ status: number; body: string }> {
  const [response] = (await once(get(url, { agent: false, ...options }), 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}

function namesIn(body: string): string[] {
  const { features } = JSON.parse(body) as { features: { properties: { name: string } }[] };
  return features.map(({ properties }) => properties.name);
}

test('a listener of one thread', async (context) => {
  const indexPath = join(temporaryFolder(context), 'data.toponym');
  await writeVersion(indexPath, 'one', ['Alba']);
  const { service, url, call } = await aService(context, { index: indexPath, metricsPort: 0, drainSeconds: 50 });

  await context.test('metrics count its connections, and calls by adapter', async () => {
    const agent = new Agent({ keepAlive: true });
    context.after(() => agent.destroy());
    assert.equal((await call('/api?q=alba', { agent })).status, 200);
    assert.equal((await call('/api', { agent })).status, 400);
    assert.equal((await call('/api?q=alba', { agent, method: 'DELETE' })).status, 405);
    const { body } = await callOver(service.metricsUrl ?? '');
    assert.match(body, /^toponym_connections 1$/m);
    for (const status of [200, 400, 405])
      assert.match(body, new RegExp(`^toponym_requests_total\\{endpoint="photon",status="${status}"\\} 1$`, 'm'));
  });

  await context.test('it believes no X-Forwarded-For without trusted proxies', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.5' };
    assert.equal((await call('/api?q=alba', { headers })).status, 200, 'anyone can write the header');
  });

  await context.test('a reload replaces its data', async () => {
    assert.deepEqual(namesIn((await call('/api?q=borea')).body), []);
    await writeVersion(indexPath, 'two', ['Alba', 'Borea']);
    await service.reload();
    assert.deepEqual(namesIn((await call('/api?q=borea')).body), ['Borea']);
  });

  await context.test('settings that cannot work are refused at once, with what to change', async () => {
    const index = ['--index', await smallIndex(), '--state', join(temporaryFolder(context), 'state')];
    const taken = new URL(service.compatUrl ?? '').port;
    const compat = ['--compat', 'photon', '--compat-listen'];
    const cases = [
      [['--compat', 'foton'], /must list some of .*photon.*, got "foton"; did you mean photon\?/],
      [['--compat-listen', 'http://127.0.0.1:0'], /--compat-listen needs --compat with some of .*photon/],
      [['--compat', 'photon', '--compat-from', '10.0.0.0/8'], /--compat-from needs --compat-listen/],
      [[...compat, 'http://127.0.0.1:0', '--compat-hosts', 'a:1'], /--compat-hosts: must list host names such as/],
      [
        [...compat, 'http://127.0.0.1:0', '--compat-from', '10.0.0.0/99'],
        /--compat-from: must list addresses or blocks/,
      ],
      ...['127.0.0.1:2322', 'https://127.0.0.1:2322', 'http://127.0.0.1:2322/api', 'http://127.0.0.1:99999', 'x'].map(
        (text) => [[...compat, text], /--compat-listen: must be an address and port such as http:/] as const,
      ),
      [[...compat, 'http://no.invalid:2322'], /--compat-listen no\.invalid cannot be resolved/],
      [[...compat, 'http://192.0.2.1:2322'], /does not have that address; choose another address with --compat-listen/],
      [
        [...compat, `http://127.0.0.1:${taken}`],
        /in use by another program; .* --compat-listen \(0 picks a free one\)/,
      ],
      [[...compat, 'http://127.0.0.1:2399', '--port', '2399'], /has the same port as --port, 2399/],
      [[...compat, 'http://0.0.0.0:2399', '--port', '2399'], /has the same port as --port, 2399/],
      [[...compat, 'http://127.0.0.1:2399', '--metrics-port', '2399'], /has the same port as --metrics-port, 2399/],
    ] as const;
    for (const [args, message] of cases) {
      const { code, stderr } = await refusedStart(['--port', '0', ...index, ...args]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    }
  });

  await context.test('a stop lets its open requests finish, and does not wait for unused connections', async () => {
    const open = async (): Promise<Socket> => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      context.after(() => socket.destroy());
      await once(socket, 'connect');
      return socket;
    };
    const [unused, busy] = [await open(), await open()];
    unused.on('error', () => {});
    const response = text(busy);
    busy.write(`GET /k/${service.key}/api?q=alba HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na`);
    // another request of the same thread ends, so the first one has arrived
    assert.equal((await callOver(`${url}/api?q=alba&key=${service.key}`)).status, 200);
    const stopped = service.drain();
    await waitUntil('the listener is closed', () =>
      open().then(
        () => false,
        () => true,
      ),
    );
    busy.write('b');
    assert.match(await response, /^HTTP\/1\.1 200 OK\r\n.*"Alba"/s);
    await withDeadline('the service stops', stopped);
    assert.doesNotMatch(service.log(), /requests still running were aborted/);
  });
});

test('a listener of two threads, which trusts a proxy', async (context) => {
  const { service, url, call } = await aService(context, { threads: 2, trustedProxies: [parseCidr('127.0.0.1')!] });

  await context.test('all threads share a free port, which has the adapters and nothing else', async () => {
    assert.match(url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    // each has a new connection, which reaches either thread
    for (let i = 0; i < 20; i++) assert.deepEqual(namesIn((await call('/api?q=alba')).body), ['Alba']);
    for (const path of ['/', '/healthz', '/openapi.json', '/api/1/query'])
      assert.equal((await callOver(`${url}${path}?key=${service.key}`)).status, 404, path);
    const overHttps = await service.call('/api?q=alba', { method: 'GET' });
    assert.deepEqual(namesIn(overHttps.body), ['Alba']);
  });

  await context.test('it answers private addresses, as the proxy tells them', async () => {
    const forwarded = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    assert.equal((await call('/api?q=alba', forwarded('192.168.3.4'))).status, 200);
    const { status, body } = await call('/api?q=alba', forwarded('203.0.113.5'));
    assert.equal(status, 403);
    assert.match(JSON.parse(body).message, /private addresses, and you are 203\.0\.113\.5/);
  });
});

test('it answers the addresses of --compat-from only, and warns if they are public and need no key', async (context) => {
  const compatFrom = [parseCidr('127.0.0.9')!, parseCidr('203.0.113.0/24')!];
  const limited = await aService(context, { compatFrom, compatOpen: true });
  assert.match(
    limited.service.log(),
    /--compat-open answers without a key, and --compat-from includes 203\.0\.113\.0\/24/,
  );
  assert.equal((await limited.call('/api?q=alba')).status, 403);
  assert.equal((await limited.call('/api?q=alba', { localAddress: '127.0.0.9' })).status, 200);
});

test('it listens on an IPv6 address beside a Unix socket', async (context) => {
  const { url, call } = await aService(context, {
    ...{ compatListen: { host: '::1', port: 0 }, behindProxy: true, trustedProxies: [parseCidr('127.0.0.1')!] },
    ...{ host: `unix:${join(temporaryFolder(context), 'socket')}` },
  });
  assert.match(url, /^http:\/\/\[::1\]:\d+$/);
  assert.equal((await call('/api?q=alba')).status, 200);
});

test('with the PROXY protocol, the header of a trusted proxy tells the caller, and nobody else can', async (context) => {
  const { service, url, call } = await aService(context, {
    ...{ proxyProtocol: true, trustedProxies: [parseCidr('127.0.0.9')!, parseCidr('10.0.0.0/8')!], callsPerMinute: 1 },
  });
  let forwarded = 0;
  /** Sends a call with another forwarded address each time. */
  const statusFrom = async (localAddress: string, header: Buffer | string = '') => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
    const head = `GET /k/${service.key}/api?q=alba HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.168.0.${++forwarded}\r\n`;
    socket.write(Buffer.concat([Buffer.from(header), Buffer.from(`${head}Connection: close\r\n\r\n`)]));
    return (await text(socket).catch(() => '')).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
  };
  assert.equal(await statusFrom('127.0.0.9', v2Header('10.1.2.3')), '200');
  assert.equal(await statusFrom('127.0.0.9', v2Header('10.1.2.3')), '429', 'a client in a trusted block');
  assert.equal(await statusFrom('127.0.0.9', v1Header('203.0.113.5')), '403');
  assert.equal(await statusFrom('127.0.0.9'), '', 'no header');
  assert.equal((await call('/api?q=alba')).status, 200, 'a client without a proxy');
  assert.equal(await statusFrom('127.0.0.1'), '429');
});

test('it listens on a host name, and behind a proxy answers peers that are no proxies', async (context) => {
  const { service, call } = await aService(context, {
    ...{ compatListen: { host: 'localhost', port: 0 } },
    behindProxy: true,
    trustedProxies: [parseCidr('127.0.0.9')!],
  });
  await assert.rejects(callOver(`${service.url}/healthz`), 'a stranger on the port for proxies');
  assert.equal((await call('/api?q=alba')).status, 200);
});

/** A hook that lists the modules which a process and its threads load, and a function that reads the list. */
function moduleList(context: TestContext) {
  const folder = temporaryFolder(context);
  const [hook, list] = [join(folder, 'hook.mjs'), join(folder, 'list')];
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs'; import { registerHooks } from 'node:module';
     registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(list)}, url + '\\n'), next(url, context)) });`,
  );
  /** The files of the adapters that are loaded. */
  const loaded = () => {
    const urls = readFileSync(list, 'utf8');
    assert.match(urls, /src\/serve\/threads\/worker\.ts/, 'worker threads have the hook, too');
    return [...new Set(urls.match(/(?<=src\/compat\/)[\w-]+/g))].sort();
  };
  return { option: `--import ${hook}`, loaded };
}

test('without adapters, their code is not loaded', async (context) => {
  const { option, loaded } = moduleList(context);
  await runSmallService(context, { env: { NODE_OPTIONS: option } });
  assert.deepEqual(loaded(), ['compat-settings']);
});

test('a process with few descriptors', async (context) => {
  const { option, loaded } = moduleList(context);
  const crashFile = join(temporaryFolder(context), 'crash');
  const service = await runSmallService(context, {
    program: ['sh', '-c', 'ulimit -n 480 && exec "$0" "$@"', process.execPath, PROGRAM],
    args: ['--compat', 'photon', '--compat-listen', 'http://127.0.0.1:0', '--metrics-port', '0'],
    env: { NODE_OPTIONS: `--import ${CRASH_MODULE} ${option}`, CRASH_FILE: crashFile },
  });
  const { key } = service;
  const url = service.ready.compatUrl ?? '';
  const encoded = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

  await context.test('the code of its adapter is loaded, and that of no other', async () => {
    assert.deepEqual(loaded(), ['adapter', 'compat-routes', 'compat-settings', 'osm-terms', 'photon']);
  });

  await context.test('keys are accepted wherever they are sent', async () => {
    const targets = [
      ...[
        `/k/${key}/api?q=alba`,
        `/k/${encoded}/api?q=alba`,
        `/k/${key}/none`,
        `/k/${key}/api?q=`,
        `/k/${key}/api?q=%zz`,
      ],
      ...[
        `/api?q=alba&key=${key}`,
        `/api?q=${key}&key=${key}`,
        `/api?q=alba&layer=${key}&api_key=${key}`,
        `/k/${key}x/api`,
      ],
    ];
    const statuses = [];
    for (const target of targets) statuses.push((await callOver(`${url}${target}`)).status);
    assert.deepEqual(statuses, [200, 200, 404, 400, 400, 200, 200, 400, 401]);
  });

  await context.test(
    'its connections have a limit of their own, so that the other listener keeps its descriptors',
    async () => {
      const port = Number(new URL(url).port);
      const sockets = Array.from({ length: 600 }, () => connect(port, '127.0.0.1').on('error', () => {}));
      context.after(() => {
        for (const socket of sockets) socket.destroy();
      });
      await service.logged('an address has too many connections');
      assert.equal((await service.call('/healthz', { method: 'GET' })).status, 200);
      assert.equal((await callOver(`${url}/api?q=alba&key=${key}`)).status, 200);
      const [, open] = /^toponym_connections (\d+)$/m.exec((await callOver(service.ready.metricsUrl ?? '')).body) ?? [];
      assert.ok(Number(open) < 100, `${open} open connections`);
      for (const socket of sockets) socket.destroy();
    },
  );

  await context.test('a thread that replaces a crashed one listens on the same port', async () => {
    const target = `${url}/k/${key}/api?q=alba`;
    assert.equal((await callOver(target)).status, 200);
    writeFileSync(crashFile, 'throw');
    await service.logged('a thread exited and will be replaced');
    await waitUntil('the new thread answers', () =>
      callOver(target).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });

  await context.test('its log has no key', async () => {
    service.child.kill('SIGTERM');
    assert.deepEqual(await service.ended(), [0, null]);
    assert.match(service.log(), /"path":"\/k\/tpk_\*\*\*\/api"/);
    assert.ok(!service.log().includes(key.slice(4)) && !service.log().includes(encoded));
  });
});
