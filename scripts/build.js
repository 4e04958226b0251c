/**
 * Compiles src/ to JavaScript, types and source maps in dist/, and bundles the page in web/dist. The
 * published package has both.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensurePage } from '../web/build.js';

const root = fileURLToPath(new URL('..', import.meta.url));
// removes the files of sources that no longer exist
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const { status } = spawnSync(process.execPath, [compiler, '--project', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
await ensurePage();
process.exitCode = status ?? 1;
