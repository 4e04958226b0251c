import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, aPlace, aQuery, idsOf } from '../../../../test/support/an-engine.ts';
import type { Place } from '../../src/place/place.ts';

const CITY = { population: 1_000_000, importance: 0.8 };

async function idsFor(places: readonly Place[], text: string): Promise<string[]> {
  return idsOf((await anEngine(places)).search(aQuery(text)));
}

test('namesakes stay on the page before corrections', async () => {
  const misspelt = Array.from({ length: 24 }, (_, i) => aPlace({ name: `Amal${'bcdghkmnprstvwxyzaeiou'[i] ?? 'j'}i` }));
  const amalfi = [1, 2, 3].map((i) => aPlace({ id: `G10000${i}`, name: 'Amalfi', lat: 10 * i, population: 3000 }));
  const ids = await idsFor([...misspelt, ...amalfi], 'amalf');
  assert.deepEqual(ids.slice(0, 3).sort(), ['G100001', 'G100002', 'G100003']);
});

test('a misspelt city still replaces namesakes that score less', async () => {
  const namesakes = Array.from({ length: 30 }, (_, i) => aPlace({ name: `Amme${i % 15}`, population: 10, lat: i }));
  const ids = await idsFor([...namesakes, aPlace({ id: 'G100001', name: 'Hamme', ...CITY })], 'amme');
  assert.ok(ids.includes('G100001'));
});

test('a few letters of a region do not hide a place whose name goes on with them', async () => {
  const places = [
    aPlace({ id: 'G1', name: 'Byron', country: 'US', admin1: 'US.TX', population: 1500 }),
    aPlace({ id: 'G2', name: 'Byron Tebay', population: 2000 }),
  ];
  assert.deepEqual(await idsFor(places, 'byron te'), ['G2', 'G1']);
  assert.deepEqual(await idsFor(places, 'byron, te'), ['G1', 'G2']);
});

test('a few letters of a region must begin its own name, and one letter is no code', async () => {
  const inGermany = aPlace({ id: 'G1', name: 'Windheim', country: 'DE' });
  for (const [text, ids] of [
    ['windheim ger', ['G1']],
    ['windheim all', []], // Allemagne
    ['windheim alle', ['G1']],
  ] as const) {
    const { hits } = (await anEngine([inGermany])).search(aQuery(text, { explain: true }));
    const found = hits.filter(({ ranking }) => ranking?.stage === 'unfinishedRegion').map(({ objectID }) => objectID);
    assert.deepEqual(found, ids, text);
  }
});

test('an uncommon alias of a few letters gives way to a city whose name begins so', async () => {
  const named = (language?: string) =>
    ({ value: 'Daka', kind: 'alternate', ...(language === undefined ? {} : { language }) }) as const;
  const dakar = aPlace({ id: 'G1', name: 'Dakar', ...CITY });
  const dhaka = (language?: string) =>
    aPlace({ id: 'G2', name: 'Dhaka', country: 'GB', ...CITY, importance: 0.9, alternateNames: [named(language)] });
  for (const language of [undefined, 'ku']) {
    assert.deepEqual(await idsFor([dakar, dhaka(language)], 'daka'), ['G1', 'G2']);
  }
  // in a language with well-known exonyms, or a nickname
  for (const language of ['de', 'en', 'mul']) {
    assert.deepEqual(await idsFor([dakar, dhaka(language)], 'daka'), ['G2', 'G1'], language);
  }
  const village = aPlace({ id: 'G1', name: 'Dakar', population: 3000 });
  assert.deepEqual(await idsFor([village, dhaka()], 'daka'), ['G2', 'G1']);
});

test('the beginning of a name is a partial match, although a rare alias is the same', async () => {
  const maori = { value: 'Parī', kind: 'alternate', language: 'mi' } as const;
  const engine = await anEngine([aPlace({ name: 'Paris', ...CITY, alternateNames: [maori] })]);
  assert.equal(engine.search(aQuery('pari')).hits[0]?.matchCode, 'partial');
});

