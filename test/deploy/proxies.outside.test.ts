/** The examples in deploy/proxies, run by Debian's nginx, Caddy and HAProxy before a real service. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { globSync, readFileSync, readlinkSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { waitUntil } from '../support/deadline.ts';
import { freePort } from '../support/free-port.ts';
import { writeVersion } from '../support/index-version.ts';
import { outsideProgram } from '../support/outside-programs.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type ExampleProxy, type ProxyExample, runExample } from './example-proxy.ts';

const nginx = outsideProgram('nginx');
const caddy = outsideProgram('caddy');
const haproxy = outsideProgram('haproxy');

const NOBODY = 65_534;

const NGINX: ProxyExample = {
  file: 'nginx.conf',
  program: nginx.path,
  args: (config, { folder }) => [
    ...['-p', folder, '-c', config, '-e', 'stderr'],
    ...['-g', `daemon off; user root; pid ${folder}/nginx.pid;`],
  ],
  replacements: ({ folder, cert, key, port }) => [
    ['/var/log/nginx/error.log', 'stderr'],
    ['listen 443', `listen 127.0.0.1:${port}`],
    ['listen [::]:443', `listen [::1]:${port}`],
    ['/etc/ssl/toponym/cert.pem', cert],
    ['/etc/ssl/toponym/key.pem', key],
    // Debian's folders for these files belong to root
    [
      'server_tokens off;',
      `server_tokens off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;`,
    ],
  ],
};

const CADDY: ProxyExample = {
  file: 'Caddyfile',
  program: caddy.path,
  // as Debian's unit runs it: not as root, and without folders of its own in /run
  user: NOBODY,
  args: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
  replacements: ({ cert, key, port, adminPort }) => [
    // other tests may run Caddy with its default port for commands
    ['auto_https', `admin 127.0.0.1:${adminPort}\n\tauto_https`],
    ['\nplaces.example.com {', `\nhttps://127.0.0.1:${port} {\n\tbind 127.0.0.1 ::1\n\ttls ${cert} ${key}`],
  ],
};

const HAPROXY: ProxyExample = {
  file: 'haproxy.cfg',
  program: haproxy.path,
  args: (config) => ['-db', '-f', config],
  replacements: ({ pem, port }) => [
    ['bind [::]:443 v4v6', `bind 127.0.0.1:${port},[::1]:${port}`],
    ['/etc/ssl/toponym/haproxy.pem', pem],
  ],
};

const HAPROXY_TCP: ProxyExample = {
  ...HAPROXY,
  file: 'haproxy-tcp.cfg',
  replacements: ({ port }) => [['bind [::]:443 v4v6', `bind 127.0.0.1:${port},[::1]:${port}`]],
};

const SPOOFED_HEADERS = {
  // two lines
  'X-Forwarded-For': ['203.0.113.9', '127.0.0.1'],
  Forwarded: 'for=203.0.113.9',
  'X-Real-IP': '203.0.113.9',
};

async function aService(context: TestContext, args: readonly string[]): Promise<RunningService> {
  const index = join(temporaryFolder(context), 'data.toponym');
  await writeVersion(index, 'one', ['Alba']);
  const fixed = ['--threads', '1', '--trusted-proxies', '127.0.0.1', '--metrics-port', '0'];
  return await runService(context, { index, args: [...fixed, ...args] });
}

async function aServiceBehind(context: TestContext, example: ProxyExample) {
  const service = await aService(context, ['--behind-proxy', '--compat', 'places,photon,nominatim']);
  const proxy = await runExample(context, example, Number(new URL(service.ready.url).port));
  await waitUntil('the proxy reaches the service', async () => {
    const readiness = call(proxy, service, { from: '127.0.0.8', path: '/readyz', method: 'GET' });
    return (await readiness.catch(() => ({ status: 0 }))).status === 200;
  });
  return { proxy, service };
}

interface ProxyCall {
  readonly from: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

/** Sends a request over a new connection. By default it searches around the caller's address. */
async function call({ url, ca }: ExampleProxy, { key }: RunningService, options: ProxyCall) {
  const path = options.path ?? '/api/1/query?query=alba&aroundLatLngViaIP=true';
  const target = new URL(path, url);
  if (options.from === '::1') target.hostname = '[::1]';
  const sent = request(target, {
    method: options.method ?? 'POST',
    localAddress: options.from,
    agent: false,
    ca,
    headers: {
      Host: new URL(url).host,
      'X-Service-Key': key,
      'Content-Type': 'application/x-www-form-urlencoded',
      ...options.headers,
    },
  });
  sent.end(options.body);
  const [response] = await once(sent, 'response');
  const content = await text(response);
  // errors of the proxies are HTML or nothing
  const body = response.headers['content-type']?.includes('json') ? JSON.parse(content) : {};
  return { status: response.statusCode as number, body };
}

