import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Place } from 'toponym-engine/place/place';
import { aGazetteer, aPlace, streamOf } from '../../../../test/support/an-engine.ts';
import { applyOverlay } from '../../src/sources/overlay.ts';
import { readAll } from './read-all.ts';

const paris = aPlace({ id: 'G1', name: 'Paris', country: 'US', admin1: 'US.TX', population: 25_000 });
const base = { ...aGazetteer([]), places: [paris], place: (id: string) => (id === 'G1' ? paris : undefined) };

/** All places afterwards: those of the base as changed, then the added ones. */
async function apply(text: string, { places, ...given } = base): Promise<Place[]> {
  const report = { rowsRead: places.length, rowsKept: places.length, rejected: new Map() };
  return await readAll(applyOverlay({ ...given, report, places: streamOf(places) }, text, 'fixes.ndjson'));
}

const NOVA = { id: 'L1', name: 'Nova', lat: 1, lng: 2, country: 'US' };

test('an added place may name its divisions', async () => {
  const [unchanged, ...added] = await apply(JSON.stringify({ add: { ...NOVA, admin1: 'Texas', population: 12_000 } }));
  assert.deepEqual(unchanged, paris);
  const { name, ...fields } = NOVA;
  const names = [{ value: name, kind: 'main' }];
  assert.deepEqual(added, [{ ...fields, type: 'town', names, adminRank: 0, admin1: 'US.TX', population: 12_000 }]);
});

test('divisions of added and changed places may be keys, names or aliases', async () => {
  const divisionsOf = async (divisions: object) => {
    const [, added] = await apply(JSON.stringify({ add: { ...NOVA, ...divisions } }));
    return [added?.admin1, added?.admin2];
  };
  assert.deepEqual(await divisionsOf({ admin1: 'US.IL', admin2: 'US.IL.167' }), ['US.IL', 'US.IL.167']);
  assert.deepEqual(await divisionsOf({ admin1: 'il', admin2: 'sangamon' }), ['US.IL', 'US.IL.167']);
  assert.deepEqual(await divisionsOf({ admin1: 'Oz' }), ['US.~oz', undefined]);
  const [changed] = await apply('{"change":"G1","admin2":"Lamar"}');
  assert.deepEqual([changed?.admin1, changed?.admin2], ['US.TX', 'US.TX.~lamar']);
});

test('a place of the base is read once, however many lines change it', async () => {
  let reads = 0;
  const place = (id: string) => {
    reads++;
    return base.place(id);
  };
  const lines = Array.from({ length: 60_000 }, (_, i) => JSON.stringify({ addName: 'G1', name: `Paris ${i}` }));
  const places = await apply(lines.join('\n'), { ...base, place });
  assert.deepEqual([reads, places.length, places[0]?.names.length], [1, 1, 60_001]);
  assert.equal(paris.names.length, 1, 'the names of the base are unchanged');
});

test('several lines change, rank and name one place', async () => {
  const places = await apply(
    [
      '{"change":"G1","name":"Paris City","lat":33.5}',
      '{"rank":"G1","importance":0.9}',
      '',
      '{"addName":"G1","name":"Pariz","language":"hr"}',
    ].join('\n'),
  );
  assert.deepEqual(places, [
    {
      ...paris,
      lat: 33.5,
      importance: 0.9,
      names: [
        { value: 'Paris City', kind: 'main' },
        { value: 'Paris', kind: 'alternate' },
        { value: 'Pariz', kind: 'alternate', language: 'hr' },
      ],
    },
  ]);
});

test('a changed place has the extent that is given, and loses one that it moves out of', async () => {
  const boxOf = async (...lines: object[]) => {
    return (await apply(lines.map((line) => JSON.stringify(line)).join('\n'))).at(-1)?.box;
  };
  const box = { south: 46, west: 1, north: 48, east: 3 };
  const given = { change: 'G1', bbox: [1, 46, 3, 48] };
  assert.deepEqual(await boxOf(given), box);
  assert.deepEqual(await boxOf(given, { change: 'G1', lat: 46.5 }), box);
  assert.equal(await boxOf(given, { change: 'G1', lat: 45 }), undefined);
  assert.equal(await boxOf(given, { change: 'G1', bbox: null }), undefined);
  const added = { ...NOVA, lat: 47, bbox: [1, 46, 3, 48] };
  assert.deepEqual(await boxOf({ add: added }), box);
  const wrong = 'bbox: [46,1,48,3] must be [west, south, east, north] and contain the point 47, 2';
  await assert.rejects(boxOf({ change: 'G1', bbox: [46, 1, 48, 3] }), {
    message: `fixes.ndjson:1: change: ${wrong}`,
  });
  await assert.rejects(boxOf({ add: { ...added, bbox: [46, 1, 48, 3] } }), {
    message: `fixes.ndjson:1: add: ${wrong}`,
  });
});

test('every line that cannot be applied is named, up to ten', async () => {
  const wrong = '{"change":"G1","bbox":[10,1,11,3]}\n{"hide":"G7"}\n{"change":"G1","admin1":"US.XX"}\n{"hide":"G8"}';
  await assert.rejects(apply(wrong), (error: Error) => {
    const lines = error.message.split('\n').map((line) => line.split(': ').slice(0, 2).join(': '));
    assert.deepEqual(lines, [
      'fixes.ndjson:1: change',
      'fixes.ndjson:2: hide',
      'fixes.ndjson:3: change',
      'fixes.ndjson:4: hide',
    ]);
    return true;
  });
  const many = Array.from({ length: 12 }, (_, i) => `{"hide":"G${i + 2}"}`).join('\n');
  await assert.rejects(apply(many), (error: Error) => error.message.split('\n').length === 10);
});