test('the explanation of an alias that gives way adds up to its score', async () => {
  const engine = await anEngine([
    aPlace({ name: 'Dakar', ...CITY }),
    aPlace({ id: 'G2', name: 'Dhaka', ...CITY, importance: 0.9, alternateNames: ['Daka'] }),
  ]);
  const hit = engine.search(aQuery('daka', { explain: true })).hits.find(({ objectID }) => objectID === 'G2');
  const { score, ...parts } = hit!.ranking!.criteria;
  const sum = Object.values(parts).reduce((total, points) => total + points, 0);
  assert.ok(Math.abs(sum - score!) < 0.001, `${sum} ${score}`);
  assert.equal(parts.words, 0);
});

test('the code of a country gives way to a city whose name begins so, and shows two places', async () => {
  const french = Array.from({ length: 5 }, (_, i) =>
    aPlace({ id: `G${10 + i}`, name: `Ville ${i}`, importance: 0.9 - i / 100, lat: 40 + i }),
  );
  const city = aPlace({ id: 'G1', name: 'Frankfurt', country: 'DE', ...CITY });
  const others = Array.from({ length: 5 }, (_, i) =>
    aPlace({ id: `G${20 + i}`, name: `Fraxern ${i}`, country: 'DE', population: 5000, lat: 50 + i }),
  );
  const ids = await idsFor([...french, city, ...others], 'fra');
  assert.deepEqual(ids.slice(0, 3), ['G1', 'G10', 'G11']);
  assert.ok(ids.indexOf('G12') > ids.indexOf('G24'));
});

test('the code of a country shows more places if no city begins so', async () => {
  const french = Array.from({ length: 5 }, (_, i) =>
    aPlace({ id: `G${10 + i}`, name: `Ville ${i}`, importance: 0.9 - i / 100, lat: 40 + i }),
  );
  const hits = (await anEngine(french)).search(aQuery('fra', { explain: true })).hits;
  assert.deepEqual(new Set(hits.map(({ ranking }) => ranking?.criteria.words)).size, 1);
});

test('a small region is not lifted above places of its name', async () => {
  const small = aPlace({ id: 'G1', name: 'Dorf', country: 'US', admin1: 'US.TX', population: 9000 });
  const village = aPlace({ id: 'G2', name: 'Texas', population: 9000 });
  assert.deepEqual(await idsFor([small, village], 'texas'), ['G2', 'G1']);
});

test('a region comes before a village of its name, and is among the first five beside towns', async () => {
  const houston = aPlace({ id: 'G1', name: 'Houston', country: 'US', admin1: 'US.TX', ...CITY, importance: 0.68 });
  const village = aPlace({ id: 'G2', name: 'Texas', population: 9000, importance: 0.45 });
  assert.deepEqual(await idsFor([houston, village], 'texas'), ['G1', 'G2']);
  const towns = Array.from({ length: 8 }, (_, i) =>
    aPlace({ id: `G${10 + i}`, name: 'Texas', lat: 10 * i, importance: 0.7 - i / 100 }),
  );
  assert.equal((await idsFor([houston, ...towns], 'texas')).indexOf('G1'), 4);
});

test('a well-known city is found beside a part of it that is not known', async () => {
  const places = [
    aPlace({
      id: 'G1',
      name: 'Rio de Janeiro',
      ...CITY,
      alternateNames: [{ value: 'Rio', kind: 'alternate', language: 'pt' }],
    }),
    aPlace({ id: 'G2', name: 'Copacabana', country: 'DE', lat: 0, population: 40_000 }),
    aPlace({ id: 'G3', name: 'Dallas', ...CITY, lat: 20, lng: 50 }),
    aPlace({ id: 'G4', name: 'Fort Worth', ...CITY, importance: 0.75, lat: 20.3, lng: 50 }),
  ];
  assert.equal((await idsFor(places, 'copacabana rio'))[0], 'G1');
  assert.equal((await idsFor(places, 'rio xqzw'))[0], 'G1');
  // two neighbours are no city and its part
  const found = await idsFor(places, 'dallas fort worth');
  assert.ok(found.includes('G3') && found.includes('G4'));
});

test('a text that was percent-encoded twice is decoded, and other percent signs are kept', async () => {
  const places = [aPlace({ id: 'G1', name: 'São Paulo', ...CITY })];
  assert.deepEqual(await idsFor(places, 'S%C3%A3o%20Paulo'), ['G1']);
  for (const text of ['%', '%E3', '%zz', '100%25%']) await idsFor(places, text);
});
