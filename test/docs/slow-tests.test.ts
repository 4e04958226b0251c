import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Starting processes, and reading the embedded data or the index built from them. */
const SLOW_IMPORTS = ['node:child_process', 'src/sources/embedded.ts', 'test/support/built-index.ts'];

test('only tests named *.slow.test.ts or *.outside.test.ts start processes or read the embedded data', () => {
  const fast = globSync('test/**/*.test.ts', { cwd: root }).filter((file) => !/\.(slow|outside)\.test\.ts$/.test(file));
  assert.ok(fast.length > 50);
  const slow = fast.map((file) => pathToSlowImport(file)).filter((path) => path !== undefined);
  assert.deepEqual(slow, [], 'rename these files to *.slow.test.ts, or move the tests that need the import');
});

/** The chain of imports from a test file through files of test/ to one of SLOW_IMPORTS. */
function pathToSlowImport(file: string, visited = new Set<string>()): string | undefined {
  if (SLOW_IMPORTS.includes(file)) return file;
  if (visited.has(file) || !file.startsWith('test/')) return undefined;
  visited.add(file);
  for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)) {
    const imported = name.startsWith('.') ? join(dirname(file), name) : name;
    const rest = pathToSlowImport(imported, visited);
    if (rest !== undefined) return `${file} -> ${rest}`;
  }
  return undefined;
}
