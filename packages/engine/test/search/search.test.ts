import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, aPlace, aQuery, idsOf } from '../../../../test/support/an-engine.ts';
import type { SearchQuery } from '../../src/engine.ts';

const city = { type: 'city' } as const;
const inUs = { type: 'city', country: 'US' } as const;
const parisNames = ['Parigi', 'Париж', '巴黎', 'パリ'];
const atParis = { lat: 48.85, lng: 2.35, adminRank: 5, population: 2_100_000 };
const atNewYork = { lat: 40.71, lng: -74, admin1: 'US.NY', population: 8_000_000 };
const inSangamon = { admin1: 'US.IL', admin2: 'US.IL.167', lat: 39.8, lng: -89.64 };
const paris = aPlace({ id: 'G1', name: 'Paris', ...city, ...atParis, alternateNames: parisNames });
const all = [
  paris,
  aPlace({
    id: 'G2',
    name: 'Paris',
    ...inUs,
    type: 'town',
    admin1: 'US.TX',
    population: 25_000,
    lat: 33.66,
    lng: -95.55,
  }),
  aPlace({ id: 'G3', name: 'New York City', ...inUs, ...atNewYork, alternateNames: ['New York', 'Nueva York'] }),
  aPlace({ id: 'G4', name: 'York', ...city, country: 'GB', population: 150_000, lat: 53.96, lng: -1.08 }),
  aPlace({ id: 'G5', name: 'Springfield', ...inUs, ...inSangamon, population: 116_000 }),
  aPlace({ id: 'G6', name: 'Springfield', ...inUs, admin1: 'US.MO', population: 169_000, lat: 37.21, lng: -93.29 }),
  aPlace({ id: 'G7', name: 'St. Louis', ...inUs, admin1: 'US.MO', population: 300_000, lat: 38.63, lng: -90.2 }),
  aPlace({ id: 'G8', name: 'Rio de Janeiro', ...city, country: 'CA', population: 6_000_000, lat: -22.9, lng: -43.2 }),
  aPlace({ id: 'G9', name: 'Parisot', type: 'hamlet', population: 300 }),
];
const engine = await anEngine(all);
const idsFor = (text: string, rest = {}) => idsOf(engine.search(aQuery(text, rest)));

/** What is found, whole or only the first hits, if `first` says how many. */
const FOUND: Readonly<Record<string, readonly (readonly [texts: string[], ids: string[], first?: number])[]>> = {
  'a name finds its places, the more important first, and then longer names': [[['paris'], ['G1', 'G2', 'G9']]],
  'a prefix finds the names that start with it': [
    [['par'], ['G1', 'G2', 'G9']],
    [['new yo'], ['G3']],
  ],
  'any word of a name finds the place, after places whose whole name it is': [
    [['york'], ['G4', 'G3']],
    [['janeiro'], ['G8']],
  ],
  'words are found in any order': [[['janeiro rio'], ['G8']]],
  'alternate names of every script find the place, and so do their prefixes': [
    [['parigi', 'Париж', 'пари', '巴黎', '巴', 'パリ', 'ぱり'], ['G1'], 1],
    [['nueva york'], ['G3'], 1],
  ],
  'names long enough may have one or two typos': [
    [['springfeild mo'], ['G6'], 1],
    [['pariss'], ['G1'], 1],
    [['sprimgfeild'], ['G6', 'G5'], 2],
    [['prs'], []],
  ],
  'joined and split words are found': [
    [['newyork'], ['G3'], 1],
    [['spring field'], ['G6'], 1],
  ],
  'region words select among namesakes: full or short, before or after, with or without a comma': [
    [['springfield il', 'Springfield, Illinois', 'illinois springfield', 'springfield, il, usa'], ['G5']],
    [['springfield sangamon'], ['G5']],
    [['paris, texas'], ['G2']],
    [['paris frankreich'], ['G1'], 1],
  ],
  'a region word may be unfinished or misspelt': [
    [['paris, tex'], ['G2']],
    [['springfield ilinois'], ['G5'], 1],
  ],
  'saints are found by the full and the short form': [
    [['saint louis', 'st louis', 'St. Louis', 'sain', 'st lou'], ['G7'], 1],
  ],
};

