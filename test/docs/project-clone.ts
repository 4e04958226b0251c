/** A copy of the project, as a newcomer has it after `npm start` has installed the dependencies. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LEFT_OUT = new Set(['.git', 'node_modules', 'state', 'dist', 'release']);

/** Returns its folder, which is removed when the test ends. */
export function projectClone(context: Pick<TestContext, 'after'>): string {
  const folder = temporaryFolder(context);
  for (const name of readdirSync(ROOT)) {
    if (!LEFT_OUT.has(name)) cpSync(join(ROOT, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
  linkPackages(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Copies node_modules, by hard links if both are in one file system. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  const entries = readdirSync(from).filter((name) => name !== '.cache');
  const paths = entries.map((name) => join(from, name));
  const isCopied = ['-al', '-af'].some((flags) => spawnSync('cp', [flags, ...paths, to]).status === 0);
  if (!isCopied) throw new Error(`${from} could not be copied to ${to}`);
}
