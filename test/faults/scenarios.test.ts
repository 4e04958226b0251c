import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const names = globSync('faults/scenarios/*.ts', { cwd: root }).map((file) => basename(file, '.ts'));

test('every scenario is in the list and has the name of its file', () => {
  const list = readFileSync(`${root}/faults/scenarios.ts`, 'utf8');
  assert.ok(names.length > 10);
  for (const name of names) {
    assert.ok(list.includes(`'./scenarios/${name}.ts'`), name);
    assert.ok(readFileSync(`${root}/faults/scenarios/${name}.ts`, 'utf8').includes(`name: '${name}'`), name);
  }
});

test('faults/results.md has the results of every scenario', () => {
  const page = readFileSync(`${root}/faults/results.md`, 'utf8');
  for (const name of names) assert.ok(page.includes(`\n## ${name}\n`), name);
});