for (const [title, rows] of Object.entries(FOUND)) {
  test(title, () => {
    for (const [texts, ids, first] of rows) {
      for (const text of texts) assert.deepEqual(idsFor(text).slice(0, first), ids, text);
    }
  });
}

test('filters and a radius restrict the hits; without words, the most important places are shown', () => {
  const around = { lat: 48.85, lng: 2.35 };
  const rows: readonly (readonly [text: string, filters: Partial<SearchQuery>, ids: string[]])[] = [
    ['paris', { types: ['town'] }, ['G2']],
    ['paris', { types: ['town', 'hamlet'] }, ['G2', 'G9']],
    ['paris', { countries: ['US'] }, ['G2']],
    ['paris', { countries: ['XX'] }, []],
    ['paris', { around, radiusMeters: 1000 }, ['G1']],
    ['paris', { types: ['town'], radiusMeters: 10 }, ['G2']], // without a point, a radius has no effect
    ['', { around: { lat: 0, lng: 0 }, radiusMeters: 1000 }, []],
    ['', { limit: 3 }, ['G1', 'G3', 'G8']],
    ['  ', { types: ['town'] }, ['G2']],
    [' ,- ', {}, []],
  ];
  for (const [text, filters, ids] of rows)
    assert.deepEqual(idsFor(text, filters), ids, JSON.stringify([text, filters]));
});

test('up to three letters, a whole first word ranks no better than an unfinished one', async () => {
  const engine = await anEngine([
    aPlace({ id: 'G1', name: 'Damascus', population: 1_600_000 }),
    aPlace({ id: 'G2', name: 'Da Nang', population: 1_000_000 }),
    aPlace({ id: 'G3', name: 'Dali', population: 500_000 }),
    aPlace({ id: 'G4', name: 'Havana', population: 2_000_000, alternateNames: ['Da Habana'] }),
  ]);
  assert.deepEqual(idsOf(engine.search(aQuery('da'))), ['G1', 'G2', 'G3', 'G4']);
  assert.equal(idsOf(engine.search(aQuery('da h')))[0], 'G4');
});

test('while a name is unfinished, its namesakes make room for other names and fill the rest of the page', async () => {
  const engine = await anEngine([
    ...Array.from({ length: 4 }, (_, i) =>
      aPlace({ id: `G${i + 1}`, name: 'Richmond', population: 9000 - i, lat: 10 * i }),
    ),
    ...Array.from({ length: 18 }, (_, i) =>
      aPlace({ id: `G${i + 5}`, name: `Rich${'abcdefghijklnopqrs'[i]}eld`, population: 500 - i }),
    ),
  ]);
  const idsFor = (text: string) => idsOf(engine.search(aQuery(text)));
  const others = Array.from({ length: 18 }, (_, i) => `G${i + 5}`);
  assert.deepEqual(idsFor('rich'), ['G1', 'G2', ...others]);
  assert.deepEqual(idsFor('richmond').slice(0, 4), ['G1', 'G2', 'G3', 'G4']);
});

test('short prefixes give the same hits from the cache, in any language and page size, and respect filters', async () => {
  const engine = await anEngine([
    aPlace({
      id: 'G1',
      name: 'Geneva',
      population: 200_000,
      country: 'FR',
      alternateNames: [{ value: 'Genf', language: 'de', kind: 'alternate' }],
    }),
    aPlace({ id: 'G2', name: 'Genoa', population: 500_000, country: 'US', type: 'city' }),
  ]);
  const shown = (query: Partial<SearchQuery>) => {
    const { hits, total, isTotalExact } = engine.search(aQuery('gen', query));
    return {
      hits: hits.map(({ objectID, score, record, label }) => [objectID, score, record.name, label]),
      total,
      isTotalExact,
    };
  };
  const first = shown({});
  assert.deepEqual(shown({}), first);
  assert.deepEqual(
    first.hits.map(([id]) => id),
    ['G2', 'G1'],
  );
  assert.deepEqual(
    shown({ language: 'de' }).hits.map(([, , name]) => name),
    ['Genoa', 'Genf'],
  );
  assert.deepEqual(
    shown({ limit: 1 }).hits.map(([id]) => id),
    ['G2'],
  );
  assert.deepEqual(
    shown({ countries: ['FR'] }).hits.map(([id]) => id),
    ['G1'],
  );
  assert.deepEqual(shown({ around: { lat: 46.2, lng: 6.1 }, radiusMeters: 10 }).hits, []);
  assert.ok(engine.search(aQuery('gen', { explain: true })).hits.every(({ ranking }) => ranking !== undefined));
  assert.deepEqual(shown({}), first);
});

