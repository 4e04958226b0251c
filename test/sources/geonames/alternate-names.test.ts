import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AlternateNames } from '../../../src/sources/geonames/alternate-names.ts';
import { type AlternateRow, parseAlternateRow } from '../../../src/sources/geonames/alternate-row.ts';
import { mergeNames } from '../../../src/sources/geonames/merge-names.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const aRow = (...columns: string[]) => ['1', '2', ...columns].join('\t');

test('a row with a language is a name in it, with flags for its kind and place', () => {
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

test('codes and links are no names, but an airport code can be found', () => {
  for (const kind of ['post', 'icao', 'faac', 'link', 'unlc', 'abbr', 'tcid', 'phon', 'newcode']) {
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

test('a line that is no row of the file is told so', () => {
  for (const line of ['', 'x', '1\t2\tde', 'x\t2\tde\tWien', '1\t-2\tde\tWien', 'BR\taa\tBrazil']) {
    assert.equal(parseAlternateRow(line), 'malformed', line);
  }
});

test('the store answers as a plain map does, on random names', () => {
  const random = seededRandom(7);
  const ids = Uint32Array.from({ length: 300 }, () => 1 + random(1000));
  const store = new AlternateNames(ids);
  const naive = new Map<number, object[]>();
  for (let i = 0; i < 5000; i++) {
    const { geonameId, ...name } = {
      geonameId: 1 + random(1000),
      value: 'ünï🏙'.slice(0, 1 + random(6)) + i,
      kind: (['alternate', 'historic', 'code'] as const)[random(3)] ?? 'code',
      language: ['', 'de', 'zh-Hant'][random(3)] ?? '',
      order: random(16),
    };
    // a cut surrogate pair would not come back from UTF-8
    const value = name.value.toWellFormed();
    const isKept = store.add({ geonameId, ...name, value } satisfies AlternateRow);
    assert.equal(isKept, ids.includes(geonameId));
    if (isKept) naive.set(geonameId, [...(naive.get(geonameId) ?? []), { ...name, value }]);
  }
  for (let id = 0; id <= 1001; id++) assert.deepEqual(store.of(id), naive.get(id) ?? [], String(id));
});

test('a name in a language replaces the same without one, and the preferred comes first in its language', () => {
  const tagged = (value: string, language: string, order: number) =>
    ({ value, kind: 'alternate', language, order }) as const;
  const merged = mergeNames(
    [
      { value: 'München', kind: 'main' },
      { value: 'Munich', kind: 'alternate' },
      { value: 'Minga', kind: 'alternate' },
    ],
    [tagged('Munich City', 'en', 1), tagged('Munich', 'fr', 0), tagged('Munich', 'en', 0), tagged('München', 'de', 0)],
  );
  assert.deepEqual(merged, [
    { value: 'München', kind: 'main' },
    { value: 'Munich', kind: 'alternate', language: 'fr' },
    { value: 'Munich', kind: 'alternate', language: 'en' },
    { value: 'Munich City', kind: 'alternate', language: 'en' },
    { value: 'Minga', kind: 'alternate' },
    { value: 'München', kind: 'alternate', language: 'de' },
  ]);
});

test('a language has one tag, however the file writes it', () => {
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
