import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Hit, PlaceRecord, Ranking, SearchResult } from 'toponym-engine/engine';
import { highlightName, typedName } from 'toponym-engine/page/highlight';
import { StoredText } from 'toponym-engine/page/stored-text';
import { foldWords } from 'toponym-engine/text/fold';
import { textFromByteString } from '../../../src/http/response/json-writer.ts';
import { FullRecordSchema, ResultSchema } from '../../../src/http/response/response-schemas.ts';
import { fullRecordJson, resultJson } from '../../../src/http/response/result-json.ts';
import { appEngine } from '../an-app.ts';
import { schemaErrors } from './schema-errors.ts';

const frame = { hitsPerPage: 1, params: '', point: undefined, processingTimeMS: 0.25 };

test('names and queries of any characters survive as JSON', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 2 }), (name, query, county) => {
      const country = `in ${name}`;
      const regions = { ...aRecord({}).regions, country, county, labelEnd: `, ${country}` };
      const result = aResult({ record: aRecord({ name, regions, timezone: query }) });
      // twice, because the second response is written from cached pieces
      for (const _ of [1, 2]) {
        const response = JSON.parse(
          textFromByteString(resultJson(result, { ...frame, query, message: name }, appEngine)),
        );
        const [hit] = response.hits;
        assert.deepEqual([response.query, response.message, response.processingTimeMS], [query, name, 0.25]);
        assert.deepEqual([hit.name, hit.country, hit.county, hit.timezone], [name, country, county, query]);
        assert.equal(hit.label, `${name}, ${country}`);
      }
    }),
  );
});

test('the matched name and words survive as JSON', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', '\\\\', '𝄞', '<', 'é') }),
  );
  const level = fc.constantFrom('none' as const, 'partial' as const, 'full' as const);
  fc.assert(
    fc.property(
      text,
      fc.option(text, { nil: undefined }),
      fc.array(text),
      level,
      (value, language, words, matchLevel) => {
        const record = aRecord({ name: 'Kanu' });
        const matchedName = { value, typos: 2, ...(language !== undefined && { language }) };
        const highlight = { ranges: [[1, 3]] as const, matchLevel, matchedWords: words };
        const result = aResult({ record, matchedName, highlight });
        const [shown] = JSON.parse(textFromByteString(resultJson(result, { ...frame, query: '' }, appEngine))).hits;
        assert.deepEqual(shown.matchedName, matchedName);
        assert.deepEqual(shown._highlightResult.name, { value: 'K<em>an</em>u', matchLevel, matchedWords: words });
      },
    ),
  );
});

test('a label that is not plain is written as it is', () => {
  const label = 'Nowhere (Somewhere), "Île-de-France", France';
  const result = aResult({ record: aRecord({}), label, hasPlainLabel: false });
  const { hits } = JSON.parse(textFromByteString(resultJson(result, { ...frame, query: '' }, appEngine)));
  assert.deepEqual([hits[0].label, hits[0].country], [label, 'France']);
});

test('fields without a value are left out', () => {
  const record = aRecord({ population: undefined, timezone: undefined });
  const shown = JSON.parse(textFromByteString(fullRecordJson({ record, label: 'Nowhere', names: {} })));
  assert.deepEqual(Object.keys(shown), [
    ...['objectID', 'name', 'type', 'label', 'country', 'country_code', 'administrative', 'county', 'importance'],
    ...['_geoloc', 'bbox', 'names'],
  ]);
});

test('a response with every field that the engine can give has exactly the fields of its schema', () => {
  const change = { from: 'a', to: 'b' };
  const { hits } = aResult({
    record: aRecord({}),
    confidence: 0.5,
    matchCode: 'exact',
    distanceMeters: 1,
    bearingDegrees: 2,
    isInside: true,
    matchedName: { value: 'Nowhere', language: 'en', typos: 0 },
    highlight: { ranges: [[0, 2]], matchLevel: 'partial', matchedWords: ['no'] },
    ranking: RANKING,
  });
  const result: SearchResult = {
    hits,
    total: 1,
    isTotalExact: false,
    isExhaustive: false,
    degraded: { query: 'b', dropped: ['c'], corrected: [change], expanded: [change] },
    matchedRegion: { name: 'Texas', code: 'US.TX', level: 1 },
    pointCountry: null,
  };
  const fields = { ...frame, query: 'no', point: { lat: 1, lng: 2 }, message: 'why' };
  const response = JSON.parse(textFromByteString(resultJson(result, fields, appEngine)));
  assert.deepEqual(schemaErrors(ResultSchema, response, { needsAllFields: true }), []);
  const full = { record: aRecord({}), label: 'Nowhere', names: { und: ['Nowhere'] }, supersededBy: 'G2' };
  const record = JSON.parse(textFromByteString(fullRecordJson(full)));
  assert.deepEqual(schemaErrors(FullRecordSchema, record, { needsAllFields: true }), []);
});

