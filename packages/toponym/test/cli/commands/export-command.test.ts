import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { openEngine } from 'toponym-engine/open-engine';
import type { Gazetteer, Place } from 'toponym-engine/place/place';
import { readIndexFile, writeIndexFile } from 'toponym-files/index-file';
import { buildIndex } from 'toponym-gazetteer/build/build-index';
import { openPlaces } from 'toponym-gazetteer/build/read-places';
import { openGeonames } from 'toponym-gazetteer/sources/geonames/geonames';
import { openNdjson } from 'toponym-gazetteer/sources/ndjson';
import { createCountries } from 'toponym-gazetteer/sources/regions/countries';
import { createReport } from 'toponym-gazetteer/sources/report';
import { runCommand } from '../../../../../test/support/command.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { worldIndex } from '../../../../../test/support/world-index.ts';

const FIXTURES = fileURLToPath(new URL('../../../../../test/fixtures/sources', import.meta.url));

/**
 * Writes an index of the gazetteer to a new folder and returns functions that run commands there.
 */
async function writeIndex(context: TestContext, gazetteer: Gazetteer) {
  const cwd = temporaryFolder(context);
  const { chunks } = await buildIndex(gazetteer);
  writeIndexFile(join(cwd, 'a.toponym'), chunks);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(args, { cwd });
    assert.equal(code, 0, stderr);
    return { stdout, stderr };
  };
  return {
    cwd,
    run,
    exported: async (...args: string[]) => (await run('export', '--index', 'a.toponym', ...args)).stdout,
  };
}

/** Returns the places of an index by id, with their names sorted by language and value. */
function placesIn(file: string): Map<string, Place> {
  const index = openIndex(readIndexFile(file));
  const { readPlace } = openPlaces(index);
  return new Map(
    Array.from({ length: index.metadata.places }, (_, id) => {
      const { names, ...fields } = readPlace(id);
      const [main, ...others] = names.map((name) => ({ language: '', ...name }));
      others.sort((a, b) => `${a.language} ${a.value}`.localeCompare(`${b.language} ${b.value}`, 'en'));
      return [fields.id, { ...fields, names: main === undefined ? [] : [main, ...others] }];
    }),
  );
}

test('building an export gives the same places in the same order of importance', async (context) => {
  const { cwd, run, exported } = await writeIndex(context, await openGeonames([join(FIXTURES, 'geonames')]));
  await run('export', '--index', 'a.toponym', '--out', 'a.ndjson');
  await run('build', '--from', 'ndjson', 'a.ndjson', '--out', 'b.toponym');
  const before = join(cwd, 'a.toponym');
  const after = join(cwd, 'b.toponym');
  assert.equal(placesIn(before).size, 3);
  assert.deepEqual(placesIn(after), placesIn(before));
  const one = openIndex(readIndexFile(before));
  const other = openIndex(readIndexFile(after));
  assert.deepEqual(other.placeImportance, one.placeImportance);
  assert.equal(other.metadata.version, one.metadata.version);
  assert.deepEqual(other.metadata.attribution, one.metadata.attribution);
  assert.equal((await run('export', '--index', 'b.toponym')).stdout, await exported());
});

test('an export keeps embedded places without a GeoNames id', async (context) => {
  const version = 'geonames-cities500-2023-03-05-cities1000-2026-09';
  const seat = { name: 'Nansana', lat: 0.36, lng: 32.53, country: 'UG' };
  const embedded = {
    ...aGazetteer([
      { ...seat, id: 'C123456789012345' },
      { ...seat, id: 'G1' },
    ]),
    version,
  };
  const { cwd, run } = await writeIndex(context, embedded);
  await run('export', '--index', 'a.toponym', '--out', 'a.ndjson');
  await run('build', '--from', 'ndjson', 'a.ndjson', '--out', 'b.toponym');
  const [before, after] = [placesIn(join(cwd, 'a.toponym')), placesIn(join(cwd, 'b.toponym'))];
  assert.deepEqual([...after.keys()].sort(), ['C123456789012345', 'G1']);
  assert.deepEqual(after, before);
});

