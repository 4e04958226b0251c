/** The examples of responses in docs/api.md, and the further ones in api-examples.md, over the embedded data. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/open-engine.ts';
import { COUNTRIES_WITH_DIVISION } from '../../src/engine/page/labels.ts';
import { readIndexFile } from '../../src/index-file/file.ts';
import { loadWorldBorders } from '../../src/place/load-world-borders.ts';
import { anApp } from '../http/an-app.ts';
import { builtIndex } from '../support/built-index.ts';

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
const furtherExamples = readFileSync(new URL('api-examples.md', import.meta.url), 'utf8');
const examples = `${page}\n${furtherExamples}`;

const engine = openEngine(readIndexFile(await builtIndex()), undefined, { loadBorders: loadWorldBorders });

test('every example of nbHits in docs/api.md has the documented number', async (t) => {
  const { post } = anApp(t, { engine: () => engine });
  const rows = [...examples.matchAll(/^\| `(query=[^`]+)`.* \| (\d+) \| (`false`)? ?\|$/gm)];
  assert.ok(rows.length >= 8, `only ${rows.length} examples were found`);
  for (const [, options = '', nbHits, estimate] of rows) {
    const response = (await post('query', options)).json();
    const documented = [Number(nbHits), estimate === undefined ? undefined : false];
    assert.deepEqual([response.nbHits, response.exhaustiveNbHits], documented, options);
  }
});

test('every example of confidence in docs/api.md has the documented hit, confidence and match code', async (t) => {
  const { post } = anApp(t, { engine: () => engine });
  const rows = [...examples.matchAll(/^\| `(query=[^`]+)`.* \| ([^|]+) \| ([\d.]+) \| `(\w+)` \|$/gm)];
  assert.ok(rows.length >= 8, `only ${rows.length} examples were found`);
  for (const [, options = '', ...documented] of rows) {
    const [hit] = (await post('query', options)).json().hits;
    const roundedDown = (Math.floor(hit.confidence * 100) / 100).toFixed(2);
    assert.deepEqual([hit.label, roundedDown, hit.matchCode], documented, options);
  }
});

test('every example of a language in docs/api.md has the documented label and matched name', async (t) => {
  const { post } = anApp(t, { engine: () => engine });
  const rows = [...examples.matchAll(/^\| `(query=[^`]+)` \| “(.+)” \| (?:“(.+)”)? ?\|$/gm)];
  assert.ok(rows.length >= 10, `only ${rows.length} examples were found`);
  for (const [, options = '', ...documented] of rows) {
    const [hit] = (await post('query', encodeURI(options))).json().hits;
    assert.deepEqual([hit.label, hit.matchedName?.value], documented, options);
  }
});

test('every example of bbox in docs/api.md is that of the first hit', async (t) => {
  const { post } = anApp(t, { engine: () => engine });
  const rows = [...examples.matchAll(/^\| `(query=[^`]+)` \| `(\[.*\])` \|$/gm)];
  assert.ok(rows.length >= 3, `only ${rows.length} examples were found`);
  for (const [, options = '', bbox] of rows) {
    const [hit] = (await post('query', options)).json().hits;
    assert.equal(JSON.stringify(hit.bbox), bbox, options);
  }
});

test('every example of reverse in docs/api.md has the documented country and labels', async (t) => {
  const { post } = anApp(t, { engine: () => engine });
  const rows = [...examples.matchAll(/^\| `(aroundLatLng=[^`]+)` \| (?:`(.+)`)? ?\| (.+) \|$/gm)];
  assert.ok(rows.length >= 7, `only ${rows.length} examples were found`);
  for (const [, options = '', country, labels = ''] of rows) {
    const { hits, pointCountry } = (await post('reverse', options)).json();
    const documented = labels.split(' · ');
    const shown = hits
      .slice(0, documented.length)
      .map(({ label, inside }: { label: string; inside?: boolean }) => (inside === true ? `**${label}**` : label));
    assert.deepEqual([JSON.stringify(pointCountry), ...shown], [country, ...documented], options);
  }
});

test('every example of coordinates in docs/api.md has the documented point and first hit', async (t) => {
  const { post } = anApp(t, { engine: () => engine });
  const rows = [...examples.matchAll(/^\| `query=([^`]+)` \| `([-\d.,]+)` \| (.+) \|$/gm)];
  assert.ok(rows.length >= 5, `only ${rows.length} examples were found`);
  for (const [, query = '', ...documented] of rows) {
    const { aroundLatLng, hits } = (await post('query', `query=${encodeURIComponent(query)}`)).json();
    assert.deepEqual([aroundLatLng, hits[0].label], documented, query);
  }
});

test('every form of coordinates in docs/api.md is read as the point in the text above', async (t) => {
  const { post } = anApp(t, { engine: () => engine });
  const section =
    page.slice(page.indexOf('Each of these is read as `48.8584,2.2945`'), page.indexOf('Latitude comes first')) +
    furtherSection('Forms of coordinates');
  const forms = new Set([...section.matchAll(/(?<=[|·] )`([^`]+)`/g)].map(([, query = '']) => query));
  assert.ok(forms.size >= 40, `only ${forms.size} forms were found`);
  for (const query of forms) {
    const { aroundLatLng } = (await post('query', `query=${encodeURIComponent(query)}`)).json();
    assert.equal(aroundLatLng, '48.8584,2.2945', query);
  }
});

test('text that may mean something else is not read as coordinates', async (t) => {
  const { post } = anApp(t, { engine: () => engine });
  const texts = [...furtherSection('Texts that are not coordinates').matchAll(/(?<=[|·] )`([^`]+)`/g)];
  assert.ok(texts.length >= 10, `only ${texts.length} texts were found`);
  for (const [, query = ''] of texts) {
    const response = (await post('query', `query=${encodeURIComponent(query)}`)).json();
    assert.equal(response.aroundLatLng, undefined, query);
  }
});

test('the requests in docs/api.md return the labels next to them', () => {
  const section = page.slice(page.indexOf('### Labels'), page.indexOf('### Extent')) + furtherSection('Labels');
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

/** The section of api-examples.md whose heading begins so. */
function furtherSection(heading: string): string {
  const section = furtherExamples.split('\n## ').find((text) => text.startsWith(heading));
  assert.ok(section, heading);
  return section;
}
