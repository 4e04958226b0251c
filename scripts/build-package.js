/**
 * Makes dist/ of a published package, from its folder: `node …/build-package.js WORKSPACE`. The modules that the
 * package's exports name are bundled from the sources of the workspace, with the packages that it uses and their
 * licences, and minified. The types that they need are copied.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WORKSPACE = resolve(process.argv[2] ?? '.');
const DIST = resolve('dist');
const LICENCES = ['LICENSE', 'THIRD_PARTY_LICENSES.md'];
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const { dependencies = {} } = JSON.parse(readFileSync(join(WORKSPACE, 'package.json'), 'utf8'));
/** Such as `autocomplete`. */
const modules = new Set(
  Object.values(exports).flatMap(({ default: path = '' }) => /dist\/(.*)\.js/.exec(path)?.[1] ?? []),
);

rmSync(DIST, { recursive: true, force: true }); // with the files of sources that no longer exist
await build({
  absWorkingDir: join(WORKSPACE, 'src'),
  entryPoints: Array.from(modules, (module) => `${module}.ts`),
  outbase: '.',
  outdir: DIST,
  chunkNames: 'shared-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8', // as it is, because escapes take three times as much
  logLevel: 'warning',
});
const texts = Object.keys(dependencies).flatMap((name) => [name, ...licencesOf(join(ROOT, 'node_modules', name))]);
if (texts.length > 0) writeFileSync(join(DIST, 'licences.txt'), texts.join('\n\n'));
const types = mkdtempSync(join(tmpdir(), 'toponym-types-'));
try {
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '--project', WORKSPACE, '--noEmit', 'false', '--outDir', types];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
  for (const module of modules) copyTypes(`${module}.d.ts`);
} finally {
  rmSync(types, { recursive: true });
}

/** @param {string} folder */
function licencesOf(folder) {
  return LICENCES.map((name) => join(folder, name))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));
}

/**
 * Copies a file of types without its header comment, and those that it imports.
 * @param {string} file
 */
function copyTypes(file) {
  const target = join(DIST, file);
  if (existsSync(target)) return;
  const text = readFileSync(join(types, file), 'utf8')
    .replaceAll(/ {4}/g, '\t')
    .replace(/^\/\*\*.*?\*\/\n(?=import )/s, '');
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  for (const [, path = ''] of text.matchAll(/from '(\..*)\.ts'/g)) copyTypes(join(dirname(file), `${path}.d.ts`));
}
