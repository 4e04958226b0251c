import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAlternateRow } from '../../../src/sources/geonames/alternate-row.ts';

const aRow = (...columns: string[]) => ['1', '2', ...columns].join('\t');

test('the flags of a row determine the kind and order of its name', () => {
  const parsed = (line: string) => parseAlternateRow(line);
  const base = { geonameId: 2, value: 'Wien', kind: 'alternate', language: 'de' };
  assert.deepEqual(parsed(aRow('de', 'Wien', '1', '', '', '', '', '')), { ...base, order: 0 });
  assert.deepEqual(parsed(aRow('de', 'Wien')), { ...base, order: 1 });
  assert.deepEqual(parsed(aRow('de', 'Wien', '', '1', '', '', '', '')), { ...base, order: 3 });
  assert.deepEqual(parsed(aRow('de', 'Wien', '', '', '', '1', '', '')), { ...base, kind: 'historic', order: 9 });
  assert.deepEqual(parsed(aRow('', 'Wien')), { ...base, language: '', order: 1 });
  assert.deepEqual(parsed(aRow('fr_1793', 'Ville-Libre')), {
    geonameId: 2,
    value: 'Ville-Libre',
    kind: 'historic',
    language: 'fr',
    order: 9,
  });
});

test('codes and links are skipped, except airport codes and postcodes', () => {
  for (const kind of ['icao', 'faac', 'link', 'unlc', 'abbr', 'tcid', 'phon', 'newcode']) {
    assert.equal(parseAlternateRow(aRow(kind, 'X')), undefined, kind);
  }
  assert.equal(parseAlternateRow(aRow('en', 'https://en.wikipedia.org/wiki/Vienna')), undefined);
  assert.equal(parseAlternateRow(aRow('en', ' ')), undefined);
  assert.equal(parseAlternateRow(aRow('wkdt', 'P31')), undefined);
  assert.deepEqual(parseAlternateRow(aRow('iata', 'VIE')), {
    geonameId: 2,
    value: 'VIE',
    kind: 'code',
    language: '',
    order: 1,
  });
});

test('a postcode is a kind of its own, even a former one', () => {
  const postcode = { geonameId: 2, value: '1010', kind: 'postcode', language: '', order: 1 };
  assert.deepEqual(parseAlternateRow(aRow('post', '1010')), postcode);
  assert.deepEqual(parseAlternateRow(aRow('post', '1010', '', '', '', '1', '', '')), postcode);
});

test('a Wikidata id is not a name, and a former one is skipped', () => {
  const id = { geonameId: 2, value: 'Q90', kind: 'wikidata', language: '', order: 1 };
  assert.deepEqual(parseAlternateRow(aRow('wkdt', 'Q90', '', '', '', '', '', '')), id);
  assert.equal(parseAlternateRow(aRow('wkdt', 'Q90', '', '', '', '1', '', '')), undefined);
});

test('a line without two ids, a label and a name is malformed', () => {
  for (const line of ['', 'x', '1\t2\tde', 'x\t2\tde\tWien', '1\t-2\tde\tWien', 'BR\taa\tBrazil']) {
    assert.equal(parseAlternateRow(line), 'malformed', line);
  }
});

test('language tags are canonical', () => {
  for (const [written, tag] of [
    ['zh_TW', 'zh-TW'],
    ['deu', 'de'],
    ['sr-latn', 'sr-Latn'],
    ['nds', 'nds'],
  ] as const) {
    const row = parseAlternateRow(aRow(written, 'Wien'));
    assert.equal(typeof row === 'object' ? row.language : row, tag);
  }
});
