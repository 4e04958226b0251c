/**
 * Makes packages/client/dist, the package `toponym-client`, from its sources: the modules that its exports name,
 * bundled and minified, and the types that they need. Node.js 18 runs them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = join(ROOT, 'packages', 'client');
const DIST = join(PACKAGE, 'dist');
const { exports } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
/** Such as `autocomplete`. */
const modules = new Set(
  Object.values(exports).flatMap(({ default: path = '' }) => /dist\/(.*)\.js/.exec(path)?.[1] ?? []),
);

rmSync(DIST, { recursive: true, force: true }); // with the files of sources that no longer exist
await build({
  absWorkingDir: join(PACKAGE, 'src'),
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
const types = mkdtempSync(join(tmpdir(), 'toponym-client-types-'));
try {
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '--project', PACKAGE, '--noEmit', 'false', '--outDir', types];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
  for (const module of modules) copyTypes(`${module}.d.ts`);
} finally {
  rmSync(types, { recursive: true });
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
