/** Runs the program on a pseudo-terminal, which Python opens. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { PROGRAM, testEnvironment } from './environment.ts';
import { outsideProgram } from './outside-programs.ts';

const SCRIPT = fileURLToPath(new URL('on-terminal.py', import.meta.url));
const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** The tests that call `runOnTerminal` have this `skip` option. */
export const python = outsideProgram('python3');

export interface TerminalRun {
  readonly columns?: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Which streams are the terminal; both by default. */
  readonly streams?: 'both' | 'stderr';
  /** Types Ctrl-C when this text appears. */
  readonly interruptAfter?: string;
}

export async function runOnTerminal(args: readonly string[], run: TerminalRun = {}) {
  const { columns = 80, env = {}, cwd = FOLDER, streams = 'both', interruptAfter = '' } = run;
  const command = [SCRIPT, String(columns), streams, interruptAfter, process.execPath, PROGRAM, ...args];
  const child = spawn(python.path, command, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...testEnvironment(), TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', ...env },
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  // a terminal turns each line feed into a carriage return and a line feed
  return { stdout: stdout.replaceAll('\r\n', '\n'), stderr: stderr.replaceAll('\r\n', '\n'), code: code as number };
}
