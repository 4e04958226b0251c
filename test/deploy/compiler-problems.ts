/** Checks data by types of a package: the TypeScript compiler refuses unknown fields in a typed constant. */
import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const TSC = join(NODE_MODULES, 'typescript', 'bin', 'tsc');
const OPTIONS = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--pretty', 'false'];

/** The compiler's messages about modules, which are given by name. It takes a second per call. */
export async function compilerProblems(
  context: TestContext,
  modules: Readonly<Record<string, string>>,
): Promise<string[]> {
  const folder = temporaryFolder(context);
  symlinkSync(NODE_MODULES, join(folder, 'node_modules'));
  const files = Object.entries(modules).map(([name, code]) => {
    writeFileSync(join(folder, `${name}.mts`), code);
    return `${name}.mts`;
  });
  try {
    await promisify(execFile)(process.execPath, [TSC, ...OPTIONS, ...files], { cwd: folder });
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.split('\n').filter((line) => /^\S/.test(line));
  }
}