test('a latitude of an extent that is out of range is named', async () => {
  await assert.rejects(apply('{"change":"G1","bbox":[7,-91,9,91]}'), {
    message: 'fixes.ndjson:1: change: bbox.south must be >= -90',
  });
});

test('a hidden place can be added again', async () => {
  assert.deepEqual(await apply('{"hide":"G1"}'), []);
  const again = { id: 'G1', name: 'Paris', lat: 1, lng: 2, country: 'US' };
  const places = await apply(`{"hide":"G1"}\n${JSON.stringify({ add: again })}`);
  assert.deepEqual([places.length, places[0]?.lat], [1, 1]);
});

test('an embedded place without a GeoNames id can be changed and replaced like any other', async () => {
  const nansana = aPlace({ id: 'C5', name: 'Nansana', country: 'US' });
  const withNansana = { ...base, places: [nansana], place: (id: string) => (id === 'C5' ? nansana : undefined) };
  const places = await apply('{"change":"C5","population":365000}\n{"addName":"C5","name":"N"}', withNansana);
  assert.deepEqual([places[0]?.id, places[0]?.population, places[0]?.names.length], ['C5', 365_000, 2]);
  const again = JSON.stringify({ add: { ...NOVA, id: 'C5' } });
  const replaced = await apply(`{"hide":"C5"}\n${again}`, withNansana);
  assert.deepEqual([replaced.length, replaced[0]?.names[0]?.value], [1, 'Nova']);
  await assert.rejects(apply(again, withNansana), {
    message: /:1: add: place C5 already exists; use "change" instead$/,
  });
});

const INVALID: readonly (readonly [string, RegExp])[] = [
  ['{', /fixes\.ndjson:1: not JSON/],
  ['[]', /:1: not a JSON object/],
  ['{"delete":"G1"}', /contains no change: expected one of add, change, hide, rank, addName/],
  ['{"hide":5}', /hide: hide must be string/],
  ['{"chnge":"G1","lat":9}', /expected one of .*; did you mean change\?$/],
  ['{"hide":"G1","why":"x"}', /:1: hide: unknown field why; the known fields are hide\.$/],
  ['{"add":{"populaton":5}}', /:1: add: unknown field add\.populaton; did you mean population\?$/],
  ['{"add":{"names":{"de":[{"value":"x","knd":"main"}]}}}', /add\.names\.de\.0\.knd; did you mean kind\?$/],
  ['{"add":{"names":{"klingon":["x"]}}}', /add\.names\.klingon: expected a language tag such as de, or und\.$/],
  ['{"change":"G1","populaton":5}', /:1: change: unknown field populaton; did you mean population\?$/],
  ['{"rank":"G1","importnce":1}', /:1: rank: unknown field importnce; did you mean importance\?$/],
  ['{"addName":"G1","name":"x","lnguage":"de"}', /:1: addName: unknown field lnguage; did you mean language\?$/],
  ['{"change":"G1","lat":91}', /change: lat must be <= 90/],
  ['{"change":"G1","colour":"red"}', /change: unknown field colour; the known fields are change, name, .*, bbox\.$/],
  ['{"rank":"G1"}', /rank: the line must have required properties importance$/],
  ['{"rank":"G1","importance":2}', /rank: importance must be <= 1/],
  ['{"add":{"id":"L1"}}', /add: /],
  ['{"add":{"id":"L1","name":"x","lat":1,"lng":2,"country":"ZZ"}}', /add: unknown country ZZ/],
  [
    '{"add":{"id":"L1","name":"x","lat":1,"lng":2,"country":"US","admin1":"US.ZZ"}}',
    /:1: add: admin1 "US\.ZZ" is not the key of a division of US: expected such a key, or a name$/,
  ],
  ['{"change":"G1","admin2":"US.IL.167"}', /admin2 "US\.IL\.167" is not the key of a division of US\.TX: /],
  ['{"change":"G1","country":"FR","admin2":"Paris"}', /:1: change: admin2 "Paris" without an admin1$/],
  ['\n\n{"hide":"G9"}', /:3: hide: place G9 does not exist/],
  ['{"change":"C9","lat":9}', /:1: change: place C9 does not exist$/],
  ...['C9', 'D9'].map(
    (id) =>
      [
        JSON.stringify({ add: { ...NOVA, id } }),
        /:1: add: "[CD]9": C and D are for places and divisions of the embedded data; choose another letter, such as L$/,
      ] as const,
  ),
  [
    '{"add":{"id":"G1","name":"x","lat":1,"lng":2,"country":"US"}}',
    /:1: add: place G1 already exists; use "change" instead/,
  ],
];

for (const [text, message] of INVALID) {
  test(`the error for an invalid overlay names its line: ${text.trim()}`, async () => {
    await assert.rejects(async () => await apply(text), { name: 'UsageError', message });
  });
}

test('one error names all invalid lines', async () => {
  await assert.rejects(apply('{\n{"hide":"G1"}\n[]'), { message: /^fixes\.ndjson:1: .*\nfixes\.ndjson:3: /s });
});

test('each line keeps its position, and a byte order mark is ignored', async () => {
  assert.deepEqual(await apply('\ufeff\n{"hide":"G1"}'), []);
  await assert.rejects(apply('\ufeff\n{"hide":"G9"}'), { message: 'fixes.ndjson:2: hide: place G9 does not exist' });
});
