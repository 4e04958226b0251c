/** The examples of `nbHits`, `confidence` and `bbox` in docs/api.md, over the embedded data. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/open-engine.ts';
import { readIndexFile } from '../../src/index-file/file.ts';
import { anApp } from '../http/an-app.ts';
import { builtIndex } from '../support/built-index.ts';

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');

test('every example of nbHits in docs/api.md has the documented number', async (t) => {
  const engine = openEngine(readIndexFile(await builtIndex()));
  const { post } = anApp(t, { engine: () => engine });
  const rows = [...page.matchAll(/^\| `(query=[^`]+)`.* \| (\d+) \| (`false`)? ?\|$/gm)];
  assert.ok(rows.length >= 8, `only ${rows.length} examples were found`);
  for (const [, options = '', nbHits, estimate] of rows) {
    const response = (await post('query', options)).json();
    const documented = [Number(nbHits), estimate === undefined ? undefined : false];
    assert.deepEqual([response.nbHits, response.exhaustiveNbHits], documented, options);
  }
});

test('every example of confidence in docs/api.md has the documented hit, confidence and match code', async (t) => {
  const engine = openEngine(readIndexFile(await builtIndex()));
  const { post } = anApp(t, { engine: () => engine });
  const rows = [...page.matchAll(/^\| `(query=[^`]+)`.* \| ([^|]+) \| ([\d.]+) \| `(\w+)` \|$/gm)];
  assert.ok(rows.length >= 8, `only ${rows.length} examples were found`);
  for (const [, options = '', ...documented] of rows) {
    const [hit] = (await post('query', options)).json().hits;
    assert.deepEqual([hit.label, hit.confidence.toFixed(1), hit.matchCode], documented, options);
  }
});

test('every example of bbox in docs/api.md is that of the first hit', async (t) => {
  const engine = openEngine(readIndexFile(await builtIndex()));
  const { post } = anApp(t, { engine: () => engine });
  const rows = [...page.matchAll(/^\| `(query=[^`]+)` \| `(\[.*\])` \|$/gm)];
  assert.ok(rows.length >= 3, `only ${rows.length} examples were found`);
  for (const [, options = '', bbox] of rows) {
    const [hit] = (await post('query', options)).json().hits;
    assert.equal(JSON.stringify(hit.bbox), bbox, options);
  }
});
