/**
 * Runs a command of the command line inside the test's process, which takes milliseconds instead of
 * the second of a new process. The command gets its own output streams, environment, working folder
 * and exit code. Not for `serve`, `demo` and `doctor`, which act on their process.
 */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../../src/cli/command-line.ts';
import { testEnvironment } from './environment.ts';

const FOLDER = import.meta.dirname;
/** Commands run one after the other, because they share the process. */
let previous: Promise<unknown> = Promise.resolve();

export interface CommandRun {
  /** Working folder; by default one that has no toponym.json. */
  readonly cwd?: string;
  /** Added to the environment. */
  readonly env?: NodeJS.ProcessEnv;
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

async function runNow(args: readonly string[], { cwd = FOLDER, env = {} }: CommandRun): Promise<CommandResult> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const printed = Promise.all([text(stdout), text(stderr)]);
  const before = { env: process.env, exitCode: process.exitCode, folder: process.cwd() };
  const streams = {
    stdout: Object.getOwnPropertyDescriptor(process, 'stdout') ?? {},
    stderr: Object.getOwnPropertyDescriptor(process, 'stderr') ?? {},
  };
  Object.defineProperty(process, 'stdout', { value: stdout, configurable: true });
  Object.defineProperty(process, 'stderr', { value: stderr, configurable: true });
  process.env = { ...testEnvironment(), ...env };
  process.exitCode = undefined;
  process.chdir(cwd);
  let code: number;
  try {
    code = await run(args);
  } finally {
    Object.defineProperties(process, streams);
    process.env = before.env;
    process.exitCode = before.exitCode;
    process.chdir(before.folder);
    stdout.end();
    stderr.end();
  }
  const [output, errors] = await printed;
  return { stdout: output, stderr: errors, code };
}
