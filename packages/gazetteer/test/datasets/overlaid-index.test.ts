import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openEngine } from 'toponym-engine/open-engine';
import { readIndexFile } from 'toponym-files/index-file';
import { anIndex, anOverlaidIndex, aPlace, aQuery, idsOf } from '../../../../test/support/an-engine.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { markUsed, overlaidIndex } from '../../src/datasets/overlaid-index.ts';

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
async function withOverlay(...lines: object[]) {
  const index = await anIndex(PLACES);
  const before = openEngine(index);
  const after = openEngine(await anOverlaidIndex(index, ...lines));
  const importances = (id: string) =>
    [before, after].map((engine) => engine.get(id)?.record.importance) as [number, number];
  return { after, importances };
}

test('a change that repeats the population keeps the importance of a seat of government', async () => {
  const { importances } = await withOverlay(
    { change: 'G1', population: 500_000 },
    { change: 'G2', population: 500_000 },
  );
  const [capital, changedCapital] = importances('G1');
  const [plain, changedPlain] = importances('G2');
  assert.ok(capital > plain);
  assert.deepEqual([changedCapital, changedPlain], [capital, plain]);
});

test('a changed population or rank gives the same importance as a build', async () => {
  const { importances } = await withOverlay(
    { change: 'G1', population: 600_000, adminRank: 0 },
    { change: 'G2', population: 600_000 },
  );
  assert.equal(importances('G1')[1], importances('G2')[1]);
  const { importances: ranked } = await withOverlay({ change: 'G2', adminRank: 5 });
  assert.equal(ranked('G2')[1], ranked('G1')[0]);
});

test('an importance set by a rank line survives later changes of the place', async () => {
  const { after } = await withOverlay({ rank: 'G2', importance: 0.9 }, { change: 'G2', population: 12 });
  assert.equal(after.get('G2')?.record.importance, 0.9);
});

test('population 0 means unknown, as in all other formats', async () => {
  const { after, importances } = await withOverlay({ change: 'G4', adminRank: 4, population: 0 });
  assert.equal(after.get('G4')?.record.population, undefined);
  assert.ok(importances('G4')[1] > 0.4, `${importances('G4')}`);
});

test('a place that moves to another country or division loses its old divisions', async () => {
  const { after } = await withOverlay({ change: 'G3', country: 'FR' });
  const { record } = after.get('G3') ?? {};
  assert.deepEqual(
    [record?.regions.countryCode, record?.regions.administrative, record?.regions.county],
    ['fr', [], []],
  );
  const { after: same } = await withOverlay({ change: 'G3', country: 'US', admin1: 'Illinois' });
  assert.deepEqual(same.get('G3')?.record.regions.county, ['Sangamon County']);
  const { after: moved } = await withOverlay({ change: 'G3', admin1: 'Texas' });
  assert.deepEqual(
    [moved.get('G3')?.record.regions.administrative, moved.get('G3')?.record.regions.county],
    [['Texas'], []],
  );
});

test('a division alone has the same code for hits of the overlay as for hits of the index', async () => {
  const { after } = await withOverlay({ hide: 'G3' }, addedPlace('US', 'Illinois'));
  assert.deepEqual(after.search({ text: 'illinois', limit: 5 }).matchedRegion, {
    name: 'Illinois',
    code: 'US.IL',
    level: 1,
  });
});

test('an unknown country is refused with file and line', async () => {
  const error = { name: 'UsageError', message: /fixes\.ndjson:2: change: unknown country ZZ/ };
  await assert.rejects(withOverlay({ hide: 'G1' }, { change: 'G3', country: 'ZZ' }), error);
});

test('a changed suburban area shows its city, which is in the base index or in the overlay', async () => {
  const change = { change: 'G5', name: 'Viertel' };
  const { after } = await withOverlay(change);
  assert.equal(after.get('G5')?.label, 'Viertel, Großstadt, Germany');
  const { after: renamed } = await withOverlay(change, { change: 'G6', name: 'Metropole' });
  assert.equal(renamed.get('G5')?.label, 'Viertel, Metropole, Germany');
  const { after: hidden } = await withOverlay(change, { hide: 'G6' });
  assert.equal(hidden.get('G5')?.label, 'Viertel, Germany');
});

test('places that an overlay adds, changes and hides are so in search, reverse lookup and lookup by id', async () => {
  const { after } = await withOverlay(
    { hide: 'G1' },
    { change: 'G2', name: 'Plainfield', lat: 40.1, lng: -89 },
    addedPlace('US', 'Illinois'),
  );
  assert.deepEqual([after.get('G1'), after.get('G2')?.record.name], [undefined, 'Plainfield']);
  assert.deepEqual(idsOf(after.search(aQuery('capital'))), []);
  assert.deepEqual(idsOf(after.reverse({ at: { lat: 40, lng: -89 }, limit: 2 })), ['L1', 'G2']);
  assert.deepEqual([after.dataset.places, after.reverse({ at: { lat: 0, lng: 0 }, limit: 1 }).total], [6, 6]);
  assert.match(after.dataset.version, /^test-1\+overlay-[0-9a-f]{8}$/);
});