test('a name that starts with the text comes before a misspelt one, unless that is far more important', async () => {
  const few = await anEngine([
    aPlace({ id: 'G1', name: 'Madison', population: 250_000 }),
    aPlace({ id: 'G2', name: 'Madisonville', population: 20_000 }),
    aPlace({ id: 'G3', name: 'Viennatal', population: 300 }),
    aPlace({ id: 'G4', name: 'Vienna', population: 9_000_000, adminRank: 5 }),
  ]);
  assert.deepEqual(idsOf(few.search(aQuery('madisonv'))), ['G2', 'G1']);
  assert.deepEqual(idsOf(few.search(aQuery('madisonx'))), ['G1', 'G2']);
  assert.deepEqual(idsOf(few.search(aQuery('viennat'))), ['G4', 'G3']);
  const [, madison] = few.search(aQuery('madisonv', { explain: true })).hits;
  assert.equal(madison?.ranking?.criteria.typo, -0.7);
});

test('a misspelt town ranks above hamlets with longer names, even if its first letter is wrong', async () => {
  const engine = await anEngine([
    aPlace({ id: 'G1', name: 'Hamme', population: 30_000 }),
    ...Array.from({ length: 20 }, (_, i) =>
      aPlace({ name: `Bad am Ammersee ${i}`, type: 'hamlet', population: 10, lat: i, lng: i }),
    ),
  ]);
  for (const text of ['amme', 'hame']) assert.equal(idsOf(engine.search(aQuery(text)))[0], 'G1', text);
});

test('a search without words explains its ranking too', () => {
  const { hits } = engine.search(aQuery('', { limit: 2, explain: true, around: { lat: 33, lng: -96 } }));
  const [first] = hits;
  assert.deepEqual([first?.record.objectID, first?.ranking?.decidedBy], ['G2', 'geo']);
  assert.deepEqual(Object.keys(first?.ranking?.criteria ?? {}), ['score', 'geo', 'importance']);
});

test('the total is exact or marked as inexact, for any page size', () => {
  for (const limit of [1, 2, 20]) {
    const { total, isTotalExact } = engine.search(aQuery('paris', { limit }));
    assert.deepEqual([total, isTotalExact], [3, true], String(limit));
  }
  assert.equal(engine.search(aQuery('sprngfield il')).isTotalExact, false);
  const nearest = engine.reverse({ at: { lat: 0, lng: 0 }, limit: 1 });
  assert.deepEqual([nearest.total, nearest.isTotalExact], [all.length, true]);
});

test('a point favours nearby places and hides nothing', () => {
  const hits = engine.search(aQuery('paris', { around: { lat: 33, lng: -96 } })).hits;
  assert.deepEqual(hits.map(({ record }) => record.objectID).slice(0, 2), ['G2', 'G1']);
  assert.ok((hits[0]?.distanceMeters ?? 0) < 100_000);
});

test('near the point the nearest places come first unless others are much more important', async () => {
  const engine = await anEngine([
    aPlace({ id: 'G1', name: 'Sainte-Anne', population: 600, lat: 45.01, lng: 6 }),
    aPlace({ id: 'G2', name: 'Saint-Paul', population: 8000, lat: 45.3, lng: 6 }),
    aPlace({ id: 'G3', name: 'Saint-Pierre', population: 900_000, lat: 45.1, lng: 6 }),
  ]);
  assert.deepEqual(idsOf(engine.search(aQuery('saint', { around: { lat: 45, lng: 6 } }))), ['G3', 'G1', 'G2']);
});

