import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deflateSync, zstdCompressSync } from 'node:zlib';
import type { Gazetteer, Place } from 'toponym-engine/place/place';
import { seededRandom } from '../../../../../test/support/seeded-random.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { openOsm } from '../../../src/sources/osm/osm.ts';
import { readAll } from '../read-all.ts';
import { block, field, message, type OsmContent, type OsmNode, type OsmRelation, writeOsm } from './write-osm.ts';

function aFile(context: TestContext, content: OsmContent | Buffer, name = 'test.osm.pbf'): string {
  const path = join(temporaryFolder(context), name);
  writeFileSync(path, Buffer.isBuffer(content) ? content : writeOsm(content));
  return path;
}

interface Read {
  readonly gazetteer: Gazetteer;
  readonly places: Place[];
}

/** The nodes and ways of `boundaries` are added to the content. */
async function read(
  context: TestContext,
  content: (OsmContent & { readonly boundaries?: readonly Boundary[] }) | Buffer,
  country?: string,
): Promise<Read> {
  const { boundaries = [], nodes = [], ways = [], ...others } = Buffer.isBuffer(content) ? {} : content;
  const whole = Buffer.isBuffer(content)
    ? content
    : {
        ...others,
        nodes: [...boundaries.flatMap((boundary) => boundary.nodes), ...nodes],
        ways: [...boundaries.flatMap((boundary) => boundary.ways), ...ways],
      };
  const gazetteer = await openOsm(aFile(context, whole), country === undefined ? {} : { country });
  return { gazetteer, places: await readAll(gazetteer) };
}

/** The values of some fields of each place. */
function pick({ places }: Read, ...fields: (keyof Place)[]): unknown[] {
  return places.map((place) => (fields.length === 1 ? place[fields[0]!] : fields.map((field) => place[field])));
}

const at = (id: number, lat: number, lng: number, tags?: Record<string, string>): OsmNode =>
  tags === undefined ? { id, lat, lng } : { id, lat, lng, tags };

type Boundary = ReturnType<typeof aBoundary>;

/** A rectangle: four nodes numbered from `id`, two ways, and a relation of them. */
function aBoundary(id: number, [south, west, north, east]: readonly [number, number, number, number]) {
  return {
    nodes: [at(id, south, west), at(id + 1, south, east), at(id + 2, north, east), at(id + 3, north, west)],
    ways: [
      { id, nodes: [id, id + 1, id + 2] },
      { id: id + 1, nodes: [id, id + 3, id + 2] },
    ],
    relation: (tags: Record<string, string>, ...others: OsmRelation['members']): OsmRelation => ({
      id,
      members: [['W', id, 'outer'], ['W', id + 1, 'outer'], ...others],
      tags: { type: 'boundary', boundary: 'administrative', ...tags },
    }),
  };
}

test('the place tag of a node determines its type', async (context) => {
  const kinds = ['city', 'town', 'village', 'hamlet', 'locality', 'suburb', 'borough', 'quarter', 'neighbourhood'];
  const nodes = [...kinds, 'isolated_dwelling', 'farm', 'island', 'constructor'].map((place, i) =>
    at(i + 1, 47 + i / 100, 9.5, { place, name: `A ${place}` }),
  );
  const found = await read(context, { nodes }, 'LI');
  const { gazetteer } = found;
  const suburban = 'suburban area';
  assert.deepEqual(pick(found, 'type'), [
    ...kinds.slice(0, 5),
    ...[suburban, suburban, suburban, suburban, 'hamlet', 'hamlet'],
  ]);
  assert.deepEqual(found.places[1], {
    id: 'N2',
    type: 'town',
    names: [{ value: 'A town', kind: 'main' }],
    lat: 47.01,
    lng: 9.5,
    country: 'LI',
    adminRank: 0,
  });
  assert.deepEqual(gazetteer.report.rejected.get('not a populated place'), {
    count: 2,
    samples: ['test.osm.pbf:N12: place=island', 'test.osm.pbf:N13: place=constructor'],
  });
  assert.equal(gazetteer.version, 'osm-test-2023-11-14');
  assert.match(gazetteer.attribution.join(), /OpenStreetMap contributors.*ODbL/);
});

