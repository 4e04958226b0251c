import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const page = readFileSync(new URL('../../docs/bench.md', import.meta.url), 'utf8');
const chart = readFileSync(new URL('../../docs/bench-summary.svg', import.meta.url), 'utf8');

/** Names and figures of the engines in a table of docs/bench.md. */
function rowsOf(queryClass: string): string[][] {
  const [, rows = ''] =
    new RegExp(`^\\*\\*${queryClass}: .*\\*\\*\\n\\n.*\\n.*\\n((?:\\|.*\\n)+)`, 'm').exec(page) ?? [];
  const cells = rows
    .trim()
    .split('\n')
    .map((row) => row.split(' | '));
  return cells.filter(([name = '']) => !name.startsWith('| Toponym,'));
}

test('the chart in README.md has the figures of docs/bench.md', () => {
  const documented = ['prefix, people', '1 typo']
    .flatMap(rowsOf)
    .map(([name = '', p50, p99, , , correct]) => [name.slice(2), `${p50} / ${p99}, correct ${correct}`]);
  assert.equal(documented.length, 16);
  const drawn = [...chart.matchAll(/<text [^>]*text-anchor="end">([^<]+)<\/text>.*<text [^>]*>([^<]+)<\/text>$/gm)];
  assert.deepEqual(
    drawn.map(([, name, figures]) => [name, figures]),
    documented,
  );
});