test('an export keeps the extents of places, which the next build and its records have', async (context) => {
  const lines = [
    { id: 'X1', name: 'Seestadt', lat: 47.34, lng: 9.62, bbox: [9.5, 47.3, 9.7123456, 47.4], country: 'LI' },
    { id: 'X2', name: 'Unterwald', lat: 47.32, lng: 9.43, country: 'LI' },
    { id: 'X3', name: 'Insel', lat: -16.4, lng: 180, bbox: [179.5, -17, -179.5, -16.1], country: 'FJ' },
  ];
  const source = join(temporaryFolder(context), 'own.ndjson');
  writeFileSync(source, lines.map((line) => JSON.stringify(line)).join('\n'));
  const { cwd, run, exported } = await writeIndex(context, await openNdjson([source]));
  await run('export', '--index', 'a.toponym', '--out', 'a.ndjson');
  await run('build', '--from', 'ndjson', 'a.ndjson', '--out', 'b.toponym');
  const extents = (text: string) =>
    Object.fromEntries(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ id }) => id !== undefined)
        .map(({ id, bbox }) => [id, bbox]),
    );
  const expected = { X1: lines[0]?.bbox, X2: undefined, X3: lines[2]?.bbox };
  assert.deepEqual(extents(await exported()), expected);
  assert.deepEqual(extents((await run('export', '--index', 'b.toponym')).stdout), expected);
  const engine = openEngine(readIndexFile(join(cwd, 'b.toponym')));
  assert.deepEqual(engine.get('X1')?.record.box, { south: 47.3, west: 9.5, north: 47.4, east: 9.7123456 });
  assert.deepEqual(engine.get('X3')?.record.box, { south: -17, west: 179.5, north: -16.1, east: -179.5 });
});

test('the export has the dataset line, then the divisions, then the places', async (context) => {
  const { exported } = await writeIndex(context, await openNdjson([join(FIXTURES, 'own.ndjson')]));
  const lines = (await exported()).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [
      { dataset: { version: 'own-2026-11-15', attribution: ['Example Survey, CC0'] } },
      { region: { key: 'LI.M', name: 'Musterland', aliases: ['model country'] } },
      { region: { key: 'LI.~oberland', name: 'Oberland', aliases: [] } },
      { region: { key: 'LI.M.N', name: 'Bezirk Nord', aliases: ['nord'] } },
      {
        id: 'X1',
        name: 'Seestadt',
        names: {
          en: ['Laketown'],
          de: ['Seestadt am Ufer', { value: 'Alt-Seen', kind: 'historic' }],
          und: [{ value: 'SEE', kind: 'code' }],
        },
        type: 'city',
        lat: 47.34,
        lng: 9.62,
        country: 'LI',
        admin1: 'LI.M',
        admin2: 'LI.M.N',
        population: 12345,
        timezone: 'Europe/Vaduz',
        adminRank: 5,
        externalIds: ['wd:Q123456789'],
      },
      { id: 'X2', name: 'Unterwald', type: 'hamlet', lat: 47.32, lng: 9.43, country: 'LI', admin1: 'LI.~oberland' },
    ],
  );
});

test('an export has the divisions with their names in other languages', async (context) => {
  const { exported } = await writeIndex(context, await openGeonames([join(FIXTURES, 'geonames-languages')]));
  const regions = (await exported('--country', 'US')).split('\n').filter((line) => line.startsWith('{"region"'));
  assert.deepEqual(
    regions.map((line) => JSON.parse(line).region.names).map((names) => names && [names.fr, names.ja, names.ru]),
    [['Texas', 'テキサス州', 'Техас'], undefined],
  );
});

test('after an export and a build, the name of a division still finds its places', async (context) => {
  const { cwd, run } = await writeIndex(context, await openNdjson([join(FIXTURES, 'own.ndjson')]));
  await run('export', '--index', 'a.toponym', '--out', 'a.ndjson');
  await run('build', '--from', 'ndjson', 'a.ndjson', '--out', 'b.toponym');
  const engine = openEngine(readIndexFile(join(cwd, 'b.toponym')));
  const found = engine.search({ text: 'seestadt, model country', limit: 2 });
  assert.deepEqual([found.hits[0]?.record.objectID, found.degraded], ['X1', undefined]);
  assert.equal(engine.search({ text: 'model country', limit: 2 }).matchedRegion?.code, 'LI.M');
});

