/**
 * Package managers, checkers, runtimes and widgets for the tests of the published package. They are a
 * package of their own (tools/package.json), installed at first use, because only these tests need
 * them and they have 590 MB.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TEST_CACHE } from '../support/environment.ts';
import { installTools as installToolsInto } from '../support/installed-tools.ts';

const MANIFESTS = fileURLToPath(new URL('tools', import.meta.url));
const FOLDER = join(TEST_CACHE, 'package-tools');
const BUN_PACKAGE = `@oven/bun-linux-${process.arch === 'arm64' ? 'aarch64' : 'x64'}`;
const DENO_PACKAGE = `@deno/linux-${process.arch}-glibc`;
/** Platforms for which tools/package.json has the runtimes. */
const PLATFORMS = ['linux-x64', 'linux-arm64'];

/** The `skip` option of tests that use the tools: false, or the reason. */
export const skipsTools = PLATFORMS.includes(`${process.platform}-${process.arch}`)
  ? false
  : `there are no packages of the runtimes for ${process.platform}-${process.arch}`;

/** Installs the tools if they are missing or outdated. */
export async function installTools(): Promise<void> {
  await installToolsInto(MANIFESTS, FOLDER);
}

/** The path of a command of the tools, such as `pnpm`. */
export function toolPath(command: string): string {
  return join(FOLDER, 'node_modules', '.bin', command);
}

/** Node.js of another major version than the one that runs the tests. */
export function nodePath(major: 20 | 26): string {
  return join(FOLDER, 'node_modules', `node-${major}-linux-${process.arch}`, 'bin', 'node');
}

export const DENO = join(FOLDER, 'node_modules', DENO_PACKAGE, 'deno');
export const BUN = join(FOLDER, 'node_modules', BUN_PACKAGE, 'bin', 'bun');
/** For `createRequire`, to import a tool. */
export const TOOLS_MANIFEST = join(FOLDER, 'package.json');
