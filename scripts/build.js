/**
 * Compiles packages/ to JavaScript, types and source maps in dist/, with the hash that names the index of the
 * embedded data, and bundles the page in web/dist. The published package has both.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeHash } from 'toponym-gazetteer/datasets/embedded-index';
import { ensurePage } from '../web/build.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true }); // with the files of sources that no longer exist
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
// the element has the types of browsers, and everything else those of Node.js
const statuses = ['tsconfig.build.json', 'tsconfig.element.json'].map(
  (project) =>
    spawnSync(process.execPath, [compiler, '--project', project], { cwd: root, stdio: 'inherit' }).status ?? 1,
);
moveSources();
for (const file of globSync('**/*.{js,d.ts}', { cwd: dist })) makeRelative(file);
writeFileSync(join(dist, 'gazetteer', 'datasets', 'code-hash.json'), JSON.stringify(codeHash()));
await ensurePage();
process.exitCode = Math.max(...statuses);

/** dist/engine/src/ becomes dist/engine/. */
function moveSources() {
  for (const name of readdirSync(dist)) {
    const moved = join(dist, `${name}.src`);
    renameSync(join(dist, name, 'src'), moved);
    rmSync(join(dist, name), { recursive: true });
    renameSync(moved, join(dist, name));
  }
}

/**
 * Imports of our own packages become paths: the published package has no other one in it.
 * @param {string} file from dist/
 */
function makeRelative(file) {
  const path = join(dist, file);
  const text = readFileSync(path, 'utf8');
  const pathTo = (/** @type {string} */ target) => {
    const found = relative(dirname(file), target).replaceAll('\\', '/');
    return found.startsWith('.') ? found : `./${found}`;
  };
  const changed = text
    .replaceAll(/(["'])toponym-(\w+)\/([\w./-]+)\1/g, (_all, quote, name, rest) => {
      const folder = name === 'program' ? 'toponym' : name;
      return `${quote}${pathTo(posix.join(folder, rest))}.js${quote}`;
    })
    .replaceAll(/(["'])(?:\.\.\/)+(client)\/src\/([\w./-]+)\1/g, (_all, quote, name, rest) => {
      return `${quote}${pathTo(posix.join(name, rest))}${quote}`;
    });
  if (changed !== text) writeFileSync(path, changed);
}