test('dense and plain nodes are read, compressed or not', async (context) => {
  const nodes = [at(5, -33.8688197, 151.2092955, { place: 'city', name: 'Sydney' }), at(4e9, 1, 2), at(7e9, -89, -179)];
  const variants: OsmContent[] = [
    {},
    { isSparse: true },
    { pack: (bytes) => field(1, bytes) },
    { pack: (bytes) => message(field(2, bytes.length), field(7, zstdCompressSync(bytes))) },
  ];
  for (const variant of variants) {
    const found = await read(context, { nodes, ...variant }, 'AU');
    assert.deepEqual(pick(found, 'id', 'lat', 'lng'), [['N5', -33.8688197, 151.2092955]]);
  }
});

test('the boundaries around a place determine its country and divisions', async (context) => {
  const country = aBoundary(100, [0, 0, 10, 10]);
  const state = aBoundary(200, [0, 0, 10, 5]);
  const county = aBoundary(300, [0, 0, 5, 5]);
  const commune = aBoundary(400, [0, 0, 1, 1]);
  const found = await read(context, {
    boundaries: [country, state, county, commune],
    nodes: [
      at(1, 0.5, 0.5, { place: 'village', name: 'In all' }),
      at(2, 8, 2, { place: 'village', name: 'In the state' }),
      at(3, 5, 8, { place: 'village', name: 'In the country' }),
      at(4, -40, 0, { place: 'village', name: 'At sea' }),
      at(5, 5, 13, { place: 'village', name: 'Says so', 'is_in:country': 'Deutschland' }),
    ],
    relations: [
      country.relation({ admin_level: '2', name: 'United States', 'ISO3166-1': 'us' }),
      state.relation({ admin_level: '4', name: 'Texas', 'name:es': 'Tejas', 'ISO3166-2': 'US-TX' }),
      county.relation({ admin_level: '6', name: 'Lamar County' }),
      commune.relation({ admin_level: '8', name: 'Paris' }),
    ],
  });
  assert.deepEqual(pick(found, 'id', 'country', 'admin1', 'admin2'), [
    ['N1', 'US', 'US.R200', 'US.R200.R300'],
    ['N2', 'US', 'US.R200', undefined],
    ['N3', 'US', undefined, undefined],
    ['N5', 'DE', undefined, undefined],
  ]);
  const texas = { key: 'US.R200', level: 1, country: 'US', name: 'Texas', aliases: ['Tejas', 'TX'] };
  assert.deepEqual(found.gazetteer.regions, [
    { ...texas, translations: new Map([['es', 'Tejas']]) },
    { key: 'US.R200.R300', level: 2, country: 'US', name: 'Lamar County', aliases: ['Lamar'] },
  ]);
  assert.match(
    found.gazetteer.report.rejected.get('no country')?.samples.join() ?? '',
    /^test\.osm\.pbf:N4: At sea: outside all known borders; use --country/,
  );
});

test('without boundaries, tags of the place determine its divisions', async (context) => {
  const isIn = { 'addr:country': 'ES', 'is_in:state': 'Lleida', 'is_in:county': 'Alt. Urgell' };
  const tags = { place: 'village', name: 'A', ...isIn };
  const { places, gazetteer } = await read(context, { nodes: [at(1, 42, 1, tags), at(2, 42, 1.1, tags)] });
  const [place] = places;
  assert.deepEqual([place?.country, place?.admin1, place?.admin2], ['ES', 'ES.~lleida', 'ES.~lleida.~alt· urgell']);
  assert.deepEqual(gazetteer.regions, [
    { key: 'ES.~lleida', level: 1, country: 'ES', name: 'Lleida', aliases: [] },
    { key: 'ES.~lleida.~alt· urgell', level: 2, country: 'ES', name: 'Alt. Urgell', aliases: [] },
  ]);
});

