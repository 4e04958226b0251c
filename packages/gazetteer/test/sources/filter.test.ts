import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Gazetteer, Place, PlaceName } from 'toponym-engine/place/place';
import { filterPlaces } from '../../src/sources/filter.ts';
import { countKept, createReport } from '../../src/sources/report.ts';
import { readAll } from './read-all.ts';

function aGazetteer(places: readonly Partial<Place>[], rest: Partial<Gazetteer> = {}): Gazetteer {
  const report = createReport();
  async function* read(): AsyncGenerator<Place> {
    for (const place of places) {
      countKept(report);
      const names = [{ value: 'A', kind: 'main' }] as const;
      yield { id: 'G1', type: 'town', names, lat: 0, lng: 0, country: 'LI', adminRank: 0, ...place };
    }
  }
  return { version: 'x', attribution: [], countries: [], regions: [], places: read(), report, ...rest };
}

const named = (value: string, language?: string): PlaceName => ({
  ...{ value, kind: 'alternate' },
  ...(language && { language }),
});

async function namesKept(languages: readonly string[], names: readonly PlaceName[]): Promise<string[]> {
  const [place] = await readAll(filterPlaces(aGazetteer([{ names }]), { languages }));
  return place?.names.map(({ value }) => value) ?? [];
}

test('places below the population stay only if they are capitals, and an unknown population is below any', async () => {
  const filtered = filterPlaces(
    aGazetteer([
      { id: 'G1', population: 15_000 },
      { id: 'G2', population: 14_999 },
      { id: 'G3' },
      { id: 'G4', population: 5_000, adminRank: 5 },
      { id: 'G5', adminRank: 5 },
      { id: 'G6', population: 5_000, adminRank: 4 },
    ]),
    { minPopulation: 15_000 },
  );
  assert.deepEqual(
    (await readAll(filtered)).map(({ id }) => id),
    ['G1', 'G4', 'G5'],
  );
  assert.deepEqual(filtered.report, {
    rowsRead: 6,
    rowsKept: 3,
    rejected: new Map([['population unknown or below --min-population', { count: 3, samples: [] }]]),
  });
});

test('places of other countries are left out', async () => {
  const filtered = filterPlaces(aGazetteer([{ country: 'DE' }, { country: 'LI' }]), { countries: ['LI', 'AT'] });
  assert.deepEqual(
    (await readAll(filtered)).map(({ country }) => country),
    ['LI'],
  );
  assert.deepEqual([...filtered.report.rejected.keys()], ['not in --countries']);
});

test('names in other languages are left out, but not the main name, nor names of several languages', async () => {
  const main = { ...named('Monaco', 'it'), kind: 'main' } as const;
  const names = [main, named('München', 'de'), named('Munich', 'fr'), named('Minga', 'de-AT'), named('Bay', 'mul')];
  assert.deepEqual(await namesKept(['de'], names), ['Monaco', 'München', 'Minga', 'Bay']);
});

test('names without a language stay in Latin letters and in the scripts of the languages', async () => {
  const main = { value: 'Tokyo', kind: 'main' } as const;
  const names = [main, named('Tôquio'), named('Токио'), named('東京'), named('とうきょう'), named('도쿄')];
  assert.deepEqual(await namesKept(['de'], names), ['Tokyo', 'Tôquio']);
  assert.deepEqual(await namesKept(['ru'], names), ['Tokyo', 'Tôquio', 'Токио']);
  assert.deepEqual(await namesKept(['ja', 'ko'], names), ['Tokyo', 'Tôquio', '東京', 'とうきょう', '도쿄']);
});

test('the letters of languages in Fraktur or Gaelic type are Latin', async () => {
  const names = [{ value: 'Lübeck', kind: 'main' } as const, named('Lubeke'), named('Любек')];
  for (const language of ['gml', 'mga']) assert.deepEqual(await namesKept([language], names), ['Lübeck', 'Lubeke']);
});

test('romanizations stay only where the main name is not in Latin letters', async () => {
  const romanized = { value: 'dong jing', kind: 'romanized' } as const;
  assert.deepEqual(await namesKept(['de'], [{ value: 'Tokyo', kind: 'main' }, romanized]), ['Tokyo']);
  assert.deepEqual(await namesKept(['de'], [{ value: '東京', kind: 'main' }, romanized]), ['東京', 'dong jing']);
});

test('translations of divisions in other languages are left out', () => {
  const translations = new Map([
    ['de', 'Bayern'],
    ['fr', 'Bavière'],
  ]);
  const region = { key: 'DE.02', level: 1, country: 'DE', name: 'Bavaria', aliases: [], translations } as const;
  const [filtered] = filterPlaces(aGazetteer([], { regions: [region] }), { languages: ['de'] }).regions;
  assert.deepEqual(filtered, { ...region, translations: new Map([['de', 'Bayern']]) });
});