/** The same search with spoofed headers over HTTP/2, from 127.0.0.5. */
async function callOverHttp2({ url, ca }: ExampleProxy, { key }: RunningService) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress: '127.0.0.5' });
  const session = connectHttp2(url, { createConnection: () => connectTls({ socket, ca, ALPNProtocols: ['h2'] }) });
  const stream = session.request({
    ':method': 'POST',
    ':path': '/api/1/query?query=alba&aroundLatLngViaIP=true',
    'x-service-key': key,
    ...SPOOFED_HEADERS,
  });
  stream.end();
  const body = JSON.parse(await text(stream));
  session.close();
  return body;
}

/** The client's address as the service sees it. */
function clientIn({ body }: { body: { message?: string } }): string | undefined {
  return /aroundLatLngViaIP: (\S+) could not be located/.exec(body.message ?? '')?.[1];
}

async function checkAddresses(proxy: ExampleProxy, service: RunningService): Promise<void> {
  assert.equal(clientIn(await call(proxy, service, { from: '127.0.0.5' })), '127.0.0.5');
  const spoofed = await call(proxy, service, { from: '127.0.0.5', headers: SPOOFED_HEADERS });
  assert.equal(clientIn(spoofed), '127.0.0.5');
  assert.equal(clientIn({ body: await callOverHttp2(proxy, service) }), '127.0.0.5');
}

/** 60 calls of one client are answered, the next is not, and another client is not affected. */
async function checkLimit(proxy: ExampleProxy, service: RunningService, from = '127.0.0.6'): Promise<void> {
  for (let i = 0; i < 60; i++) {
    const { status } = await call(proxy, service, {
      from,
      headers: { 'X-Forwarded-For': `192.0.2.${i}` },
    });
    assert.equal(status, 200, `call ${i + 1}`);
  }
  const refused = await call(proxy, service, { from, headers: { 'X-Forwarded-For': '192.0.2.99' } });
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
  assert.equal((await call(proxy, service, { from: '127.0.0.7' })).status, 200);
}

async function checkOwnErrors(proxy: ExampleProxy, service: RunningService): Promise<void> {
  const from = '127.0.0.8';
  const unknown = await call(proxy, service, { from, path: '/nothing/here' });
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'not_found']);
  for (const bytes of [20_000, 500_000]) {
    const tooLarge = await call(proxy, service, { from, path: '/api/1/query', body: `query=${'a'.repeat(bytes)}` });
    assert.deepEqual([tooLarge.status, tooLarge.body.code], [413, 'body_too_large'], `${bytes} bytes`);
  }
  for (const [path, status] of Object.entries({ '/healthz': 'alive', '/readyz': 'ready' })) {
    const health = await call(proxy, service, { from, path, method: 'GET' });
    assert.deepEqual([health.status, health.body.status], [200, status]);
  }
}