test('other admin levels replace a missing fourth level', async (context) => {
  const country = aBoundary(100, [0, 0, 10, 10]);
  const parish = aBoundary(200, [0, 0, 5, 5]);
  const { places } = await read(context, {
    boundaries: [country, parish],
    nodes: [at(1, 1, 1, { place: 'village', name: 'A' })],
    relations: [
      country.relation({ admin_level: '2', name: 'Andorra' }),
      parish.relation({ admin_level: '7', name: 'Ordino' }),
    ],
  });
  assert.deepEqual([places[0]?.country, places[0]?.admin1], ['AD', 'AD.R200']);
});

test('an incomplete boundary is ignored', async (context) => {
  const country = aBoundary(100, [0, 0, 10, 10]);
  const node = at(1, 1, 1, { place: 'village', name: 'A' });
  // two countries, so that neither is the country of the extract
  const relations = [
    country.relation({ admin_level: '2', 'ISO3166-1': 'LI', name: 'L' }),
    { ...country.relation({ admin_level: '2', 'ISO3166-1': 'CH', name: 'C' }), id: 101 },
  ];
  const incomplete: OsmContent[] = [
    { nodes: [...country.nodes, node], ways: country.ways.slice(1), relations },
    { nodes: [...country.nodes.slice(1), node], ways: country.ways, relations },
  ];
  for (const content of incomplete) assert.deepEqual((await read(context, content)).places, []);
});

/**
 * Andorra la Vella, Pas de la Casa (100 m from France), Ax in France, and la Seu d'Urgell in Spain.
 */
const PYRENEES = [
  at(1, 42.5069, 1.5212, { place: 'town', name: 'Andorra la Vella' }),
  at(2, 42.5425, 1.7335, { place: 'village', name: 'el Pas de la Casa' }),
  at(3, 42.719, 1.839, { place: 'town', name: 'Ax-les-Thermes' }),
  at(4, 42.3582, 1.4557, { place: 'town', name: "la Seu d'Urgell" }),
];

test('without a country boundary in the file, world borders determine the country', async (context) => {
  const content = {
    nodes: [
      ...PYRENEES,
      at(5, 18.4663, -66.1057, { place: 'city', name: 'San Juan' }),
      at(6, 22.2793, 114.1628, { place: 'city', name: 'Hong Kong' }),
      at(7, 28.1248, -15.43, { place: 'city', name: 'Las Palmas' }),
    ],
  };
  assert.deepEqual(pick(await read(context, content), 'country'), ['AD', 'AD', 'FR', 'ES', 'PR', 'HK', 'ES']);
  assert.deepEqual(pick(await read(context, content, 'AD'), 'country'), Array(7).fill('AD'));
});

test("a country's node or partial boundary decides at sea and near the border, but not far away", async (context) => {
  // 1.5 km inside France according to the world borders
  const near = at(8, 42.545, 1.752, { place: 'hamlet', name: 'Near the border' });
  const nodes = [...PYRENEES, near, at(9, -40, 0, { place: 'hamlet', name: 'At sea' })];
  const node = at(10, 42.54, 1.57, { place: 'country', name: 'Andorra' });
  const ofAndorra = ['AD', 'AD', 'FR', 'ES', 'AD', 'AD'];
  assert.deepEqual(pick(await read(context, { nodes: [...nodes, node] }), 'country'), ofAndorra);
  const part = aBoundary(100, [42, 1, 43, 2]);
  const relations = [part.relation({ admin_level: '2', name: "Principat d'Andorra", 'name:en': 'Andorra' })];
  const cut = { nodes, ways: part.ways, relations };
  assert.deepEqual(pick(await read(context, cut), 'country'), ofAndorra);
  const other = at(11, 40, -4, { place: 'country', name: 'Spain' });
  const ofBoth = await read(context, { nodes: [...nodes, node, other] });
  assert.deepEqual(pick(ofBoth, 'country'), ['AD', 'AD', 'FR', 'ES', 'FR']);
});