test('near the point unfinished names give way to a namesake that is well known, not to a hamlet', async () => {
  const around = { lat: 45, lng: 6 };
  const near = aPlace({ id: 'G1', name: 'Kolonia', type: 'hamlet', population: 300, lat: 45.4, lng: 6 });
  const far = (population: number) => aPlace({ id: 'G2', name: 'Kol', population, lat: -30, lng: 120 });
  const firstBeside = async (population: number) =>
    idsOf((await anEngine([near, far(population)])).search(aQuery('kol', { around })))[0];
  assert.equal(await firstBeside(1000), 'G1');
  assert.equal(await firstBeside(9_000_000), 'G2');
});

test('a whole name with a typo comes before longer names in a region that is misspelt', async () => {
  const inTexas = { country: 'US', admin1: 'US.TX' };
  const engine = await anEngine([
    aPlace({ id: 'G1', name: 'Ban Texas', population: 5000 }),
    aPlace({ id: 'G2', name: 'Ban Noi', ...inTexas, population: 5000 }),
  ]);
  assert.deepEqual(idsOf(engine.search(aQuery('ban texsas'))), ['G1', 'G2']);
});

test('a name of fifty letters may have a typo', async () => {
  const name = 'Inspeccion de Policia Puerto Murillo del Rio Grande';
  const engine = await anEngine([
    aPlace({ id: 'G1', name, type: 'hamlet', population: 1 }),
    aPlace({ id: 'G2', name: 'Murillo', population: 90_000 }),
  ]);
  assert.equal(idsOf(engine.search(aQuery(name.replace('de Pol', 'dhe Pol'))))[0], 'G1');
});

test('with a point, a short page shows both the best match far away and the best match nearby', async () => {
  const near = Array.from({ length: 60 }, (_, i) =>
    aPlace({ name: 'Paris', lat: 10 + i, lng: 10, population: 90_000 }),
  );
  const many = await anEngine([paris, ...near]);
  const around = { lat: 10, lng: 10.01 };
  assert.ok(idsOf(many.search(aQuery('paris', { limit: 2, around }))).includes('G1'));
  const far = Array.from({ length: 60 }, (_, i) => aPlace({ name: 'Wald', lat: -60, lng: i, population: 9_000_000 }));
  const hamlet = aPlace({ name: 'Ober dem Wald', type: 'hamlet', lat: 10, lng: 10, population: 1 });
  const few = await anEngine([...far, hamlet]);
  assert.ok(idsOf(few.search(aQuery('wald', { limit: 2, around }))).includes(hamlet.id));
});

test('the best match far away and the best nearby are shown once each, even if neither is among the best', async () => {
  const around = { lat: 45, lng: 6 };
  const engine = await anEngine([
    aPlace({ id: 'G1', name: 'Paris', population: 2_000_000, lat: -40, lng: -70 }),
    aPlace({ id: 'G2', name: 'Paris', population: 600, lat: 45.4, lng: 6, type: 'hamlet' }),
    ...Array.from({ length: 40 }, (_, i) =>
      aPlace({ name: 'Paris', population: 90_000, lat: 45 - 0.6 * Math.cos(i), lng: 6 + 0.9 * Math.sin(i) }),
    ),
  ]);
  for (const limit of [2, 5, 20]) {
    const ids = idsOf(engine.search(aQuery('paris', { limit, around })));
    assert.ok(ids.includes('G1') && ids.includes('G2'), ids.join(' '));
    assert.equal(new Set(ids).size, ids.length, ids.join(' '));
  }
});

const moscow = aPlace({
  id: 'G1',
  name: 'Moscow',
  country: 'RU',
  population: 10_000_000,
  alternateNames: [{ value: 'Москва', kind: 'alternate', language: 'ru' }],
});
const meaux = aPlace({ id: 'G2', name: 'Meaux', country: 'FR', population: 54_000, alternateNames: ['Мо'] });

test('a name in the script of its country counts as a main name', async () => {
  const local = await anEngine([moscow, meaux]);
  assert.deepEqual(idsOf(local.search(aQuery('мо'))), ['G1', 'G2']);
  const [hit] = local.search(aQuery('москва', { explain: true })).hits;
  assert.deepEqual(hit?.matchedName, { value: 'Москва', language: 'ru', typos: 0 });
  assert.equal(hit?.ranking?.criteria.name, 0);
});

