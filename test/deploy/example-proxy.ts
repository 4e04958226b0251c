/** Runs a real proxy from an example of deploy/proxies, with other ports, names and paths. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ensureCertificate } from 'toponym-server/serve/tls/certificate';
import { waitUntil } from '../support/deadline.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export interface ExampleProxy {
  readonly url: string;
  /** Certificate that clients trust. */
  readonly ca: string;
  readonly pid: number;
  /** What the proxy has printed so far. */
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

export interface ProxyFiles {
  readonly folder: string;
  readonly cert: string;
  readonly key: string;
  /** Certificate and key in one file. */
  readonly pem: string;
  readonly port: number;
  readonly adminPort: number;
}

export interface ProxyExample {
  /** File of deploy/proxies. */
  readonly file: string;
  readonly program: string;
  /** User that runs the proxy; the user of the tests by default. */
  readonly user?: number;
  readonly args: (config: string, files: ProxyFiles) => readonly string[];
  /** Texts of the example and their replacements. Each text must occur exactly once. */
  readonly replacements: (files: ProxyFiles) => readonly (readonly [string, string])[];
}

/** Starts the proxy on a free port. `servicePort` replaces the port of the service. */
export async function runExample(
  context: TestContext,
  example: ProxyExample,
  servicePort: number,
): Promise<ExampleProxy> {
  const folder = temporaryFolder(context);
  const { cert, key } = await ensureCertificate(folder, new Date());
  const pem = join(folder, 'both.pem');
  writeFileSync(pem, `${cert}\n${key}`, { mode: 0o600 });
  const paths = { cert: join(folder, 'tls', 'cert.pem'), key: join(folder, 'tls', 'key.pem') };
  const files = { folder, ...paths, pem, port: await freePort(), adminPort: await freePort() };
  const text = readFileSync(new URL(`../../deploy/proxies/${example.file}`, import.meta.url), 'utf8');
  const config = join(folder, example.file);
  writeFileSync(config, replaceAll(withServicePort(text, servicePort), example.replacements(files)));

  const { uid, gid } = giveTo(folder, example.user);
  const child = spawn(example.program, example.args(config, files), {
    uid,
    gid,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const closed = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await closed;
  };
  context.after(stop);
  await waitUntil(`${example.program} listens`, async () => {
    if (child.exitCode !== null) throw new Error(`${example.program} exited:\n${output}`);
    return await canConnect(files.port);
  });
  return { url: `https://127.0.0.1:${files.port}`, ca: cert, pid: child.pid ?? 0, output: () => output, stop };
}

/** Gives the folder to the user. Only root can, so other users run the proxy themselves. */
function giveTo(folder: string, user: number | undefined): { uid?: number; gid?: number } {
  if (user === undefined || process.getuid?.() !== 0) return {};
  for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    chownSync(join(folder, name), user, user);
  }
  return { uid: user, gid: user };
}

function withServicePort(text: string, port: number): string {
  // the command in the first lines stays as it is
  const changed = text.replaceAll(/127\.0\.0\.1:(8080|8443)/g, `127.0.0.1:${port}`);
  if (changed === text) throw new Error('the example names no service');
  return changed;
}

function replaceAll(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((result, [from, to]) => {
    const parts = result.split(from);
    if (parts.length !== 2) throw new Error(`${JSON.stringify(from)} occurs ${parts.length - 1} times, not once`);
    return parts.join(to);
  }, text);
}

/** Whether a program listens on this port of 127.0.0.1. */
export async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  const isConnected = await promise;
  socket.destroy();
  return isConnected;
}
