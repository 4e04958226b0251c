import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { testEnvironment } from './environment.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Runs the real npm in a folder, with an empty cache. */
export async function runNpm(context: TestContext, folder: string, args: readonly string[]) {
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : undefined;
  const words = npm === undefined ? ['npm'] : [process.execPath, npm];
  const [command = 'npm', ...rest] = [...words, ...args];
  const child = spawn(command, rest, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...testEnvironment(), NODE_ENV: '', npm_config_cache: temporaryFolder(context) },
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, code: code as number };
}
