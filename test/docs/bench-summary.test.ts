import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const page = readFileSync(new URL('../../docs/bench.md', import.meta.url), 'utf8');
const chart = readFileSync(new URL('../../docs/bench-summary.svg', import.meta.url), 'utf8');

/** Names of the engines, and their figures for a class of queries, in the table of docs/bench.md. */
function figuresOf(queryClass: string): string[][] {
  const [, table = ''] = /^\*\*p50 \/ p99, correct in top 10\*\*\n\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const [columns = [], , ...rows] = table
    .trim()
    .split('\n')
    .map((row) => row.slice(2, -2).split(' | '));
  const column = columns.indexOf(queryClass);
  return rows.map((row) => [row[0] ?? '', row[column] ?? '']).filter(([name = '']) => !name.startsWith('Toponym,'));
}

test('the chart in README.md has the figures of docs/bench.md', () => {
  const documented = ['prefix, people', '1 typo']
    .flatMap(figuresOf)
    .map(([name, figures = '']) => [name, figures.replace(', ', ', correct ')]);
  assert.equal(documented.length, 16);
  const drawn = [...chart.matchAll(/<text [^>]*text-anchor="end">([^<]+)<\/text>.*<text [^>]*>([^<]+)<\/text>$/gm)];
  assert.deepEqual(
    drawn.map(([, name, figures]) => [name, figures]),
    documented,
  );
});
