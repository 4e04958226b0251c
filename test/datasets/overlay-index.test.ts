import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildOverlay } from '../../src/datasets/overlay-index.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { anIndex, aPlace } from '../support/an-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PLACES = [
  aPlace({ id: 'G1', name: 'Capital', population: 500_000, adminRank: 5, alternateNames: ['Kapital', 'Capitale'] }),
  aPlace({ id: 'G2', name: 'Plain', population: 500_000, alternateNames: ['Ebene', 'Plaine'] }),
  aPlace({ id: 'G3', name: 'Paris', country: 'US', admin1: 'US.IL', admin2: 'US.IL.167' }),
  aPlace({ id: 'G4', name: 'Uncounted', adminRank: 4, population: 0 }),
  aPlace({ id: 'G5', name: 'Quarter', type: 'suburban area', country: 'DE' }),
  aPlace({ id: 'G6', name: 'Großstadt', population: 500_000, country: 'DE' }),
];

/** A line that adds a town. */
function addedPlace(country: string, admin1: string): object {
  return { add: { id: 'L1', name: 'Nova', lat: 40, lng: -89, country, admin1, population: 50_000 } };
}

/** Opens the engine with an overlay of these lines. */
async function withOverlay(context: TestContext, ...lines: object[]) {
  const file = join(temporaryFolder(context), 'fixes.ndjson');
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const index = await anIndex(PLACES);
  const before = openEngine(index);
  const after = openEngine(index, await buildOverlay(file, index));
  const importances = (id: string) =>
    [before, after].map((engine) => engine.get(id)?.record.importance) as [number, number];
  return { after, importances };
}

test('a change that repeats the population keeps the importance of a seat of government', async (context) => {
  const { importances } = await withOverlay(
    context,
    { change: 'G1', population: 500_000 },
    { change: 'G2', population: 500_000 },
  );
  const [capital, changedCapital] = importances('G1');
  const [plain, changedPlain] = importances('G2');
  assert.ok(capital > plain);
  assert.deepEqual([changedCapital, changedPlain], [capital, plain]);
});

test('a changed population or rank gives the same importance as a build', async (context) => {
  const { importances } = await withOverlay(
    context,
    { change: 'G1', population: 600_000, adminRank: 0 },
    { change: 'G2', population: 600_000 },
  );
  assert.equal(importances('G1')[1], importances('G2')[1]);
  const { importances: ranked } = await withOverlay(context, { change: 'G2', adminRank: 5 });
  assert.equal(ranked('G2')[1], ranked('G1')[0]);
});

test('an importance set by a rank line survives later changes of the place', async (context) => {
  const { after } = await withOverlay(context, { rank: 'G2', importance: 0.9 }, { change: 'G2', population: 12 });
  assert.equal(after.get('G2')?.record.importance, 0.9);
});

test('population 0 means unknown, as in all other formats', async (context) => {
  const { after, importances } = await withOverlay(context, { change: 'G4', adminRank: 4, population: 0 });
  assert.equal(after.get('G4')?.record.population, undefined);
  assert.ok(importances('G4')[1] > 0.4, `${importances('G4')}`);
});

test('a place that moves to another country or division loses its old divisions', async (context) => {
  const { after } = await withOverlay(context, { change: 'G3', country: 'FR' });
  const { record } = after.get('G3') ?? {};
  assert.deepEqual(
    [record?.regions.countryCode, record?.regions.administrative, record?.regions.county],
    ['fr', [], []],
  );
  const { after: same } = await withOverlay(context, { change: 'G3', country: 'US', admin1: 'Illinois' });
  assert.deepEqual(same.get('G3')?.record.regions.county, ['Sangamon County']);
  const { after: moved } = await withOverlay(context, { change: 'G3', admin1: 'Texas' });
  assert.deepEqual(
    [moved.get('G3')?.record.regions.administrative, moved.get('G3')?.record.regions.county],
    [['Texas'], []],
  );
});

test('a division alone has the same code for hits of the overlay as for hits of the index', async (context) => {
  const { after } = await withOverlay(context, { hide: 'G3' }, addedPlace('US', 'Illinois'));
  assert.deepEqual(after.search({ text: 'illinois', limit: 5 }).matchedRegion, {
    name: 'Illinois',
    code: 'US.IL',
    level: 1,
  });
});

test('an unknown country is refused with file and line', async (context) => {
  const error = { name: 'SourceError', message: /fixes\.ndjson:2: change: unknown country ZZ/ };
  await assert.rejects(withOverlay(context, { hide: 'G1' }, { change: 'G3', country: 'ZZ' }), error);
});

test('a changed suburban area shows its city, which is in the base index or in the overlay', async (context) => {
  const change = { change: 'G5', name: 'Viertel' };
  const { after } = await withOverlay(context, change);
  assert.equal(after.get('G5')?.label, 'Viertel, Großstadt, Germany');
  const { after: renamed } = await withOverlay(context, change, { change: 'G6', name: 'Metropole' });
  assert.equal(renamed.get('G5')?.label, 'Viertel, Metropole, Germany');
  const { after: hidden } = await withOverlay(context, change, { hide: 'G6' });
  assert.equal(hidden.get('G5')?.label, 'Viertel, Germany');
});