test('a Japanese place is found by the kana reading of its romanised name', async () => {
  const kobe = aPlace({ id: 'G1', name: 'Kobe', country: 'JP', population: 1_500_000, alternateNames: ['Kōbe'] });
  const japan = await anEngine([kobe, aPlace({ id: 'G2', name: 'Kobe', country: 'US', alternateNames: ['Kōbe'] })]);
  for (const text of ['こうべ', 'コウベ', 'こう']) assert.deepEqual(idsOf(japan.search(aQuery(text))), ['G1']);
  // nothing of the shown name can be highlighted, so the name that was read is given
  assert.deepEqual(japan.search(aQuery('こうべ')).hits[0]?.matchedName, { value: 'Kōbe', typos: 0 });
});

test('in other scripts, the beginning of the name of a foreign city ranks above a local village', async () => {
  const tbilisi = aPlace({
    id: 'G1',
    name: 'Tbilisi',
    country: 'GE',
    population: 1_000_000,
    importance: 0.85,
    alternateNames: ['Тбилиси'],
  });
  const tbilisskaya = aPlace({
    id: 'G2',
    name: 'Tbilisskaya',
    country: 'RU',
    population: 20_000,
    alternateNames: [{ value: 'Тбилисская', kind: 'alternate', language: 'ru' }],
  });
  assert.deepEqual(idsOf((await anEngine([tbilisi, tbilisskaya])).search(aQuery('тби'))), ['G1', 'G2']);
});

test('matchedName is present if another name than the shown one matched', () => {
  const [hit] = engine.search(aQuery('parigi')).hits;
  assert.deepEqual(hit?.matchedName, { value: 'Parigi', typos: 0 });
  assert.equal(engine.search(aQuery('paris')).hits[0]?.matchedName, undefined);
});

test('a hit without a highlighted part has a matchedName, even if it differs only in punctuation', async () => {
  const few = await anEngine([aPlace({ name: 'Milton', alternateNames: ["Mil'ton"] })]);
  const matchOf = (text: string) => {
    const { highlight, matchedName } = few.search(aQuery(text)).hits[0]!;
    return [highlight?.ranges, matchedName?.value];
  };
  assert.deepEqual(matchOf('milt'), [[[0, 4]], undefined]);
  assert.deepEqual(matchOf('mil t'), [[], "Mil'ton"]);
});

test('an abbreviated or joined name is highlighted', async () => {
  const few = await anEngine([aPlace({ name: 'Santo Niño' }), aPlace({ name: 'Port Louis' })]);
  const rangesOf = (text: string) => few.search(aQuery(text)).hits[0]?.highlight?.ranges;
  assert.deepEqual(rangesOf('sto'), [[0, 5]]);
  assert.deepEqual(rangesOf('portlouis'), [
    [0, 4],
    [5, 10],
  ]);
});

test('the typed letters are highlighted in the name', () => {
  assert.deepEqual(engine.search(aQuery('par')).hits[0]?.highlight, {
    ranges: [[0, 3]],
    matchLevel: 'full',
    matchedWords: ['par'],
  });
});

test('a settlement listed twice is shown once; real namesakes are all shown', async () => {
  const twice = await anEngine([
    aPlace({ id: 'G1', name: 'Ham', population: 5000, lat: 50, lng: 5 }),
    aPlace({ id: 'G2', name: 'Ham', population: 4000, lat: 50.02, lng: 5 }),
    aPlace({ id: 'G3', name: 'Ham', population: 3000, lat: 52, lng: 5 }),
  ]);
  assert.deepEqual(idsOf(twice.search(aQuery('ham'))), ['G1', 'G3']);
});

test('many settlements listed twice leave no room on the page if others match', async () => {
  const twice = Array.from({ length: 26 }, (_, i) =>
    aPlace({ name: 'Hamstead', population: 5000 - i, lat: Math.floor(i / 2) + (i % 2) / 50 }),
  );
  const once = Array.from({ length: 14 }, (_, i) => aPlace({ name: `Hamstead ${i}`, population: 100, lat: i }));
  const { hits, total, isTotalExact } = (await anEngine([...twice, ...once])).search(aQuery('hamstead'));
  assert.deepEqual([hits.length, total, isTotalExact], [20, 40, true]);
});

