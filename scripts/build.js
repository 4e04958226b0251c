/**
 * Compiles src/ to JavaScript, types and source maps in dist/, with the hash that names the index of the
 * embedded data, and bundles the page in web/dist. The published package has both.
 */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeHash } from '../src/datasets/embedded-index.ts';
import { ensurePage } from '../web/build.js';

const root = fileURLToPath(new URL('..', import.meta.url));
// removes the files of sources that no longer exist
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
// the element has the types of browsers, and everything else those of Node.js
const statuses = ['tsconfig.build.json', 'tsconfig.element.json'].map(
  (project) =>
    spawnSync(process.execPath, [compiler, '--project', project], { cwd: root, stdio: 'inherit' }).status ?? 1,
);
writeFileSync(new URL('../dist/datasets/code-hash.json', import.meta.url), JSON.stringify(codeHash()));
await ensurePage();
process.exitCode = Math.max(...statuses);
