/** What files may import: the directions of the map in ARCHITECTURE.md, and nothing slow in fast tests. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What each folder of src/ may import from other folders. `cli` may import everything. */
const ALLOWED: Readonly<Record<string, string>> = {
  place: 'node',
  text: '',
  collections: '',
  errors: 'node',
  files: 'node errors',
  fetch: 'node files errors',
  'index-file': 'node thread.ts files errors/plain-error.ts text place collections',
  sources: 'node index-file/layout.ts files errors text place collections',
  build: 'node release-heap.ts thread.ts index-file text place collections',
  engine: 'index-file text place collections',
  'options.ts': 'place engine',
  locate: 'node files errors access/address.ts place',
  access: 'node files errors place collections',
  http: 'node engine/engine.ts index-file/data-age.ts options.ts access text place collections',
  mcp: 'node options.ts program.ts client place',
  compat: 'engine/engine.ts index-file/data-age.ts options.ts http access place text errors',
  serve: 'node release-heap.ts thread.ts compat http engine access locate index-file files place errors collections',
  datasets: 'node program.ts release-heap.ts thread.ts sources build fetch index-file files place errors collections',
  geocode: 'node thread.ts engine sources files errors place',
  library: 'node node-version.js engine options.ts datasets index-file place',
  client: '',
  'program.ts': 'node',
  'release-heap.ts': 'node',
  'thread.ts': 'node',
  'node-version.js': 'node',
};

test('the folders of src/ import only those that the map in ARCHITECTURE.md allows', () => {
  const files = globSync('src/**/*.{ts,js}', { cwd: root }).filter((file) => !file.startsWith('src/cli/'));
  assert.ok(files.length > 200);
  const wrong = files.flatMap((file) => {
    const folder = topOf(file);
    const allowed = ALLOWED[folder]?.split(' ') ?? [];
    const isAllowed = (path: string) =>
      path.startsWith('node:')
        ? allowed.includes('node')
        : [folder, ...allowed].some((name) => path === `src/${name}` || path.startsWith(`src/${name}/`));
    const imported = importsOf(file).filter((path) => path.startsWith('src/') || path.startsWith('node:'));
    return imported.filter((path) => !isAllowed(path)).map((path) => `${file} -> ${path}`);
  });
  assert.deepEqual(wrong, []);
});

/** The folder of src/ in which a file is, or the file if it is in none. */
function topOf(file: string): string {
  return file.split('/')[1] ?? '';
}

/** Starting processes, and reading the embedded data or the index built from it. */
const SLOW_IMPORTS = ['node:child_process', 'src/sources/embedded/embedded.ts', 'test/support/built-index.ts'];

test('only tests named *.slow.test.ts or *.outside.test.ts start processes or read the embedded data', () => {
  const fast = globSync('test/**/*.test.ts', { cwd: root }).filter((file) => !/\.(slow|outside)\.test\.ts$/.test(file));
  assert.ok(fast.length > 50);
  const missing = SLOW_IMPORTS.filter((path) => path.endsWith('.ts') && !existsSync(join(root, path)));
  assert.deepEqual(missing, []);
  const slow = fast.map((file) => pathToSlowImport(file)).filter((path) => path !== undefined);
  assert.deepEqual(slow, [], 'rename these files to *.slow.test.ts, or move the tests that need the import');
});

/** The chain of imports from a test file through files of test/ to one of SLOW_IMPORTS. */
function pathToSlowImport(file: string, visited = new Set<string>()): string | undefined {
  if (SLOW_IMPORTS.includes(file)) return file;
  if (visited.has(file) || !file.startsWith('test/')) return undefined;
  visited.add(file);
  for (const imported of importsOf(file)) {
    const rest = pathToSlowImport(imported, visited);
    if (rest !== undefined) return `${file} -> ${rest}`;
  }
  return undefined;
}

/** What a file imports: paths from the root of the project, or names of modules. */
function importsOf(file: string): string[] {
  const names = readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import|import\() ?'([^']+)'/g);
  return Array.from(names, ([, name = '']) => (name.startsWith('.') ? join(dirname(file), name) : name));
}
