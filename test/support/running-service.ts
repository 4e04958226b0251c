/**
 * `toponym serve` as a child process, as an operator runs it, with a client that trusts its certificate.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Agent, request } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { builtIndex, TEST_CACHE } from './built-index.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const PROGRAM = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

export interface CommandRun {
  readonly cwd?: string;
  /** Added to the environment. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface Call {
  readonly form?: Record<string, string>;
  /** A form body as it goes over the wire, instead of `form`. */
  readonly body?: string;
  readonly method?: string;
  readonly key?: string;
  readonly agent?: Agent;
}

export interface Answer {
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
  };
  readonly state: string;
  /** The first key. */
  readonly key: string;
  readonly log: () => string;
  call(path: string, call?: Call): Promise<Answer>;
  /** Until the log has a line with this text, or so many of them. */
  logged(part: string, times?: number): Promise<void>;
  /** Exit code and signal of the process. */
  ended(): Promise<[number | null, string | null]>;
}

export interface ServeRun {
  readonly args?: readonly string[];
  readonly state?: string;
  /** What to start instead of the program itself. */
  readonly program?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Instead of the embedded one. */
  readonly index?: string;
  /** None unless named: opening the embedded files takes time. */
  readonly ipDatabase?: string;
}

export async function runService(context: Pick<TestContext, 'after'>, run: ServeRun = {}): Promise<RunningService> {
  const state = run.state ?? join(temporaryFolder(context), 'state');
  const [command = process.execPath, ...words] = run.program ?? [process.execPath, PROGRAM];
  const fixed = [
    'serve',
    '--json',
    '--port',
    '0',
    '--state',
    state,
    '--index',
    run.index ?? (await builtIndex()),
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
  const lines: string[] = [];
  const errors = createInterface({ input: child.stderr });
  errors.on('line', (line) => lines.push(line));
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exit.then(() => Promise.reject(new Error(`serve ended:\n${lines.join('\n')}`))),
  ]);
  const ready = JSON.parse(line as string) as RunningService['ready'];
  const key = readFileSync(join(state, 'first-key.txt'), 'utf8').trim();
  return {
    child,
    ready,
    state,
    key,
    log: () => lines.join('\n'),
    call: (path, call = {}) => callOver(ready.url, state, path, { key, ...call }),
    logged: async (part, times = 1) => {
      while (lines.filter((each) => each.includes(part)).length < times) await once(errors, 'line');
    },
    ended: () => exit,
  };
}

/**
 * The environment of a program under test: without npm's variables, which tell a service that npm runs it, and without
 * settings of this machine. Port 0, so that no test depends on port 8443 being free; a cache of its own, so that tests stay
 * out of the user's.
 */
export function testEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|TOPONYM_)/.test(name));
  return { ...Object.fromEntries(kept), TOPONYM_PORT: '0', XDG_CACHE_HOME: TEST_CACHE, LOCALAPPDATA: TEST_CACHE };
}

async function callOver(url: string, state: string, path: string, call: Call): Promise<Answer> {
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
  const answer = await text(response);
  return { status: response.statusCode, headers: response.headers, body: answer, json: () => JSON.parse(answer) };
}

/** Runs a command to its end; by default in a folder that has no toponym.json. */
export async function runToponym(args: readonly string[], { cwd = FOLDER, env = {} }: CommandRun = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
    env: { ...testEnvironment(), ...env },
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, code: code as number };
}