test('a query that no place matches whole drops words and reports them', () => {
  const result = engine.search(aQuery('rio xqzw'));
  assert.deepEqual(idsOf(result), ['G8']);
  assert.deepEqual(result.degraded, { query: 'rio', dropped: ['xqzw'], corrected: [], expanded: [] });
  assert.deepEqual(engine.search(aQuery('weather in paris')).degraded?.dropped, ['weather', 'in']);
});

test('`degraded` reports misspelt names, unfinished regions and misspelt regions', () => {
  const degradedFor = (text: string) => engine.search(aQuery(text)).degraded;
  assert.deepEqual(degradedFor('sprngfield, il'), {
    query: 'Springfield il',
    dropped: [],
    corrected: [{ from: 'sprngfield', to: 'Springfield' }],
    expanded: [],
  });
  assert.deepEqual(degradedFor('paris, tex'), {
    query: 'paris Texas',
    dropped: [],
    corrected: [],
    expanded: [{ from: 'tex', to: 'Texas' }],
  });
  assert.deepEqual(degradedFor('springfield ilinois'), {
    query: 'springfield Illinois',
    dropped: [],
    corrected: [{ from: 'ilinois', to: 'Illinois' }],
    expanded: [],
  });
  assert.deepEqual(degradedFor('newyork')?.corrected, [{ from: 'newyork', to: 'New York City' }]);
  assert.equal(degradedFor('new yo'), undefined);
});

test('nonsense finds nothing', () => {
  const { hits, total, isTotalExact, isExhaustive, degraded } = engine.search(aQuery('xqzwv kjhgf'));
  assert.deepEqual(
    { hits, total, isTotalExact, isExhaustive },
    { hits: [], total: 0, isTotalExact: true, isExhaustive: true },
  );
  assert.equal(degraded, undefined);
});

test('identical queries get identical results, whatever was searched in between', () => {
  const ask = () => engine.search(aQuery('springfeild', { explain: true, around: { lat: 40, lng: -90 } }));
  const first = ask();
  for (const text of ['paris', 'new york ny', 'xx', ''])
    engine.search(aQuery(text, { countries: ['US'], types: ['city'] }));
  assert.deepEqual(ask(), first);
});

test('ranking tells the first matched word of the name and the distance between matched words', async () => {
  const few = await anEngine([
    aPlace({ id: 'G1', name: 'Saint Germain en Laye' }),
    aPlace({ id: 'G2', name: 'Bad Homburg vor der Höhe' }),
    aPlace({ id: 'G3', name: 'Mont Saint Michel', alternateNames: ['Le Rocher du Mont'] }),
    aPlace({ id: 'G4', name: 'Baden Baden' }),
  ]);
  const rankingFor = (text: string) => {
    const [hit] = few.search(aQuery(text, { explain: true })).hits;
    const { firstMatchedWord, proximityDistance, exactWords } = hit?.ranking ?? {};
    return [hit?.objectID, firstMatchedWord, proximityDistance, exactWords];
  };
  assert.deepEqual(rankingFor('saint germain'), ['G1', 0, 0, 2]);
  assert.deepEqual(rankingFor('germain en laye'), ['G1', 1, 0, 3]);
  assert.deepEqual(rankingFor('laye'), ['G1', 3, 0, 1]);
  assert.deepEqual(rankingFor('lay'), ['G1', 3, 0, 0]);
  assert.deepEqual(rankingFor('homburg hohe'), ['G2', 1, 2, 2]);
  assert.deepEqual(rankingFor('hohe bad homburg'), ['G2', 0, 3, 3]);
  assert.deepEqual(rankingFor('hombrug vor'), ['G2', 1, 0, 1]);
  assert.deepEqual(rankingFor('rocher du mont'), ['G3', 1, 0, 3]);
  assert.deepEqual(rankingFor('st michel'), ['G3', 1, 0, 2]);
  assert.deepEqual(rankingFor('st mich'), ['G3', 1, 0, 0]);
  assert.deepEqual(rankingFor('baden baden'), ['G4', 0, 0, 2]);
  assert.deepEqual(rankingFor('baden france'), ['G4', 0, 0, 2]);
});