test('holes are outside a boundary and exclaves inside', async (context) => {
  const outer = aBoundary(100, [0, 0, 10, 10]);
  const hole = aBoundary(200, [4, 4, 6, 6]);
  const exclave = aBoundary(300, [20, 20, 21, 21]);
  const points = [at(1, 1, 1), at(2, 5, 5), at(3, 20.5, 20.5), at(4, 15, 15)];
  const { places } = await read(context, {
    boundaries: [outer, hole, exclave],
    nodes: points.map((point) => ({ ...point, tags: { place: 'village', name: 'A' } })),
    relations: [
      outer.relation(
        { admin_level: '2', 'ISO3166-1': 'LI', name: 'L' },
        ...[200, 201].map((id) => ['W', id, 'inner'] as const),
        ...[300, 301].map((id) => ['W', id, 'outer'] as const),
      ),
    ],
  });
  assert.deepEqual(
    places.filter(({ country }) => country === 'LI').map(({ id }) => id),
    ['N1', 'N3'],
  );
});

test('an area and its label node are one place with the names of both', async (context) => {
  const area = aBoundary(100, [0, 0, 10, 10]);
  const found = await read(
    context,
    {
      boundaries: [area],
      nodes: [at(1, 5, 5, { place: 'town', name: 'Bach', capital: '4', wikidata: 'Q7' })],
      relations: [
        area.relation(
          { admin_level: '8', place: 'town', name: 'Stadt Bach', 'name:fr': 'Ruisseau', population: '12,345' },
          ['N', 1, 'label'],
        ),
      ],
    },
    'LI',
  );
  const names = [
    { value: 'Bach', kind: 'main' },
    { value: 'Stadt Bach', kind: 'alternate' },
    { value: 'Ruisseau', kind: 'alternate', language: 'fr' },
  ];
  assert.deepEqual(pick(found, 'id', 'names', 'population', 'adminRank', 'externalIds'), [
    ['N1', names, 12_345, 4, ['wd:Q7']],
  ]);
  const { rejected } = found.gazetteer.report;
  assert.deepEqual(rejected.get('area of a place that is also a point')?.samples, ['test.osm.pbf:R100: N1']);
});

test('an area matches a node inside it with its name, or a node with its Wikidata id', async (context) => {
  const first = aBoundary(100, [0, 0, 1, 1]);
  const second = aBoundary(200, [2, 2, 3, 3]);
  const found = await read(
    context,
    {
      boundaries: [first, second],
      nodes: [
        at(1, 0.5, 0.5, { place: 'village', name: 'Same' }),
        at(2, 9, 9, { place: 'village', name: 'Same' }),
        at(3, 2.5, 2.5, { place: 'village', name: 'One name', wikidata: 'Q1' }),
      ],
      relations: [
        first.relation({ place: 'village', name: 'Same' }),
        second.relation({ place: 'village', name: 'Another', wikidata: 'Q1' }),
      ],
    },
    'LI',
  );
  assert.deepEqual(pick(found, 'id'), ['N1', 'N2', 'N3']);
});

test('a place mapped only as an area is at its label, its seat or its middle', async (context) => {
  const area = aBoundary(100, [0, 0, 2, 4]);
  const labelled = aBoundary(200, [10, 10, 12, 12]);
  const { places } = await read(
    context,
    {
      boundaries: [area, labelled],
      nodes: [at(1, 11.9, 11.9), at(50, 20, 20), at(51, 20, 22), at(52, 22, 22)],
      ways: [
        { id: 7, nodes: [50, 51, 52, 50], tags: { place: 'hamlet', name: 'Drawn as a way' } },
        { id: 8, nodes: [50, 51, 99], tags: { place: 'hamlet', name: 'Lacks a node' } },
      ],
      relations: [
        area.relation({ place: 'suburb', name: 'Middle' }),
        labelled.relation({ place: 'village', name: 'Labelled' }, ['N', 1, 'admin_centre']),
      ],
    },
    'LI',
  );
  assert.deepEqual(
    places.map(({ id, type, lat, lng }) => [id, type, Math.round(lat * 100) / 100, Math.round(lng * 100) / 100]),
    [
      ['R100', 'suburban area', 1, 2],
      ['R200', 'village', 11.9, 11.9],
      ['W7', 'hamlet', 20.71, 21.29],
    ],
  );
});

