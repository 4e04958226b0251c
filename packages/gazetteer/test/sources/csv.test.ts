import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openCsv } from '../../src/sources/csv.ts';
import { aFile } from './ndjson/ndjson-files.ts';
import { readAll } from './read-all.ts';

async function read(context: TestContext, text: string) {
  const gazetteer = await openCsv([aFile(context, 'own.csv', text)]);
  const places = await readAll(gazetteer);
  const rejected = [...gazetteer.report.rejected].map(([reason, { samples }]) => [reason, ...samples]);
  return { places, rejected, version: gazetteer.version };
}

test('a spreadsheet with usual headings becomes places', async (context) => {
  const { places, rejected, version } = await read(
    context,
    '\ufeffName;Breite;Länge;Einwohner;Land;Aliases;Typ;id;Bundesland\r\n' +
      'Seestadt;47,34;9,62;12.345;Liechtenstein;Laketown | Ville du Lac;City;7;Musterland\r\n',
  );
  assert.deepEqual(rejected, []);
  assert.equal(version, 'own');
  assert.deepEqual(places, [
    {
      id: 'L7',
      type: 'city',
      names: [
        { value: 'Seestadt', kind: 'main' },
        { value: 'Laketown', kind: 'alternate' },
        { value: 'Ville du Lac', kind: 'alternate' },
      ],
      lat: 47.34,
      lng: 9.62,
      country: 'LI',
      admin1: places[0]?.admin1,
      population: 12_345,
      adminRank: 0,
    },
  ]);
  assert.match(places[0]?.admin1 ?? '', /^LI\./);
});

test('a row needs a name and a point: borders give its country, and its content gives its id', async (context) => {
  const rows = 'place,lat,lon\nHere,47.32,9.43\nThere,47.14,9.52\n';
  const { places } = await read(context, rows);
  assert.deepEqual(
    places.map(({ country }) => country),
    ['CH', 'LI'],
  );
  const again = await read(context, `place,lat,lon\nNew,1,10\n${rows.slice(rows.indexOf('\n') + 1)}`);
  assert.deepEqual(
    again.places.slice(1).map(({ id }) => id),
    places.map(({ id }) => id),
  );
});

test('a bad row is counted with its line, what it has and what would work', async (context) => {
  const { places, rejected } = await read(
    context,
    'name,lat,lng,country,population\nA,99,9,FR,\nB,foo,9,FR,\nC,1,2,Atlantis,\nD,1,2\nE,1,2,FR,many\n,1,2,FR,\nF,1,2,FR,"1,000"\n',
  );
  assert.deepEqual(
    places.map(({ population }) => population),
    [1000],
  );
  assert.deepEqual(rejected, [
    ['bad lat', 'own.csv:2: 99 must be <= 90 (lat and lng swapped?)', 'own.csv:3: "foo" must be number'],
    ['unknown country', 'own.csv:4: "Atlantis": expected a code such as FR, or a name'],
    ['bad row', 'own.csv:5: has 3 cells instead of 5'],
    ['bad population', 'own.csv:6: "many" must be integer'],
    ['name missing', `own.csv:7: {"id":"${rejected.at(-1)?.[1]?.match(/L\d+/)?.[0]}","lat":1,"lng":2,"country":"FR"}`],
  ]);
});

test('an id of the embedded data is refused', async (context) => {
  const { rejected } = await read(context, 'id,name,lat,lng,country\nC1,A,1,2,FR\nE1,B,1,2,FR\n');
  const advice = 'C and D are for places and divisions of the embedded data; choose another letter, such as L';
  assert.deepEqual(rejected, [['reserved id', `own.csv:2: "C1": ${advice}`]]);
});

test('a point in no country needs a column with the country', async (context) => {
  const { places, rejected } = await read(context, 'name,lat,lng,country\nA,0,-5,\nB,0,-5,GB\nC,99,-5,\n');
  assert.deepEqual(
    places.map(({ country }) => country),
    ['GB'],
  );
  assert.deepEqual(rejected, [
    ['bad country', 'own.csv:2: the point 0, -5 is in no country; add a column country'],
    ['bad lat', 'own.csv:4: 99 must be <= 90 (lat and lng swapped?)'],
  ]);
});

test('a table without the needed columns is refused with its headings', async (context) => {
  await assert.rejects(read(context, 'name,x,elevation\na,1,2\n'), {
    message: 'own.csv: has no column lat; its headings are name, x, elevation',
  });
});