/** Callers of the adapters have the key in the URL. A service that is gone makes proxies log the failed requests. */
async function checkLogs(proxy: ExampleProxy, service: RunningService): Promise<void> {
  const { key, child } = service;
  const paths = [`/api?q=alba&api_key=${key}`, `/search?q=alba&key=${key}`, `/k/${key}/search?q=alba`];
  const places = `/1/places/query?x-algolia-api-key=${key}`;
  const statuses = async () => {
    const gets = paths.map((path) => call(proxy, service, { from: '127.0.0.9', path, method: 'GET' }));
    return (await Promise.all([...gets, call(proxy, service, { from: '127.0.0.9', path: places, body: '{}' })])).map(
      ({ status }) => status,
    );
  };
  assert.deepEqual(await statuses(), [200, 200, 200, 200]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const failed = await statuses();
  assert.ok(
    failed.every((status) => status >= 500),
    failed.join(),
  );
  await proxy.stop();
  // where Debian's nginx logs requests unless it is told otherwise
  const [debian] = globSync('/var/log/nginx/access.log').map((file) => readFileSync(file, 'utf8'));
  for (const log of [proxy.output(), debian]) assert.ok(!log?.includes(key), log);
}

async function metricOf({ ready }: RunningService, name: string): Promise<number> {
  const metrics = await (await fetch(ready.metricsUrl ?? '')).text();
  return Number(
    metrics
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );
}

/** A client that is not the proxy gets nothing from the service itself. */
async function checkStranger({ ready }: RunningService): Promise<void> {
  const socket = connect({ port: Number(new URL(ready.url).port), host: '127.0.0.1', localAddress: '127.0.0.5' });
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  assert.equal(await text(socket).catch(() => ''), '');
}

for (const [name, example, { skip }] of [
  ['nginx', NGINX, nginx],
  ['Caddy', CADDY, caddy],
  ['HAProxy', HAPROXY, haproxy],
] as const) {
  test(`behind ${name}, limits and addresses are those of the clients, and errors are the service's own`, {
    skip,
  }, async (context) => {
    const { proxy, service } = await aServiceBehind(context, example);
    await checkAddresses(proxy, service);
    assert.equal(clientIn(await call(proxy, service, { from: '::1' })), '0:0:0:0:0:0:0:1');
    await checkLimit(proxy, service);
    // the proxy has served more than 60 connections of clients over a few of its own
    assert.ok((await metricOf(service, 'toponym_connections')) <= 8);
    await checkOwnErrors(proxy, service);
    await checkStranger(service);
    await checkLogs(proxy, service);
  });
}

test('through HAProxy, each of many chunked calls at once gets a response of the service', {
  skip: haproxy.skip,
}, async (context) => {
  const { proxy, service } = await aServiceBehind(context, HAPROXY);
  const headers = { 'Transfer-Encoding': 'chunked' };
  const calls = Array.from({ length: 300 }, (_, i) =>
    call(proxy, service, { from: `127.0.1.${1 + (i % 10)}`, path: '/api/1/query', headers, body: 'query=alba' }),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  assert.deepEqual(
    statuses.filter((status) => status !== 200 && status !== 503),
    [],
  );
});

test('HAProxy serves as a user without privileges, and logs that the service is down', {
  skip: haproxy.skip || (process.getuid?.() === 0 ? false : 'only root can become another user'),
}, async (context) => {
  const { pid, output } = await runExample(context, HAPROXY, await freePort());
  assert.doesNotMatch(readFileSync(`/proc/${pid}/status`, 'utf8'), /^Uid:\t0\t/m);
  assert.match(readlinkSync(`/proc/${pid}/root`), /^\/var\/lib\/haproxy$/);
  await waitUntil('the failed health check is logged', () => /toponym1 is DOWN/.test(output()));
});

for (const version of ['send-proxy-v2', 'send-proxy']) {
  test(`HAProxy as a TCP proxy tells the client's address (${version})`, {
    skip: haproxy.skip,
  }, async (context) => {
    const service = await aService(context, ['--proxy-protocol']);
    const example: ProxyExample = {
      ...HAPROXY_TCP,
      replacements: (files) => [...HAPROXY_TCP.replacements(files), [' send-proxy-v2 ', ` ${version} `]],
    };
    const tcpProxy = await runExample(context, example, Number(new URL(service.ready.url).port));
    const proxy = { ...tcpProxy, ca: readFileSync(join(service.state, 'tls', 'cert.pem'), 'utf8') };
    await waitUntil("HAProxy's own health check is answered", async () => {
      return (await metricOf(service, 'toponym_requests_total{endpoint="other",status="200"}')) > 0;
    });
    assert.equal(clientIn(await call(proxy, service, { from: '127.0.0.5', headers: SPOOFED_HEADERS })), '127.0.0.5');
    await checkLimit(proxy, service);
    await checkLimit(proxy, service, '127.0.0.1'); // a trusted address
    await checkOwnErrors(proxy, service);
    assert.equal(await metricOf(service, 'toponym_refused_connections_total{reason="bad_proxy_header"}'), 0);
  });
}