test('a response without any field that may be absent still fits its schema', () => {
  const record = aRecord({ population: undefined, timezone: undefined });
  const result = aResult({ record });
  const response = JSON.parse(textFromByteString(resultJson(result, { ...frame, query: '' }, appEngine)));
  assert.deepEqual(schemaErrors(ResultSchema, response), []);
  const shown = JSON.parse(textFromByteString(fullRecordJson({ record, label: 'Nowhere', names: {} })));
  assert.deepEqual(schemaErrors(FullRecordSchema, shown), []);
});

test("a record's extent is in GeoJSON's order, with at most five decimals", () => {
  const box = { south: -17.1234567, west: 179.999996, north: -0.0000001, east: -179.5 };
  const record = aRecord({ box });
  const shown = JSON.parse(textFromByteString(fullRecordJson({ record, label: 'Nowhere', names: {} })));
  assert.deepEqual(shown.bbox, [179.99999, -17.12346, -179.5, 0]);
});

test('names and highlights survive whatever must be escaped', () => {
  const unit = fc.constantFrom('a', 'B', 'ü', 'é', '東', '𝄞', ' ', '-', '"', '\\', '&', '<', "'", '\n', '\u2028');
  const name = fc.string({ unit, maxLength: 12 });
  fc.assert(
    fc.property(name, fc.nat(12), fc.nat(2), (text, letters, typos) => {
      const typed = [...text].slice(0, letters).join('');
      const highlight = highlightName(StoredText.of(text), typedName(typed, foldWords(typed)), typos);
      const result = aResult({ record: aRecord({ name: text }), highlight });
      const [hit] = JSON.parse(textFromByteString(resultJson(result, { ...frame, query: typed }, appEngine))).hits;
      assert.deepEqual([hit.name, hit.label], [text, `${text}, France`]);
      assert.equal(hit._highlightResult.name.value, marked(text, highlight.ranges));
    }),
  );
});

const RANKING: Ranking = {
  stage: 'asTyped',
  typos: 0,
  firstMatchedWord: 0,
  proximityDistance: 0,
  userScore: 9000,
  exactWords: 1,
  words: 1,
  filters: 0,
  geoDistanceMeters: 1.5,
  geoPrecision: 1,
  criteria: { score: 1, importance: 1 },
  decidedBy: 'importance',
};

function aRecord(fields: Partial<PlaceRecord>): PlaceRecord {
  return {
    objectID: 'G1',
    name: 'Nowhere',
    type: 'city',
    regions: {
      country: 'France',
      countryCode: 'fr',
      administrative: ['Île-de-France'],
      county: ['Paris'],
      labelDivision: undefined,
      labelEnd: ', France',
    },
    city: undefined,
    population: 2_138_551,
    importance: 0.9,
    timezone: 'Europe/Paris',
    lat: 48.85341,
    lng: 2.3488,
    box: { south: 48.7, west: 2.1, north: 49, east: 2.6 },
    ...fields,
  };
}

function aResult(fields: Partial<Hit> & { readonly record: PlaceRecord }): SearchResult {
  const hit: Hit = { objectID: fields.record.objectID, score: 1, label: '', hasPlainLabel: true, ...fields };
  return { hits: [hit], total: 1, isTotalExact: true, isExhaustive: true };
}

/** The text as HTML with the ranges in <em>, one letter at a time. */
function marked(text: string, ranges: readonly (readonly [number, number])[]): string {
  const entities = new Map([
    ['&', '&amp;'],
    ['<', '&lt;'],
    ['"', '&quot;'],
    ["'", '&#39;'],
  ]);
  let html = '';
  for (let i = 0; i < text.length; i++) {
    if (ranges.some(([start]) => start === i)) html += '<em>';
    html += entities.get(text[i]!) ?? text[i];
    if (ranges.some(([, end]) => end === i + 1)) html += '</em>';
  }
  return html;
}