test('the parts of a score add up to it, and decidedBy names the deciding part', async () => {
  const few = await anEngine([
    aPlace({ id: 'G1', name: 'Ham' }),
    aPlace({ id: 'G2', name: 'Hamstead' }),
    aPlace({ id: 'G3', name: 'Ham', population: 500_000, country: 'DE' }),
  ]);
  const { hits } = few.search(aQuery('ham', { explain: true }));
  assert.deepEqual(
    hits.map(({ record, ranking }) => [record.objectID, ranking?.decidedBy]),
    [
      ['G3', 'importance'],
      ['G1', 'exact'],
      ['G2', undefined],
    ],
  );
  for (const { ranking } of hits) {
    const { score = 0, ...parts } = ranking?.criteria ?? {};
    const total = Object.values(parts).reduce((sum, points) => sum + points, 0);
    assert.ok(Math.abs(total - score) < 0.001);
  }
});

test('with a point, a name that a thousand places share is kept apart from longer names', async () => {
  const near = { lat: 10, lng: 10 };
  const namesakes = Array.from({ length: 1100 }, (_, i) =>
    aPlace({ id: `G${1000 + i}`, name: 'Zhen', lat: 50 + i / 100, lng: 60, population: 600 }),
  );
  const crowded = await anEngine([
    ...namesakes,
    aPlace({ id: 'G1', name: 'Zhengzhou', lat: 11, lng: 11, population: 9_000_000 }),
    aPlace({ id: 'G2', name: 'Zhenjiang', lat: 12, lng: 12, population: 900_000 }),
  ]);
  const { hits } = crowded.search(aQuery('zhen', { around: near, explain: true }));
  const unfinished = hits.filter(({ record }) => record.name !== 'Zhen');
  assert.deepEqual(
    unfinished.map(({ objectID }) => objectID),
    ['G1', 'G2'],
  );
  for (const { ranking } of unfinished) assert.ok((ranking?.criteria.exact ?? 0) < 0);
  assert.ok(hits.some(({ record }) => record.name === 'Zhen'));
});

test('a small country is searched completely, however many names elsewhere start alike', async () => {
  const crowd = Array.from({ length: 9000 }, (_, i) =>
    aPlace({ id: `G${1000 + i}`, name: `Sa${i}`, lat: 40, lng: i / 100, population: 50_000, country: 'US' }),
  );
  const small = aPlace({ id: 'G1', name: 'Saarn', lat: 51, lng: 7, population: 5, country: 'DE' });
  const crowded = await anEngine([...crowd, small]);
  assert.deepEqual(idsOf(crowded.search(aQuery('sa', { countries: ['DE'] }))), ['G1']);
});

test('ranking tells how many words of the query each hit has', async () => {
  const few = await anEngine([
    aPlace({ id: 'G1', name: 'Bad Homburg vor der Höhe', country: 'DE' }),
    aPlace({ id: 'G2', name: 'Homburg', country: 'FR' }),
  ]);
  const wordsFor = (text: string) =>
    few.search(aQuery(text, { explain: true })).hits.map(({ objectID, ranking }) => [objectID, ranking?.words]);
  assert.deepEqual(wordsFor('homburgg xqzw bad'), [
    ['G1', 2],
    ['G2', 1],
  ]);
  assert.deepEqual(wordsFor('homburg france'), [['G2', 2]]);
});

test('queries of the maximum number of words return a result', () => {
  for (const text of ['de '.repeat(170), 'paris, '.repeat(73), 'sprngfield illinois '.repeat(25)]) {
    assert.ok(Array.isArray(engine.search(aQuery(text)).hits), text);
  }
});

test('a query with more interpretations than can be listed explains its word-by-word hits rightly', async () => {
  const engine = await anEngine([
    aPlace({ id: 'G1', name: 'Zed', country: 'US', admin1: 'US.TX', population: 900_000 }),
  ]);
  const text = 'zed aaaq bbbq cccq dddq xqwv illinois missouri texas texas usa texas';
  const [hit] = engine.search(aQuery(text, { explain: true })).hits;
  assert.equal(hit?.ranking?.stage, 'wordByWord');
  assert.equal(hit.ranking.criteria.exact, -0.12); // more with the regions of another interpretation
});