test('a place drawn as an area has the extent of the area', async (context) => {
  const [labelled, boundary, outside, east, west] = [
    aBoundary(100, [0, 0, 2, 4]),
    aBoundary(200, [10, 10, 12, 12]),
    aBoundary(300, [20, 20, 21, 21]),
    aBoundary(400, [-17, 179.5, -16, 180]),
    aBoundary(500, [-16.5, -180, -15.5, -179.8]),
  ];
  const found = await read(
    context,
    {
      boundaries: [labelled, boundary, outside, east, west],
      nodes: [
        at(1, 1, 1, { place: 'village', name: 'Labelled' }),
        at(2, 11, 11, { place: 'village', name: 'Seat' }),
        at(3, 25, 25, { place: 'village', name: 'Outside', wikidata: 'Q1' }),
        at(4, -16.2, 179.9),
        ...[at(50, 30, 30), at(51, 30, 32), at(52, 32, 31)],
      ],
      ways: [{ id: 7, nodes: [50, 51, 52, 50], tags: { place: 'hamlet', name: 'Way' } }],
      relations: [
        labelled.relation({ place: 'village', name: 'Labelled' }, ['N', 1, 'label']),
        boundary.relation({ admin_level: '8', name: 'Seat' }, ['N', 2, 'admin_centre']),
        outside.relation({ place: 'village', name: 'Elsewhere', wikidata: 'Q1' }),
        {
          id: 400,
          members: [...[400, 401, 500, 501].map((id) => ['W', id, 'outer'] as const), ['N', 4, 'label']],
          tags: { type: 'multipolygon', place: 'town', name: 'On both sides of the antimeridian' },
        },
      ],
    },
    'FJ',
  );
  assert.deepEqual(pick(found, 'id', 'box'), [
    ['N1', { south: 0, west: 0, north: 2, east: 4 }],
    ['N2', undefined],
    ['N3', undefined],
    ['R400', { south: -17, west: 179.5, north: -15.5, east: -179.8 }],
    ['W7', { south: 30, west: 30, north: 32, east: 32 }],
  ]);
});

test('the rank of a seat depends on the level of its division', async (context) => {
  const state = aBoundary(100, [0, 0, 10, 10]);
  const found = await read(
    context,
    {
      boundaries: [state],
      nodes: [
        at(1, 5, 5, { place: 'town', name: 'Seat' }),
        at(2, 6, 6, { place: 'city', name: 'Capital', capital: 'yes' }),
      ],
      relations: [state.relation({ admin_level: '6', name: 'Land' }, ['N', 1, 'admin_centre'])],
    },
    'LI',
  );
  assert.deepEqual(pick(found, 'adminRank'), [3, 5]);
});

test('rejected elements are counted with their ids', async (context) => {
  const village = (name: string) => ({ place: 'village', ...(name === '' ? {} : { name }) });
  const { places, gazetteer } = await read(
    context,
    {
      nodes: [
        at(1, 1, 1, village('A')),
        at(1, 1, 1, village('A')),
        at(2, 1, 1, village('')),
        at(3, 120, 1, village('North of the pole')),
        at(-4, 1, 1, village('Not uploaded')),
      ],
    },
    'LI',
  );
  assert.equal(places.length, 1);
  const samples = [...gazetteer.report.rejected].map(([reason, entry]) => [reason, ...entry.samples]);
  assert.deepEqual(samples, [
    ['duplicate id', 'test.osm.pbf:N1: N1'],
    ['empty name', 'test.osm.pbf:N2: place=village without a name'],
    ['bad coordinates', 'test.osm.pbf:N3: 120, 1'],
    ['bad id', 'test.osm.pbf:N-4: -4'],
  ]);
  assert.deepEqual([gazetteer.report.rowsRead, gazetteer.report.rowsKept], [5, 1]);
});

