import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aContext, textOf } from './a-context.ts';

async function examine(context: TestContext, flags: Record<string, string>): Promise<string> {
  return await textOf('port', aContext(context, { flags }));
}

/** Starts a server that is not a Toponym. Returns its port as a flag has it. */
async function listen(context: TestContext, server: Server, path?: string): Promise<string> {
  context.after(() => server.close());
  if (path === undefined) server.listen(0, '127.0.0.1');
  else server.listen(path);
  await once(server, 'listening');
  return path ?? String((server.address() as AddressInfo).port);
}

/** A server that closes every connection. */
function aClosingServer(): Server {
  return createServer((socket) => socket.destroy());
}

test('a free port, and any free port', async (context) => {
  const port = String(await freePort());
  assert.equal(await examine(context, { port }), `ok: 127.0.0.1 port ${port} is free`);
  assert.equal(await examine(context, { port: '0' }), 'ok: 127.0.0.1 port 0 is free');
});

test('a port of another program is a problem', async (context) => {
  const port = await listen(context, aClosingServer());
  assert.match(await examine(context, { port }), /^problem: .* is in use by another program.* -> Find the program/);
});

test('another web server is not taken for a Toponym', async (context) => {
  const port = await listen(
    context,
    createHttpServer((_request, response) => response.end('{"status":"fine"}')),
  );
  assert.match(await examine(context, { port, behindProxy: 'true' }), /^problem: .* is in use by another program/);
});

test('a port that may be of this service, which answers only proxies or known clients, is a warning', async (context) => {
  const port = await listen(context, aClosingServer());
  const proxied = { port, behindProxy: 'true', trustedProxies: '10.0.0.1' };
  assert.match(await examine(context, proxied), /^warning: .*perhaps by this service.* -> Set --metrics-port/);
  assert.match(await examine(context, { port, tlsClientCa: 'ca.pem' }), /^warning: .*perhaps by this service/);
});

test('an address that this machine does not have is a problem, also if only proxies are answered', async (context) => {
  const flags = { host: '192.0.2.1', port: '8443', behindProxy: 'true', trustedProxies: '10.0.0.1' };
  const reason = 'this machine does not have that address; choose another address with --host.';
  assert.equal(
    await examine(context, flags),
    `problem: 192.0.2.1 port 8443: ${reason} -> Find the program that has it (ss -ltnp), or correct --host or --port.`,
  );
  const port = String(await freePort());
  const metrics = await examine(context, { port, metricsHost: '192.0.2.1', metricsPort: '9464' });
  assert.match(
    metrics,
    /^ok: .*\nproblem: 192\.0\.2\.1 port 9464 for metrics: this machine .* or correct --metrics-host or/,
  );
});

test('a file in the place of a Unix socket is a problem, also if only proxies are answered', async (context) => {
  const path = join(temporaryFolder(context), 'a.sock');
  writeFileSync(path, '');
  const flags = { host: `unix:${path}`, behindProxy: 'true', trustedProxies: '10.0.0.1' };
  assert.match(await examine(context, flags), /^problem: .*a\.sock exists and is not a socket/);
});

test('a Toponym that starts has its port for metrics already', async (context) => {
  const starting = createHttpServer((_request, response) =>
    response.writeHead(503).end('{"code":"not_ready","message":"the service is starting"}'),
  );
  const flags = { port: String(await freePort()), metricsPort: await listen(context, starting) };
  assert.match(await examine(context, flags), /^ok: .* is free$/);
});

test('a port for metrics of another program is a problem', async (context) => {
  const metricsPort = await listen(context, aClosingServer());
  const found = await examine(context, { port: String(await freePort()), metricsPort });
  assert.match(
    found,
    /^ok: .*\nproblem: .*for metrics is in use by another program;.* --metrics-port .* -> Find the program/,
  );
});

test('a Unix socket: free, or of another program', async (context) => {
  const path = join(temporaryFolder(context), 'a.sock');
  const flags = { host: `unix:${path}`, behindProxy: 'true', trustedProxies: '127.0.0.1' };
  assert.equal(await examine(context, flags), `ok: ${path} is free`);
  await listen(context, aClosingServer(), path);
  assert.match(await examine(context, flags), /^problem: The Unix socket .* is in use by another program/);
});

test('the server of an index at a URL has the file, redirects to it, or neither', async (context) => {
  const port = await listen(
    context,
    createHttpServer(({ url = '', headers }, response) => {
      assert.equal(headers.range, 'bytes=0-0');
      const target = /^\/to\/(.*)\?/.exec(url)?.[1];
      if (target !== undefined) response.writeHead(302, { location: decodeURIComponent(target) }).end();
      else response.writeHead(url.startsWith('/a.toponym') ? 206 : 404).end();
    }),
  );
  const at = async (file: string) => {
    const index = `http://user:secret@127.0.0.1:${port}/${file}?signature=secret`;
    return await textOf('index server', aContext(context, { env: { TOPONYM_INDEX: index } }));
  };
  assert.equal(await at('a.toponym'), `ok: http://127.0.0.1:${port}/a.toponym answers`);
  assert.match(
    await at('b.toponym'),
    /^problem: http:\/\/127\.0\.0\.1:\d+\/b\.toponym: the server answered 404 Not Found/,
  );
  assert.match(await at(`to/${encodeURIComponent('/a.toponym')}`), /^ok: .* answers$/);
  assert.match(await at(`to/${encodeURIComponent('/b.toponym')}`), /^problem: .*: the server answered 404 Not Found/);
  assert.match(
    await at(`to/${encodeURIComponent('http://example.com/')}`),
    /^problem: .*: redirected to .* must be https/,
  );
});
