/** The examples of responses in docs/api.md, and the further ones in api-examples.tsv, over the embedded data. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { COUNTRIES_WITH_DIVISION } from 'toponym-engine/page/labels';
import { anApp } from '../../packages/server/test/http/an-app.ts';
import { embeddedEngine as engine } from '../support/embedded-engine.ts';

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
/** What an example shows, its call and what is documented. */
const FURTHER_EXAMPLES = readFileSync(new URL('api-examples.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'));

interface Example {
  /** The rows of the tables: the options of a call, then what is documented. */
  readonly row: RegExp;
  readonly min: number;
  readonly endpoint?: 'reverse';
  // biome-ignore lint/suspicious/noExplicitAny: the fields of a response that an example shows
  readonly shown: (response: any, documented: readonly (string | undefined)[]) => unknown[];
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  nbHits: {
    row: /^\| `(query=[^`]+)`.* \| (\d+) \| (?:`(false)`)? ?\|$/gm,
    min: 3,
    shown: ({ nbHits, exhaustiveNbHits }) => [String(nbHits), exhaustiveNbHits?.toString()],
  },
  confidence: {
    row: /^\| `(query=[^`]+)`.* \| ([^|]+) \| ([\d.]+) \| `(\w+)` \|$/gm,
    min: 5,
    shown: ({ hits: [{ label, confidence, matchCode }] }) => {
      const roundedDown = (Math.floor(confidence * 100) / 100).toFixed(2);
      return [label, roundedDown, matchCode];
    },
  },
  'a language': {
    row: /^\| `(query=[^`]+)` \| “(.+)” \| (?:“(.+)”)? ?\|$/gm,
    min: 5,
    shown: ({ hits: [hit] }) => [hit.label, hit.matchedName?.value],
  },
  bbox: {
    row: /^\| `(query=[^`]+)` \| `(\[.*\])` \|$/gm,
    min: 1,
    shown: ({ hits: [hit] }) => [JSON.stringify(hit.bbox)],
  },
  reverse: {
    row: /^\| `(aroundLatLng=[^`]+)` \| (?:`(.+)`)? ?\| (.+) \|$/gm,
    min: 4,
    endpoint: 'reverse',
    shown: ({ hits, pointCountry }, [, labels = '']) => {
      const shown = hits.slice(0, labels.split(' · ').length);
      const marked = shown.map(({ label, inside }: { label: string; inside?: boolean }) =>
        inside === true ? `**${label}**` : label,
      );
      return [JSON.stringify(pointCountry), marked.join(' · ')];
    },
  },
  coordinates: {
    row: /^\| `(query=[^`]+)` \| `([-\d.,]+)` \| (.+) \|$/gm,
    min: 3,
    shown: ({ aroundLatLng, hits: [hit] }) => [aroundLatLng, hit.label],
  },
};

for (const [what, { row, min, endpoint = 'query', shown }] of Object.entries(EXAMPLES)) {
  test(`every example of ${what} in docs/api.md has the documented response`, async (t) => {
    const { post } = anApp(t, { engine: () => engine });
    const rows = Array.from(page.matchAll(row), ([, ...cells]) => cells);
    assert.ok(rows.length >= min, `only ${rows.length} examples were found`);
    for (const [options = '', ...documented] of [...rows, ...furtherExamples(what)]) {
      const response = (await post(endpoint, encodeURI(options))).json();
      const found = shown(response, documented);
      for (const [i, value] of found.entries()) assert.equal(value, documented[i] || undefined, options);
    }
  });
}

test('every form of coordinates in docs/api.md is read as the point in the text above', async (t) => {
  const { post } = anApp(t, { engine: () => engine });
  const section = page.slice(
    page.indexOf('Each of these is read as `48.8584,2.2945`'),
    page.indexOf('Latitude comes first'),
  );
  const forms = new Set([...section.matchAll(/(?<=[|·] )`([^`]+)`/g)].map(([, query = '']) => query));
  assert.ok(forms.size >= 15, `only ${forms.size} forms were found`);
  for (const query of forms) {
    const { aroundLatLng } = (await post('query', `query=${encodeURIComponent(query)}`)).json();
    assert.equal(aroundLatLng, '48.8584,2.2945', query);
  }
});

test('the requests in docs/api.md return the labels next to them', () => {
  const section = page.slice(page.indexOf('### Labels'), page.indexOf('### Extent'));
  const rows = Array.from(section.matchAll(/^\| `(.*)` \| ([^|"]+) \|$/gm), ([, ...cells]) => cells);
  assert.ok(rows.length >= 4);
  for (const [call = '', labels = ''] of [...rows, ...furtherExamples('label')]) {
    const [option, value = ''] = call.split('=');
    const expected = labels.split(' · ');
    const { hits } = engine.search({ text: value, limit: 20 });
    const found = option === 'query' ? hits.map(({ label }) => label) : [engine.get(value)?.label];
    assert.deepEqual(found.slice(0, expected.length), expected, call);
  }
});

test('docs/api.md lists the countries whose labels name the first-level division', () => {
  const countryNames = new Intl.DisplayNames('en', { type: 'region' });
  for (const code of COUNTRIES_WITH_DIVISION) {
    const name = countryNames.of(code.toUpperCase()) ?? '';
    assert.match(page, new RegExp(`first-level division, in countries [^;]*\\b${name}\\b[^;]*;`), name);
  }
});

/** The rows of api-examples.tsv about this, without their first cell. */
function furtherExamples(what: string): string[][] {
  const rows = FURTHER_EXAMPLES.filter(([first]) => first === what);
  assert.ok(rows.length > 0, what);
  return rows.map((row) => row.slice(1));
}
