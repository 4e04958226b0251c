import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Names the command in the error message. */
  readonly title?: string;
}

/** Runs a program and returns its output. Throws if it fails, with its output in the message. */
export async function runCommand(words: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { title = words.join(' '), ...spawnOptions } = options;
  const [command = '', ...args] = words;
  const child = spawn(command, args, { ...spawnOptions, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`${title} failed with exit code ${code}:\n${stdout}${stderr}`);
  return stdout;
}
