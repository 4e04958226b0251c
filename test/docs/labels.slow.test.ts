import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/open-engine.ts';
import { COUNTRIES_WITH_DIVISION } from '../../src/engine/page/label-countries.ts';
import { readIndexFile } from '../../src/index-file/file.ts';
import { builtIndex } from '../support/built-index.ts';

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
const engine = openEngine(readIndexFile(await builtIndex()));

test('the requests in docs/api.md return the labels next to them', () => {
  const section = page.slice(page.indexOf('### Labels'), page.indexOf('### Extent'));
  const rows = [...section.matchAll(/^\| `(query|objectID)=(.*)` \| ([^|"]+) \|$/gm)];
  assert.ok(rows.length >= 10);
  for (const [row, option, value = '', labels = ''] of rows) {
    const expected = labels.split(' · ');
    const { hits } = engine.search({ text: value, limit: 20 });
    const found = option === 'query' ? hits.map(({ label }) => label) : [engine.get(value)?.label];
    assert.deepEqual(found.slice(0, expected.length), expected, row);
  }
});

test('docs/api.md lists the countries whose labels name the first-level division', () => {
  const countryNames = new Intl.DisplayNames('en', { type: 'region' });
  for (const code of COUNTRIES_WITH_DIVISION) {
    const name = countryNames.of(code.toUpperCase()) ?? '';
    assert.match(page, new RegExp(`first-level division, in countries [^;]*\\b${name}\\b[^;]*;`), name);
  }
});