test('an overlay merges no places, whatever their names and ids in other data', async () => {
  const twin = { id: 'N9', name: 'Capital', lat: 47, lng: 2, country: 'FR', externalIds: ['gn:1'] };
  const { after } = await withOverlay({ add: twin });
  assert.deepEqual([after.get('N9')?.record.objectID, after.get('G1')?.record.objectID], ['N9', 'G1']);
});

test('an index with an overlay is built once for each version of both, and again if its file is damaged', async (context) => {
  const folder = temporaryFolder(context);
  const overlay = join(folder, 'fixes.ndjson');
  writeFileSync(overlay, '{"hide":"G1"}');
  const index = await anIndex(PLACES);
  const load = async () => {
    const { path, index: read = readIndexFile(path) } = await overlaidIndex(index, overlay, { folder });
    return openEngine(read).dataset;
  };
  const files = () => readdirSync(folder).filter((name) => name.endsWith('.toponym'));
  const { version } = await load();
  const [file = ''] = files();
  const { ino } = statSync(join(folder, file));
  assert.deepEqual([(await load()).version, files(), statSync(join(folder, file)).ino], [version, [file], ino]);
  truncateSync(join(folder, file), 5000);
  assert.deepEqual([(await load()).version, files()], [version, [file]]);
  writeFileSync(overlay, '{"hide":"G2"}');
  assert.notEqual((await load()).version, version);
  assert.equal(files().length, 2);
});

test('of indexes with overlays, the newest stay', async (context) => {
  const folder = temporaryFolder(context);
  const overlay = join(folder, 'fixes.ndjson');
  const unusedSeconds = Date.now() / 1000 - 130; // services mark theirs each minute
  const old = ['a', 'b', 'c', 'd'].map((name, i) => {
    const path = join(folder, `overlaid-${name}.toponym`);
    writeFileSync(path, '');
    utimesSync(path, unusedSeconds + i, unusedSeconds + i);
    return path;
  });
  writeFileSync(overlay, '{"hide":"G1"}');
  await overlaidIndex(await anIndex(PLACES), overlay, { folder });
  const left = readdirSync(folder).map((name) => join(folder, name));
  assert.deepEqual(
    old.map((path) => left.includes(path)),
    [false, false, true, true], // with the new one, three
  );
});

test('an index in use is kept, however old it is, and is not touched', async (context) => {
  const folder = temporaryFolder(context);
  const overlay = join(folder, 'fixes.ndjson');
  const old = ['a', 'b', 'c', 'd'].map((name, i) => {
    const path = join(folder, `overlaid-${name}.toponym`);
    writeFileSync(path, '');
    utimesSync(path, 1000 + i, 1000 + i);
    return path;
  });
  const [used = ''] = old;
  const before = statSync(used, { bigint: true });
  markUsed(used);
  markUsed(join(folder, 'missing', 'overlaid-e.toponym')); // says nothing
  writeFileSync(overlay, '{"hide":"G1"}');
  await overlaidIndex(await anIndex(PLACES), overlay, { folder });
  const { mtimeNs, ctimeNs } = statSync(used, { bigint: true });
  assert.deepEqual([mtimeNs, ctimeNs], [before.mtimeNs, before.ctimeNs]);
  assert.deepEqual(
    old.map((path) => existsSync(path)),
    [true, false, false, true],
  );
});

test('a folder that was deleted is made again', async (context) => {
  const folder = join(temporaryFolder(context), 'cache');
  const overlay = join(temporaryFolder(context), 'fixes.ndjson');
  writeFileSync(overlay, '{"hide":"G1"}');
  const { path } = await overlaidIndex(await anIndex(PLACES), overlay, { folder });
  assert.equal(dirname(path), folder);
});

test('what killed builds have left is removed, and an aborted build leaves nothing', async (context) => {
  const folder = temporaryFolder(context);
  const overlay = join(folder, 'fixes.ndjson');
  const leftover = join(folder, '.overlaid-abc.toponym.elsewhere.1-2-abc.tmp');
  writeFileSync(leftover, '');
  utimesSync(leftover, 1000, 1000);
  writeFileSync(overlay, '{"hide":"G1"}');
  const stopping = new AbortController();
  const onProgress = () => stopping.abort();
  await assert.rejects(
    overlaidIndex(await anIndex(PLACES), overlay, { folder, onProgress, stopping: stopping.signal }),
    {
      name: 'AbortError',
    },
  );
  assert.deepEqual(readdirSync(folder), ['fixes.ndjson']);
});

test('an overlay that hides every place is refused', async (context) => {
  const folder = temporaryFolder(context);
  const overlay = join(folder, 'fixes.ndjson');
  writeFileSync(overlay, PLACES.map(({ id }) => JSON.stringify({ hide: id })).join('\n'));
  await assert.rejects(overlaidIndex(await anIndex(PLACES), overlay, { folder }), {
    name: 'UsageError',
    message: /^The overlay .*fixes\.ndjson hides every place\.$/,
  });
});
