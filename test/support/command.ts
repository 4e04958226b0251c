/**
 * Runs a command of the command line inside the test's process, which takes milliseconds instead of
 * the second of a new process. The command gets its own output streams, environment, working folder
 * and exit code. Not for `serve`, `demo` and `doctor`, which act on their process.
 */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from 'toponym-program/cli/command-line';
import { testEnvironment } from './environment.ts';

const FOLDER = import.meta.dirname;
const TERMINAL = { TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' };
/** Commands run one after the other, because they share the process. */
let previous: Promise<unknown> = Promise.resolve();

export interface CommandRun {
  /** Working folder; by default one that has no toponym.json. */
  readonly cwd?: string;
  /** Added to the environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** Width of the terminal that the output goes to; by default it goes to pipes. */
  readonly columns?: number;
  /** Which streams are the terminal; both by default. */
  readonly streams?: 'both' | 'stderr';
}

export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

export function runCommand(args: readonly string[], options: CommandRun = {}): Promise<CommandResult> {
  const result = previous.then(() => runNow(args, options));
  previous = result.catch(() => {});
  return result;
}

/** Runs `toponym keys`, which must succeed, and returns what it prints as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests read the fields of the command they run
export async function runKeys(env: NodeJS.ProcessEnv, ...words: string[]): Promise<any> {
  const { stdout, stderr, code } = await runCommand(['keys', ...words, '--json'], { env });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function runNow(args: readonly string[], options: CommandRun): Promise<CommandResult> {
  const { cwd = FOLDER, env = {}, columns, streams = 'both' } = options;
  const isTTY = columns !== undefined;
  const stdout = Object.assign(new PassThrough(), { isTTY: isTTY && streams === 'both', columns });
  const stderr = Object.assign(new PassThrough(), { isTTY, columns });
  const printed = Promise.all([text(stdout), text(stderr)]);
  const before = {
    env: process.env,
    exitCode: process.exitCode,
    folder: process.cwd(),
    streams: Object.getOwnPropertyDescriptors(process),
  };
  Object.defineProperty(process, 'stdout', { value: stdout, configurable: true });
  Object.defineProperty(process, 'stderr', { value: stderr, configurable: true });
  process.env = { ...testEnvironment(), ...(isTTY && TERMINAL), ...env };
  process.exitCode = undefined;
  process.chdir(cwd);
  let code: number;
  try {
    code = await run(args);
  } finally {
    Object.defineProperty(process, 'stdout', before.streams.stdout);
    Object.defineProperty(process, 'stderr', before.streams.stderr);
    process.env = before.env;
    process.exitCode = before.exitCode;
    process.chdir(before.folder);
    stdout.end();
    stderr.end();
  }
  const [output, errors] = await printed;
  return { stdout: output, stderr: errors, code };
}
