/** Checks of the state folder and the ports. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { stateFolderAt } from 'toponym-server/serve/state-folder';
import { freePort } from '../../../../../test/support/free-port.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { aContext, assertFindings, type Case, textOf } from './a-context.ts';

test('state folder: missing, a file, on a network, or open to other users', async (context) => {
  const doctor = aContext(context);
  const { path, firstKeyPath } = doctor.state;
  const found = (changes = {}) => textOf('state folder', { ...doctor, ...changes });
  const withMode = (mode: number) => {
    chmodSync(path, mode);
    return found();
  };
  assert.match(await found(), /^ok: .* does not exist yet/);
  const file = join(temporaryFolder(context), 'file');
  writeFileSync(file, '', { mode: 0o700 });
  for (const folder of [file, join(file, 'state')]) {
    const state = stateFolderAt(folder);
    assert.match(await found({ state }), /^problem: .* cannot be written: not a folder -> .* --state/);
  }
  mkdirSync(path);
  assert.equal(await withMode(0o700), `ok: ${path} can be written`);
  assert.match(
    await found({ fileSystemOf: () => 0x6969 }),
    /^problem: .* is on a network file system.* -> Choose a local disk/m,
  );
  assert.match(await withMode(0o777), /^problem: .*may use .* -> Run: chmod 700 /m);
  writeFileSync(firstKeyPath, 'tpk_');
  chmodSync(firstKeyPath, 0o644); // whatever the umask
  assert.match(await withMode(0o700), /^problem: .*first-key\.txt -> Run: chmod 600 /m);
});

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

function aServerThatSays(status: number, body: string): Server {
  return createHttpServer((_request, response) => response.writeHead(status).end(body));
}

const proxied = { behindProxy: 'true', trustedProxies: '10.0.0.1' };

test('ports: free, of another program, perhaps of this service, or at an address of another machine', async (context) => {
  const [free, taken, web, starting] = [
    String(await freePort()),
    await listen(context, aClosingServer()),
    await listen(context, aServerThatSays(200, '{"status":"fine"}')),
    await listen(context, aServerThatSays(503, '{"code":"not_ready","message":"the service is starting"}')),
  ];
  const cases: [flags: Record<string, string>, expected: RegExp | string][] = [
    [{ port: free }, `ok: 127.0.0.1 port ${free} is free`],
    [{ port: '0' }, 'ok: 127.0.0.1 port 0 is free'],
    [{ port: taken }, /^problem: .* is in use by another program.* -> Find the program/],
    [{ port: web, behindProxy: 'true' }, /^problem: .* is in use by another program/],
    [{ port: taken, ...proxied }, /^warning: .*perhaps by this service.* -> Set --metrics-port/],
    [{ port: taken, tlsClientCa: 'ca.pem' }, /^warning: .*perhaps by this service/],
    [
      { host: '192.0.2.1', port: '8443', ...proxied },
      'problem: 192.0.2.1 port 8443: this machine does not have that address; choose another address with --host. -> Find the program that has it (ss -ltnp), or correct --host or --port.',
    ],
    [
      { port: free, metricsHost: '192.0.2.1', metricsPort: '9464' },
      /^ok: .*\nproblem: 192\.0\.2\.1 port 9464 for metrics: this machine .* or correct --metrics-host or/,
    ],
    // a Toponym that starts has its port for metrics already
    [{ port: free, metricsPort: starting }, /^ok: .* is free$/],
    [
      { port: free, metricsPort: taken },
      /^ok: .*\nproblem: .*for metrics is in use by another program;.* --metrics-port .* -> Find the program/,
    ],
    [
      { port: free, compat: 'photon', compatListen: `http://127.0.0.1:${taken}` },
      /^ok: .*\nproblem: .* for adapters is in use by another program; .* -> .*, or correct --compat-listen\.$/,
    ],
    [
      { port: taken, compat: 'photon', compatListen: `http://localhost:${free}` },
      /^problem: .*\nok: .* for adapters is free$/,
    ],
  ];
  await assertFindings(
    context,
    'port',
    cases.map(([flags, expected]): Case => [{ flags }, expected]),
  );
});

test('Unix sockets: free, of another program, or a file in their place', async (context) => {
  const folder = temporaryFolder(context);
  const [free, taken, file] = ['free', 'taken', 'file'].map((name) => join(folder, name)) as [string, string, string];
  await listen(context, aClosingServer(), taken);
  writeFileSync(file, '');
  const at = (path: string, trustedProxies = '127.0.0.1') => ({
    flags: { host: `unix:${path}`, behindProxy: 'true', trustedProxies },
  });
  await assertFindings(context, 'port', [
    [at(free), `ok: ${free} is free`],
    [at(taken), /^problem: The Unix socket .* is in use by another program/],
    [at(file, '10.0.0.1'), /^problem: .*file exists and is not a socket/],
  ]);
});
