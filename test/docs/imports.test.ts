/** What files may import: what ARCHITECTURE.md says and npm does not enforce, and nothing slow in fast tests. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packages = readdirSync(join(root, 'packages'));

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

function dependenciesOf(manifest: Manifest): Readonly<Record<string, string>> {
  return { ...manifest.dependencies, ...manifest.optionalDependencies };
}

for (const name of packages) {
  const folder = `packages/${name}`;
  const files = globSync(`${folder}/src/**/*.{ts,js}`, { cwd: root });

  test(`${folder} imports only what its manifest lists, and lists only what it imports`, () => {
    assert.ok(files.length > 0);
    const listed = dependenciesOf(manifestOf(folder));
    const imported = files.flatMap((file) => importsOf(file).map((path) => ({ file, path })));
    // the client has no dependencies, and its manifest describes what is published: the program imports its sources
    const isOfClient = (path: string) => name === 'toponym' && path.startsWith('packages/client/src/');
    const wrong = imported.filter(
      ({ path }) =>
        !(path.startsWith(`${folder}/`) || path.startsWith('node:') || isOfClient(path) || packageOf(path) in listed),
    );
    assert.deepEqual(wrong, []);
    const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    assert.deepEqual(
      Object.keys(listed).filter((each) => !text.includes(`'${each}`)),
      [],
    );
  });
}

/** `toponym-engine` of `toponym-engine/text/fold`, `@redis/client` of itself. */
function packageOf(path: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
}

test('the published package has the dependencies of all packages, in the same versions', () => {
  const all = packages.map((name) => dependenciesOf(manifestOf(`packages/${name}`)));
  const outside = all.flatMap((listed) => Object.entries(listed).filter(([each]) => !each.startsWith('toponym-')));
  const sorted = (entries: readonly (readonly [string, string])[]) =>
    Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  assert.deepEqual(sorted(outside), sorted(Object.entries(dependenciesOf(manifestOf('.')))));
});

/** Folders that are below others of their package, with those that they may import. The others have no order. */
const LOWER: Readonly<Record<string, readonly string[]>> = {
  'engine/src/place': [],
  'engine/src/text': [],
  'engine/src/collections': [],
  'engine/src/index-file': ['place', 'text', 'collections'],
  'gazetteer/src/fetch': [],
  'gazetteer/src/sources': [],
  'gazetteer/src/build': [],
  'server/src/http': [],
  'server/src/locate': [],
  'server/src/compat': ['http'],
};

test('folders import no folder above them', () => {
  const wrong = Object.entries(LOWER).flatMap(([folder, allowed]) => {
    const base = `packages/${dirname(folder)}/`;
    const files = globSync(`packages/${folder}/**/*.ts`, { cwd: root });
    assert.ok(files.length > 0, folder);
    const isAllowed = (path: string) =>
      !path.startsWith(base) ||
      [folder.slice(folder.lastIndexOf('/') + 1), ...allowed].some((name) => path.startsWith(`${base}${name}/`));
    return files.flatMap((file) =>
      importsOf(file)
        .filter((path) => !isAllowed(path))
        .map((path) => `${file} -> ${path}`),
    );
  });
  assert.deepEqual(wrong, []);
});

test('no files import each other in a circle', () => {
  const files = new Set(
    globSync('{packages/*/src,web/src,web/static,bench,faults,scripts}/**/*.{ts,js}', { cwd: root }),
  );
  assert.ok(files.size > 400);
  const circles: string[] = [];
  const visited = new Set<string>();
  const visit = (file: string, importers: readonly string[]) => {
    const start = importers.indexOf(file);
    if (start !== -1) circles.push([...importers.slice(start), file].join(' -> '));
    if (visited.has(file)) return;
    visited.add(file);
    for (const path of importsOf(file).map(sourceOf)) if (files.has(path)) visit(path, [...importers, file]);
  };
  for (const file of files) visit(file, []);
  assert.deepEqual(circles, []);
});

/** The file of `toponym-engine/text/fold`. */
function sourceOf(path: string): string {
  return path.replace(/^toponym-(\w+)\/(.*)/, (_, name, rest) => {
    return `packages/${name === 'program' ? 'toponym' : name}/src/${rest}.ts`;
  });
}

/** Starting processes, and reading the embedded data or the index built from it. */
const SLOW_IMPORTS = [
  'node:child_process',
  'packages/gazetteer/src/sources/embedded/embedded.ts',
  'test/support/built-index.ts',
];

test('only tests named *.slow.test.ts or *.outside.test.ts start processes or read the embedded data', () => {
  const fast = globSync('{packages/*/test,test}/**/*.test.ts', { cwd: root }).filter(
    (file) => !/\.(slow|outside)\.test\.ts$/.test(file),
  );
  assert.ok(fast.length > 50);
  const missing = SLOW_IMPORTS.filter((path) => path.endsWith('.ts') && !existsSync(join(root, path)));
  assert.deepEqual(missing, []);
  const slow = fast.map((file) => pathToSlowImport(file)).filter((path) => path !== undefined);
  assert.deepEqual(slow, [], 'rename these files to *.slow.test.ts, or move the tests that need the import');
});

/** The chain of imports from a test file through files of test/ to one of SLOW_IMPORTS. */
function pathToSlowImport(file: string, visited = new Set<string>()): string | undefined {
  if (SLOW_IMPORTS.includes(file)) return file;
  if (visited.has(file) || !/^(packages\/\w+\/)?test\//.test(file)) return undefined;
  visited.add(file);
  for (const imported of importsOf(file)) {
    const rest = pathToSlowImport(imported, visited);
    if (rest !== undefined) return `${file} -> ${rest}`;
  }
  return undefined;
}

/** What a file imports: paths from the root of the project, or names of modules. */
function importsOf(file: string): string[] {
  const names = readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import|import\() ?'([@\w./-]+)'/g);
  return Array.from(names, ([, name = '']) => (name.startsWith('.') ? join(dirname(file), name) : name));
}
