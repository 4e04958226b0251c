/** Runs `toponym serve` as a child process, with a client that trusts its certificate. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { type Agent, request } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { builtIndex } from './built-index.ts';
import { type CommandResult, runCommand } from './command.ts';
import { withDeadline } from './deadline.ts';
import { PROGRAM, testEnvironment } from './environment.ts';
import { smallIndex } from './index-version.ts';
import { oncePerRun } from './once-per-run.ts';
import { OutputLines } from './output-lines.ts';
import { temporaryFolder } from './temporary-folder.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const UNLIMITED = ['--per-minute', 'unlimited'];

export interface CommandRun {
  readonly cwd?: string;
  /** Added to the environment. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface Call {
  readonly form?: Record<string, string>;
  /** An encoded form body, instead of `form`. */
  readonly body?: string;
  readonly method?: string;
  readonly key?: string;
  readonly agent?: Agent;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever fields they expect
  json(): any;
}

export interface RunningService {
  readonly child: ChildProcess;
  readonly ready: {
    readonly url: string;
    readonly pid: number;
    readonly version: string;
    readonly metricsUrl?: string;
    readonly compatUrl?: string;
  };
  readonly state: string;
  /** The first key; empty if another machine has created it. */
  readonly key: string;
  readonly log: () => string;
  call(path: string, call?: Call): Promise<ServiceResponse>;
  /** Waits until `times` lines of the log (default 1) contain this text. */
  logged(part: string, times?: number): Promise<void>;
  /** Exit code and signal of the process. */
  ended(): Promise<[number | null, string | null]>;
}

export interface ServeRun {
  readonly args?: readonly string[];
  /** State folder; by default a new one that has a certificate, so that none must be created. */
  readonly state?: string;
  /** Command to run instead of the program itself. */
  readonly program?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Index file, unless `env` has TOPONYM_INDEX; the embedded index by default. */
  readonly index?: string;
  /** Whether the service finds its index without `--index`. */
  readonly isIndexDefault?: boolean;
  /** `none` by default, because the embedded files take long to read. */
  readonly ipDatabase?: string;
}

export async function runService(context: Pick<TestContext, 'after'>, run: ServeRun = {}): Promise<RunningService> {
  const state = run.state ?? (await stateWithCertificate(context));
  const [command = process.execPath, ...words] = run.program ?? [process.execPath, PROGRAM];
  const hasIndexFlag = !run.isIndexDefault && run.env?.TOPONYM_INDEX === undefined;
  const fixed = [
    'serve',
    '--json',
    '--port',
    '0',
    '--state',
    state,
    ...(hasIndexFlag ? ['--index', run.index ?? (await builtIndex())] : []),
    '--ip-database',
    run.ipDatabase ?? 'none',
  ];
  const args = [...words, ...fixed, '--log-level', 'info', ...(run.args ?? [])];
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...testEnvironment(), ...run.env },
  });
  context.after(() => child.kill('SIGKILL'));
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  const output = new OutputLines(child.stderr);
  const readyLine = Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exit.then(() => Promise.reject(new Error(`the service exited:\n${output.text}`))),
  ]);
  const [line] = await withDeadline('the service is ready', readyLine);
  const ready = JSON.parse(line as string) as RunningService['ready'];
  const keyFile = join(state, 'first-key.txt');
  const key = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : '';
  return {
    child,
    ready,
    state,
    key,
    log: () => output.text,
    call: (path, call = {}) => callOver(ready.url, state, path, { key, ...call }),
    logged: (part, times) => output.contains(part, times),
    ended: () => exit,
  };
}

/** Runs a service with one thread on the small index, unless `run` says otherwise. */
export async function runSmallService(
  context: Pick<TestContext, 'after'>,
  { args = [], ...run }: ServeRun = {},
): Promise<RunningService> {
  return await runService(context, { index: await smallIndex(), ...run, args: ['--threads', '1', ...args] });
}

/**
 * Runs `serve` with settings that it refuses, inside this process, which takes milliseconds. For
 * test files that have a process of their own.
 */
export async function refusedStart(args: readonly string[], run: CommandRun = {}): Promise<CommandResult> {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  const before = signals.map((signal) => process.listeners(signal));
  const database = args.includes('--ip-database') ? [] : ['--ip-database', 'none'];
  const result = await runCommand(['serve', ...database, ...args], run);
  signals.forEach((signal, i) => {
    for (const added of process.listeners(signal).filter((listener) => !before[i]?.includes(listener)))
      process.off(signal, added);
  });
  return result;
}

/** A new state folder with a certificate, so that the service need not create one. */
export async function stateWithCertificate(context: Pick<TestContext, 'after'>): Promise<string> {
  const shared = await oncePerRun('state', async (folder) => {
    const { ensureCertificate } = await import('toponym-server/serve/tls/certificate');
    await ensureCertificate(folder, new Date());
  });
  const state = join(temporaryFolder(context), 'state');
  mkdirSync(state, { mode: 0o700 });
  cpSync(join(shared, 'tls'), join(state, 'tls'), { recursive: true });
  return state;
}

/** Calls a service that trusts the certificate in this state folder. */
export async function callOver(url: string, state: string, path: string, call: Call): Promise<ServiceResponse> {
  const body = call.body ?? (call.form && new URLSearchParams(call.form).toString());
  const headers = {
    'x-service-key': call.key ?? '',
    ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
  };
  const sent = request(new URL(path, url), {
    method: call.method ?? 'POST',
    ca: readFileSync(join(state, 'tls', 'cert.pem')),
    agent: call.agent ?? false,
    headers,
  });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const received = await text(response);
  return { status: response.statusCode, headers: response.headers, body: received, json: () => JSON.parse(received) };
}

/** Creates a key without a rate limit for a running service, unless `args` set one. */
export async function createKey(
  { state }: Pick<RunningService, 'state'>,
  args: readonly string[] = [],
  run: (args: readonly string[]) => Promise<CommandResult> = runCommand,
): Promise<{ readonly id: string; readonly key: string }> {
  const fixed = ['keys', 'create', '--label', 'test', '--json', '--state', state];
  const { stdout } = await run([...fixed, ...(args.includes('--per-minute') ? [] : UNLIMITED), ...args]);
  return JSON.parse(stdout);
}

/** Runs a command until it exits; by default in a folder that has no toponym.json. */
export async function runToponym(args: readonly string[], { cwd = FOLDER, env = {} }: CommandRun = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
    env: { ...testEnvironment(), ...env },
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, code: code as number };
}
