import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { highlightName, typedName } from '../../../src/engine/page/highlight.ts';
import { StoredText } from '../../../src/engine/page/stored-text.ts';
import { decoded } from '../../../src/http/response/json-bytes.ts';
import { presentFullRecord, presentResult } from '../../../src/http/response/present.ts';
import { foldWords } from '../../../src/text/fold.ts';
import { aRecord, tinyEngine } from '../tiny-engine.ts';

const frame = { hitsPerPage: 1, params: '', point: undefined, processingTimeMS: 0.25 };

test('whatever letters names and queries have, the answer is JSON and they come back as they were', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 2 }), (name, query, county) => {
      const record = aRecord({ objectID: 'G1', name, county, country: `in ${name}`, timezone: query, regionsMemo: {} });
      const engine = tinyEngine([record]);
      const result = engine.search({ text: '', limit: 1 });
      // twice: what is kept of a record must be as good as what was first made
      for (const _ of [1, 2]) {
        const answer = JSON.parse(decoded(presentResult(result, { ...frame, query, message: name }, engine)));
        const [hit] = answer.hits;
        assert.deepEqual([answer.query, answer.message, answer.processingTimeMS], [query, name, 0.25]);
        assert.deepEqual([hit.name, hit.country, hit.county, hit.timezone], [name, `in ${name}`, county, query]);
        assert.equal(hit.label, `${name}, in ${name}`);
      }
    }),
  );
});

test('the name and the words that matched come back as they were', () => {
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
        const record = aRecord({ objectID: 'G1', name: 'Kanu' });
        const matchedName = { value, typos: 2, ...(language !== undefined && { language }) };
        const highlight = { ranges: [[1, 3]] as const, matchLevel, matchedWords: words };
        const hit = { objectID: 'G1', record, score: 1, label: '', hasShortLabel: true, matchedName, highlight };
        const result = { hits: [hit], total: 1, isTotalExact: true, isExhaustive: true };
        const [shown] = JSON.parse(decoded(presentResult(result, { ...frame, query: '' }, tinyEngine([record])))).hits;
        assert.deepEqual(shown.matchedName, matchedName);
        assert.deepEqual(shown._highlightResult.name, { value: 'K<em>an</em>u', matchLevel, matchedWords: words });
      },
    ),
  );
});

test('fields without a value are left out', () => {
  const record = aRecord({ objectID: 'G1', name: 'Nowhere', population: undefined, timezone: undefined });
  const shown = JSON.parse(decoded(presentFullRecord({ record, label: 'Nowhere', names: {} })));
  assert.deepEqual(Object.keys(shown), [
    ...['objectID', 'name', 'type', 'label', 'country', 'country_code', 'administrative', 'county', 'importance'],
    ...['_geoloc', 'names'],
  ]);
});

test('a record that lies in an index is shown by its bytes as it is shown by its texts', () => {
  const unit = fc.constantFrom('a', 'B', 'ü', 'é', '東', '𝄞', ' ', '-', '"', '\\', '&', '<', "'", '\n', '\u2028');
  const name = fc.string({ unit, maxLength: 12 });
  fc.assert(
    fc.property(name, fc.nat(12), fc.boolean(), fc.nat(2 ** 52), (text, letters, isMisspelt, idNumber) => {
      const typed = [...text].slice(0, letters).join('');
      const storedName = lyingIn(text);
      const highlight = highlightName(storedName, typedName(typed, foldWords(typed)), isMisspelt);
      const record = aRecord({ objectID: `G${idNumber}`, name: text });
      const stored = { ...record, stored: { storedName, idLetter: 'G'.charCodeAt(0), idNumber } };
      const [fromTexts, fromBytes] = [record, stored].map((shown) => {
        const hit = { objectID: shown.objectID, record: shown, score: 1, label: '', hasShortLabel: true, highlight };
        const result = { hits: [hit], total: 1, isTotalExact: true, isExhaustive: true };
        return decoded(presentResult(result, { ...frame, query: typed }, tinyEngine([shown])));
      });
      assert.equal(fromBytes, fromTexts);
      assert.equal(JSON.parse(fromBytes!).hits[0].name, text);
    }),
  );
});

/** The text with others around it. */
function lyingIn(text: string): StoredText {
  const bytes = Buffer.from(`"<é${text}é">`);
  return new StoredText(bytes, 4, bytes.length - 4);
}
