/** The text that `serve` prints when it is ready, or refuses to start. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createAuthority } from '../../../../../test/support/certificate-authority.ts';
import { runCommand } from '../../../../../test/support/command.ts';
import { PROGRAM, testEnvironment } from '../../../../../test/support/environment.ts';
import { freePort } from '../../../../../test/support/free-port.ts';
import { OutputLines } from '../../../../../test/support/output-lines.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { worldIndex } from '../../../../../test/support/world-index.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));

test('the first start prints the new key; a later start prints where it is stored, and the adapters once each', async (context) => {
  const folder = temporaryFolder(context);
  const path = join(folder, 'state', 'first-key.txt');
  const first = await start(context, folder);
  const key = readFileSync(path, 'utf8').trim();
  assert.ok(first.output.includes(`  Key          ${key}\n`), first.output);
  assert.match(
    first.output,
    /^ {2}Data {9}world of 5 March 2023 \(\d[\d.]* years old\), 58 places$/m,
    'without a command, because --index is given',
  );
  assert.match(first.output, /^Open https:\/\/127\.0\.0\.1:\d+ in a browser, or call it:$/m);
  if (hasCurl) assert.equal(curl(first.output, folder).hits[0].name, 'Paris');
  await first.stop();
  const adapters = ['--compat', 'photon,photon', '--compat-listen', 'http://127.0.0.1:0'];
  const second = await start(context, folder, adapters);
  assert.ok(!second.output.includes(key), second.output);
  assert.ok(second.output.includes(`  Key          in ${path}\n`), second.output);
  assert.match(second.output, /^ {2}Adapters {5}photon, at http:\/\/127\.0\.0\.1:[1-9]\d*$/m);
  if (hasCurl) assert.equal(curl(second.output, folder).hits[0].name, 'Paris');
  await second.stop();
});

test('the printed command names a client certificate if the service asks for one', async (context) => {
  const folder = temporaryFolder(context);
  const authority = await createAuthority('Clients');
  const { cert, key } = await authority.clientPair();
  for (const [name, content] of Object.entries({ 'ca.pem': authority.cert, 'CLIENT.pem': cert, 'CLIENT.key': key }))
    writeFileSync(join(folder, name), content);
  const { output, stop } = await start(context, folder, ['--tls-client-ca', join(folder, 'ca.pem')]);
  assert.match(output, /^Try it, with a client certificate and its key instead of CLIENT\.pem and CLIENT\.key:$/m);
  assert.match(output, /^ {2}curl .* --cert CLIENT\.pem --key CLIENT\.key /m);
  if (hasCurl) assert.equal(curl(output, folder).hits[0].name, 'Paris');
  await stop();
});

test('the printed command sends a PROXY header from the loopback address that is trusted', async (context) => {
  const folder = temporaryFolder(context);
  const host = hasIpv6 ? '::' : '0.0.0.0';
  const args = ['--behind-proxy', '--host', host, '--trusted-proxies', '127.0.0.1', '--proxy-protocol'];
  const { output, stop } = await start(context, folder, args);
  assert.match(output, /^Try it:\n\n {2}curl --haproxy-protocol .* http:\/\/127\.0\.0\.1:\d+\//m);
  if (hasCurl) assert.equal(curl(output, folder).hits[0].name, 'Paris');
  await stop();
});

test('behind a proxy that is another machine, no command is printed', async (context) => {
  const args = ['--behind-proxy', '--host', '0.0.0.0', '--trusted-proxies', '10.0.0.0/8'];
  const { output, stop } = await start(context, temporaryFolder(context), args, 'Call the service through one of them');
  assert.doesNotMatch(output, /curl/);
  await stop();
});

/** Runs the printed curl command as a user would. */
function curl(output: string, cwd: string) {
  const line = /^ {2}(curl .*)$/m.exec(output)?.[1];
  assert.ok(line);
  return JSON.parse(execFileSync('/bin/sh', ['-c', `${line} --silent`], { cwd, encoding: 'utf8' }));
}

async function start(context: TestContext, cwd: string, more: readonly string[] = [], lastText = 'curl ') {
  const args = ['serve', '--port', '0', '--threads', '1', '--index', await worldIndex(), '--ip-database', 'none'];
  const child = spawn(process.execPath, [PROGRAM, ...args, ...more], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: testEnvironment(),
  });
  context.after(() => child.kill('SIGKILL'));
  const output = new OutputLines(child.stdout);
  await output.contains(lastText);
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { output: output.text, stop };
}

test('incompatible or unusable settings are refused before the service starts', async (context) => {
  const cwd = temporaryFolder(context);
  mkdirSync(join(cwd, 'sub'));
  writeFileSync(join(cwd, 'sub', 'file'), '');
  const index = ['--index', await worldIndex()];
  const port = String(await freePort());
  for (const [args, message] of [
    [['--tls-cert', 'x.pem'], /--tls-cert and --tls-key belong together/],
    [['--behind-proxy', '--host', '0.0.0.0'], /--host must be 127\.0\.0\.1, ::1 or unix:\/path/],
    [['--port', port, '--metrics-port', port], /--metrics-port \d+ is also the --port of the service/],
    [['--ip-database', 'missing.mmdb'], /missing\.mmdb cannot be read/],
    [['--state', 'sub/file'], /state folder .* cannot be written/],
  ] as const) {
    const { code, stderr } = await runCommand(['serve', '--port', '0', ...index, ...args], { cwd });
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
    assert.equal(stderr.trim().split('\n').length, 1);
  }
});
