import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { testEnvironment } from '../support/environment.ts';

/** The TypeScript compiler. */
export const TSC = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));

/** Runs a command to its end. Throws if it fails. Returns its standard output. */
export async function runCommand(cwd: string, command: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await tryCommand(cwd, command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/** Runs a command to its end, whatever its exit code. */
export async function tryCommand(cwd: string, command: string, args: readonly string[]) {
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm of the surrounding `npm test` must not configure the command
    env: { ...testEnvironment(), NODE_ENV: '', NO_COLOR: '1' },
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, stdout, stderr };
}