/** A gazetteer of places such as `{ id: 'X1', name: 'First', admin1: 'US.A' }`, and of first-level divisions. */
function aGazetteer(
  places: readonly (Pick<Place, 'id' | 'country'> & Partial<Place> & { readonly name: string })[],
  regions: Gazetteer['regions'] = [],
): Gazetteer {
  const fields = { type: 'town', lat: 1, lng: 2, adminRank: 0 } as const;
  async function* read(): AsyncGenerator<Place> {
    for (const { name, ...place } of places) yield { ...fields, ...place, names: [{ value: name, kind: 'main' }] };
  }
  const report = createReport();
  return { version: 'own', attribution: [], countries: createCountries(), regions, places: read(), report };
}

test('two divisions with the same name in one country stay separate', async (context) => {
  const places = [
    { id: 'X1', name: 'First', country: 'US', admin1: 'US.A' },
    { id: 'X2', name: 'Second', country: 'US', admin1: 'US.B' },
  ];
  const region = { level: 1, country: 'US', name: 'Same', aliases: [] } as const;
  const regions = ['US.A', 'US.B'].map((key) => ({ ...region, key }));
  const { exported } = await writeIndex(context, aGazetteer(places, regions));
  const lines = (await exported()).trimEnd().split('\n').slice(-2);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).admin1),
    ['US.A', 'US.B'],
  );
});

test('--country and --type select places, and only the divisions of these are exported', async (context) => {
  const cwd = temporaryFolder(context);
  const index = ['--index', await worldIndex()];
  const args = ['export', ...index, '--country', 'li,MC', '--type', 'town, city', '--out', 'few.ndjson', '--json'];
  const { stdout, stderr } = await runCommand(args, { cwd });
  const lines = readFileSync(join(cwd, 'few.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const places = lines.filter((line) => 'id' in line);
  const regions = lines.filter((line) => 'region' in line);
  assert.deepEqual([...new Set(places.map(({ country }) => country))].sort(), ['LI', 'MC'], stderr);
  assert.ok(places.every(({ type }) => type === 'town' || type === 'city'));
  const used = new Set(places.flatMap(({ admin1, admin2 }) => [admin1, admin2]));
  assert.ok(regions.every(({ region }) => used.has(region.key)));
  assert.deepEqual(JSON.parse(stdout), {
    out: join(cwd, 'few.ndjson'),
    places: places.length,
    regions: regions.length,
    bytes: readFileSync(join(cwd, 'few.ndjson')).length,
    withoutCountry: 0,
  });
});

test('places without a country are left out, and alone they exit with 1 and leave the old file unchanged', async (context) => {
  const places = [
    { id: 'X1', name: 'Nowhere', country: '' },
    { id: 'X2', name: 'Vaduz', country: 'LI', type: 'city' } as const,
  ];
  const { cwd } = await writeIndex(context, aGazetteer(places));
  writeFileSync(join(cwd, 'old.ndjson'), 'old');
  const args = ['export', '--index', 'a.toponym', '--out', 'old.ndjson'];
  const none = await runCommand([...args, '--type', 'town'], { cwd });
  assert.deepEqual(
    [none.code, none.stderr],
    [1, 'toponym: the index has no places of type town with a known country; nothing was written.\n'],
  );
  assert.equal(readFileSync(join(cwd, 'old.ndjson'), 'utf8'), 'old');
  const some = await runCommand([...args, '--country', 'LI,AQ'], { cwd });
  assert.deepEqual([some.code, some.stderr], [0, 'The index has no places in AQ.\n']);
  const all = await runCommand(args, { cwd });
  assert.deepEqual([all.code, all.stderr], [0, '1 places without a known country were left out.\n']);
});