test('an area that the file lists twice becomes one place, or none if it is also a node', async (context) => {
  const { nodes, ways, relation } = aBoundary(100, [0, 0, 10, 10]);
  const lake = relation({ place: 'town', name: 'Lake' });
  const found = await read(context, { nodes, ways, relations: [lake, lake] }, 'LI');
  assert.deepEqual(pick(found, 'id'), ['R100']);
  assert.deepEqual(found.gazetteer.report.rejected.get('duplicate id')?.samples, ['test.osm.pbf:R100: R100']);
  const label = at(1, 5, 5, { place: 'town', name: 'Label' });
  const labelled = relation({ place: 'town', name: 'Lake' }, ['N', 1, 'label']);
  const both = await read(context, { nodes: [label, ...nodes], ways, relations: [labelled, labelled] }, 'LI');
  assert.deepEqual(pick(both, 'id'), ['N1']);
});

const WHOLE: OsmContent = {
  nodes: [at(1, 1, 1, { place: 'village', name: 'A' }), at(2, 2, 2)],
  ways: [{ id: 1, nodes: [1, 2], tags: { place: 'hamlet', name: 'B' } }],
  relations: [{ id: 1, members: [['W', 1, 'outer']], tags: { place: 'town', name: 'C' } }],
};

/** `read`, or the name and message of the error. */
function outcomeOf(context: TestContext, bytes: Buffer): Promise<string> {
  return read(context, bytes, 'LI').then(
    () => 'read',
    ({ name, message: text }: Error) => `${name}: ${text}`,
  );
}

test('a truncated file is refused with its name and block, unless it ends between blocks', async (context) => {
  const whole = writeOsm(WHOLE);
  for (let length = 0; length < whole.length; length += 3) {
    const outcome = await outcomeOf(context, whole.subarray(0, length));
    assert.match(outcome, /^(read|SourceError: test\.osm\.pbf: (is empty|block \d+ at byte \d+: .+))$/, `${length}`);
  }
});

test('a damaged file is read or refused with its name and block, and never crashes the reader', async (context) => {
  const random = seededRandom(20_261_115);
  const whole = writeOsm({ ...WHOLE, pack: (bytes) => field(1, bytes) });
  for (let round = 0; round < 40; round++) {
    const damaged = Buffer.from(whole);
    damaged[random(damaged.length)] = random(256);
    const outcome = await outcomeOf(context, damaged);
    assert.match(outcome, /^(read|SourceError: test\.osm\.pbf: block \d+ at byte \d+: .+)$/s);
  }
});

test('oversized blocks and unsupported files are refused', async (context) => {
  const refused: [Buffer, RegExp][] = [
    [
      writeOsm({ ...WHOLE, pack: () => field(3, deflateSync(Buffer.alloc(40 * 2 ** 20), { level: 1 })) }),
      /block 1 at byte \d+: /,
    ],
    [
      writeOsm({ ...WHOLE, pack: (bytes) => field(6, bytes) }),
      /block 1 .*compressed with LZ4; only zlib and zstd are supported/,
    ],
    [
      writeOsm({ ...WHOLE, features: ['OsmSchema-V0.6', 'LocationsOnWays2'] }),
      /requires "LocationsOnWays2", which is not supported/,
    ],
    [Buffer.from('<?xml version="1.0"?><osm></osm>'), /block 1 at byte 0: its header claims \d+ bytes: this is not/],
    [block('OSMData', field(1, '')), /block 1 at byte 0: unexpected type "OSMData"/],
  ];
  for (const [content, pattern] of refused) {
    await assert.rejects(openOsm(aFile(context, content)), { name: 'SourceError', message: pattern });
  }
});

test('an unknown country or a missing file is refused', async (context) => {
  await assert.rejects(openOsm(aFile(context, WHOLE), { country: 'QQ' }), /unknown country "QQ": expected/);
  await assert.rejects(openOsm('/'), /^SourceError: \/: cannot be read: a folder, not a file$/);
  await assert.rejects(openOsm('/absent.osm.pbf'), /absent\.osm\.pbf: cannot be read: no such file or directory/);
});
