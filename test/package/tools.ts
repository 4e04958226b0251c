/** Package managers, checkers, runtimes and widgets for the tests of the published package. */
import { join } from 'node:path';
import { toolsOf } from '../support/installed-tools.ts';

export const TOOLS = toolsOf('package');
const BUN_PACKAGE = `@oven/bun-linux-${process.arch === 'arm64' ? 'aarch64' : 'x64'}`;
export const BUN = join(TOOLS.packages, BUN_PACKAGE, 'bin', 'bun');
export const DENO = join(TOOLS.packages, `@deno/linux-${process.arch}-glibc`, 'deno');

/** The `skip` option of tests that use the tools: false, or the reason. */
export const skipsTools = ['linux-x64', 'linux-arm64'].includes(`${process.platform}-${process.arch}`)
  ? false
  : `there are no packages of the runtimes for ${process.platform}-${process.arch}`;

/** Node.js of another major version than the one that runs the tests. */
export function nodePath(major: 18 | 20 | 26): string {
  return join(TOOLS.packages, `node-${major}-linux-${process.arch}`, 'bin', 'node');
}
