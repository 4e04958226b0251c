/** The examples of responses in docs/api.md, and the further ones in api-examples.md, over the embedded data. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { COUNTRIES_WITH_DIVISION } from 'toponym-engine/page/labels';
import { anApp } from '../../packages/server/test/http/an-app.ts';
import { embeddedEngine as engine } from '../support/embedded-engine.ts';

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
const furtherExamples = readFileSync(new URL('api-examples.md', import.meta.url), 'utf8');
const examples = `${page}\n${furtherExamples}`;

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
    min: 8,
    shown: ({ nbHits, exhaustiveNbHits }) => [String(nbHits), exhaustiveNbHits?.toString()],
  },
  confidence: {
    row: /^\| `(query=[^`]+)`.* \| ([^|]+) \| ([\d.]+) \| `(\w+)` \|$/gm,
    min: 8,
    shown: ({ hits: [{ label, confidence, matchCode }] }) => {
      const roundedDown = (Math.floor(confidence * 100) / 100).toFixed(2);
      return [label, roundedDown, matchCode];
    },
  },
  'a language': {
    row: /^\| `(query=[^`]+)` \| “(.+)” \| (?:“(.+)”)? ?\|$/gm,
    min: 10,
    shown: ({ hits: [hit] }) => [hit.label, hit.matchedName?.value],
  },
  bbox: {
    row: /^\| `(query=[^`]+)` \| `(\[.*\])` \|$/gm,
    min: 3,
    shown: ({ hits: [hit] }) => [JSON.stringify(hit.bbox)],
  },
  reverse: {
    row: /^\| `(aroundLatLng=[^`]+)` \| (?:`(.+)`)? ?\| (.+) \|$/gm,
    min: 7,
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
    min: 5,
    shown: ({ aroundLatLng, hits: [hit] }) => [aroundLatLng, hit.label],
  },
};

for (const [what, { row, min, endpoint = 'query', shown }] of Object.entries(EXAMPLES)) {
  test(`every example of ${what} in docs/api.md has the documented response`, async (t) => {
    const { post } = anApp(t, { engine: () => engine });
    const rows = [...examples.matchAll(row)];
    assert.ok(rows.length >= min, `only ${rows.length} examples were found`);
    for (const [, options = '', ...documented] of rows) {
      const response = (await post(endpoint, encodeURI(options))).json();
      assert.deepEqual(shown(response, documented), documented, options);
    }
  });
}

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
