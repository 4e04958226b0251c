/** Runs `toponym serve` as a child process, for sections that measure the whole service. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { type Agent, request } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const PROGRAM = fileURLToPath(new URL('../packages/toponym/src/cli/main.js', import.meta.url));

export interface Service {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ServiceState {
  readonly folder: string;
  /** API key without a rate limit. */
  readonly key: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** Creates a state folder with a certificate and a key by starting the service once. */
export async function createState(folder: string, indexFile: string): Promise<ServiceState> {
  const state = mkdtempSync(join(folder, 'state-'));
  const service = await startService(state, indexFile);
  await service.stop();
  const args = ['keys', 'create', '--state', state, '--label', 'bench', '--per-minute', 'unlimited', '--json'];
  const { key } = JSON.parse(execFileSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' })) as {
    key: string;
  };
  return { folder: state, key, certFile: join(state, 'tls', 'cert.pem'), keyFile: join(state, 'tls', 'key.pem') };
}

export async function startService(state: string, indexFile: string, args: readonly string[] = []): Promise<Service> {
  const child = spawn(
    process.execPath,
    [PROGRAM, 'serve', '--json', '--port', '0', '--state', state, '--index', indexFile, ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const { url, pid } = JSON.parse(await firstLine(child)) as { url: string; pid: number };
  return { url, pid, stop: () => stopProcess(child) };
}

export async function firstLine(child: ChildProcess): Promise<string> {
  const exit = once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnargs.join(' ')} ended with code ${code} before it was ready`);
  });
  exit.catch(() => {});
  const [line] = await Promise.race([once(createInterface({ input: child.stdout! }), 'line'), exit]);
  return line as string;
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

export interface Call {
  readonly path: string;
  /** Form fields, already encoded. */
  readonly body: string;
}

/** Returns the response body; throws unless the status is 200. */
export async function post(url: string, { path, body }: Call, options: { state: ServiceState; agent?: Agent }) {
  const { state, agent } = options;
  const sent = request(new URL(path, url), {
    method: 'POST',
    ca: readFileSync(state.certFile),
    agent: agent ?? false,
    headers: { 'x-service-key': state.key, 'content-type': 'application/x-www-form-urlencoded' },
  });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const responseBody = await text(response);
  if (response.statusCode !== 200)
    throw new Error(`POST ${path} ${body} returned ${response.statusCode}: ${responseBody}`);
  return responseBody;
}
