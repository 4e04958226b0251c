import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../../test/support/seeded-random.ts';
import {
  AlternateNames,
  type AlternateRow,
  mergeNames,
  parseAlternateRow,
  regionAliases,
  regionTranslations,
} from '../../../src/sources/geonames/alternate-names.ts';

const aRow = (...columns: string[]) => ['1', '2', ...columns].join('\t');

const WIEN = { geonameId: 2, value: 'Wien', kind: 'alternate', language: 'de', order: 1 };
const noLanguage = { geonameId: 2, language: '', order: 1 };
const HISTORIC = ['', '', '', '1', '', ''];

test('label and flags of a row determine the kind, language and order of its name', () => {
  for (const [columns, expected] of [
    [['de', 'Wien', '1', '', '', '', '', ''], { ...WIEN, order: 0 }],
    [['de', 'Wien'], WIEN],
    [['de', 'Wien', '', '1', '', '', '', ''], { ...WIEN, order: 3 }],
    [['de', 'Wien', ...HISTORIC], { ...WIEN, kind: 'historic', order: 9 }],
    [['', 'Wien'], { ...WIEN, language: '' }],
    [['fr_1793', 'Ville-Libre'], { ...WIEN, value: 'Ville-Libre', kind: 'historic', language: 'fr', order: 9 }],
    [['iata', 'VIE'], { ...noLanguage, value: 'VIE', kind: 'code' }],
    [['post', '1010'], { ...noLanguage, value: '1010', kind: 'postcode' }],
    [['post', '1010', ...HISTORIC], { ...noLanguage, value: '1010', kind: 'postcode' }],
    [['wkdt', 'Q90', '', '', '', '', '', ''], { ...noLanguage, value: 'Q90', kind: 'wikidata' }],
    [['zh_TW', 'Wien'], { ...WIEN, language: 'zh-TW' }],
    [['deu', 'Wien'], WIEN],
    [['sr-latn', 'Wien'], { ...WIEN, language: 'sr-Latn' }],
    [['nds', 'Wien'], { ...WIEN, language: 'nds' }],
  ] as const) {
    assert.deepEqual(parseAlternateRow(aRow(...columns)), expected);
  }
});

test('links, most codes and former Wikidata ids are skipped', () => {
  const codes = ['icao', 'faac', 'link', 'unlc', 'abbr', 'tcid', 'phon', 'newcode'].map((label) => [label, 'X']);
  const others = [
    ['en', 'https://en.wikipedia.org/wiki/Vienna'],
    ['en', ' '],
    ['wkdt', 'P31'],
    ['wkdt', 'Q90', ...HISTORIC],
  ];
  for (const columns of [...codes, ...others]) assert.equal(parseAlternateRow(aRow(...columns)), undefined, columns[0]);
});

test('a line without two ids, a label and a name is malformed', () => {
  for (const line of ['', 'x', '1\t2\tde', 'x\t2\tde\tWien', '1\t-2\tde\tWien', 'BR\taa\tBrazil']) {
    assert.equal(parseAlternateRow(line), 'malformed', line);
  }
});

test('the store returns the same names as a plain map', () => {
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
    // UTF-8 cannot represent half a surrogate pair
    const value = name.value.toWellFormed();
    store.add({ geonameId, ...name, value } satisfies AlternateRow);
    if (ids.includes(geonameId)) naive.set(geonameId, [...(naive.get(geonameId) ?? []), { ...name, value }]);
  }
  for (let id = 0; id <= 1001; id++) assert.deepEqual(store.get(id), naive.get(id) ?? [], String(id));
});

test('postcodes come after all names', () => {
  const postcode = { value: '80331', kind: 'postcode' } as const;
  const merged = mergeNames(
    [
      { value: 'München', kind: 'main' },
      { value: 'Minga', kind: 'alternate' },
    ],
    [
      { ...postcode, language: '', order: 0 },
      { ...postcode, language: '', order: 1 },
      { value: 'Munich', kind: 'alternate', language: 'en', order: 1 },
    ],
  );
  assert.deepEqual(
    merged.map(({ value }) => value),
    ['München', 'Munich', 'Minga', '80331'],
  );
});

test('a name with a language replaces the same name without one, and preferred names come first', () => {
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

/** Parses rows of alternateNamesV2.txt, given as label, name and any flags. */
function namesOf(...rows: [label: string, name: string, ...flags: string[]][]) {
  return rows.map(([label, name, ...flags], i) => {
    const flagged = ['preferred', 'short', 'colloquial', 'historic'].map((flag) => (flags.includes(flag) ? '1' : ''));
    const parsed = parseAlternateRow([i + 1, 2951839, label, name, ...flagged, '', ''].join('\t'));
    assert.ok(parsed !== undefined && parsed !== 'malformed', name);
    return parsed;
  });
}

test('the preferred name of a language is shown, else a plain name, else a short form', () => {
  const names = namesOf(
    ['de', 'BY', 'short'],
    ['de', 'Freistaat Bayern'],
    ['de', 'Bayern', 'preferred'],
    ['fr', 'État libre de Bavière'],
    ['fr', 'Bavière', 'preferred', 'short'],
    ['it', 'Bav.', 'short'],
    ['it', 'Baviera'],
    ['ja', 'バイエルン', 'short'],
  );
  assert.deepEqual([...regionTranslations(names, 'Bavaria')].sort(), [
    ['de', 'Bayern'],
    ['fr', 'Bavière'],
    ['it', 'Baviera'],
    ['ja', 'バイエルン'],
  ]);
});

test('historic and colloquial names, codes and names of unknown language are not shown', () => {
  const names = namesOf(
    ['de', 'Baiern', 'historic'],
    ['nl', 'Bierland', 'colloquial'],
    ['iata', 'MUC'],
    ['piny', 'Bāfálìyà'],
    ['wkdt', 'Q980'],
    ['', 'Bavariae'],
  );
  assert.deepEqual([...regionTranslations(names, 'Bavaria')], []);
  assert.deepEqual(regionAliases(names), ['Bierland', 'Bavariae']);
});

test('a language that has the main name shows it, so that English is as without a language', () => {
  const names = namesOf(['en', 'Free State of Bavaria'], ['en', 'Bavaria', 'short'], ['fr', 'Bavière']);
  assert.deepEqual([...regionTranslations(names, 'Bavaria')].sort(), [
    ['en', 'Bavaria'],
    ['fr', 'Bavière'],
  ]);
});
