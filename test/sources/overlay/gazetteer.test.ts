import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Place } from '../../../src/place/place.ts';
import { overlayGazetteer } from '../../../src/sources/overlay/gazetteer.ts';
import { type OverlayLine, parseOverlay } from '../../../src/sources/overlay/lines.ts';
import { aPlace, someCountries, someRegions } from '../../support/an-engine.ts';

const paris = aPlace({ id: 'G1', name: 'Paris', country: 'US', admin1: 'US.TX', population: 25_000 });
const base = { regions: someRegions, place: (id: string) => (id === 'G1' ? paris : undefined) };

async function applied(text: string): Promise<{ places: Place[]; replaces: readonly string[] | undefined }> {
  const gazetteer = overlayGazetteer(parseOverlay(text, 'fixes.ndjson'), base, {
    version: 'o',
    countries: someCountries,
  });
  const places: Place[] = [];
  for await (const place of gazetteer.places) places.push(place);
  return { places, replaces: gazetteer.replaces };
}

test('a place is added, its divisions by name', async () => {
  const line = { id: 'L1', name: 'Nova', lat: 1, lng: 2, country: 'US', admin1: 'Texas', population: 12_000 };
  const { places, replaces } = await applied(JSON.stringify({ add: line }));
  assert.deepEqual(replaces, []);
  assert.deepEqual(places, [
    {
      id: 'L1',
      type: 'town',
      names: [{ value: 'Nova', kind: 'main' }],
      lat: 1,
      lng: 2,
      country: 'US',
      adminRank: 0,
      admin1: 'US.TX',
      population: 12_000,
    },
  ]);
});

test('a place is changed, ranked and named, line after line', async () => {
  const { places, replaces } = await applied(
    [
      '{"change":"G1","name":"Paris City","lat":33.5}',
      '{"rank":"G1","importance":0.9}',
      '',
      '{"addName":"G1","name":"Pariz","language":"hr"}',
    ].join('\n'),
  );
  assert.deepEqual(replaces, ['G1']);
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

test('a place is hidden, and can be added again', async () => {
  assert.deepEqual(await applied('{"hide":"G1"}'), { places: [], replaces: ['G1'] });
  const again = { id: 'G1', name: 'Paris', lat: 1, lng: 2, country: 'US' };
  const { places } = await applied(`{"hide":"G1"}\n${JSON.stringify({ add: again })}`);
  assert.equal(places[0]?.lat, 1);
});

const WRONG: readonly (readonly [string, RegExp])[] = [
  ['{', /fixes\.ndjson:1: not JSON/],
  ['[]', /:1: not a JSON object/],
  ['{"delete":"G1"}', /no change in it; a line has one of add, change, hide, rank, addName/],
  ['{"hide":5}', /hide: hide must be string/],
  ['{"hide":"G1","why":"x"}', /hide: /],
  ['{"change":"G1","lat":91}', /change: lat must be <= 90/],
  ['{"change":"G1","colour":"red"}', /change: /],
  ['{"rank":"G1"}', /rank: /],
  ['{"rank":"G1","importance":2}', /rank: importance must be <= 1/],
  ['{"add":{"id":"L1"}}', /add: /],
  ['{"add":{"id":"L1","name":"x","lat":1,"lng":2,"country":"ZZ"}}', /add: unknown country ZZ/],
  ['\n\n{"hide":"G9"}', /:3: hide: there is no place G9/],
  ['{"add":{"id":"G1","name":"x","lat":1,"lng":2,"country":"US"}}', /:1: add: there is a place G1 already/],
];

for (const [text, message] of WRONG) {
  test(`an overlay that cannot be applied names its line: ${text.trim()}`, async () => {
    await assert.rejects(async () => await applied(text), { name: 'SourceError', message });
  });
}

test('every wrong line is named at once', () => {
  assert.throws(() => parseOverlay('{\n{"hide":"G1"}\n[]', 'f'), { message: /^f:1: .*\nf:3: /s });
});

test('where a change stands is kept', () => {
  const [line] = parseOverlay('\n{"hide":"G1"}', 'f') as [OverlayLine];
  assert.deepEqual(line, { at: 'f:2', change: { kind: 'hide', id: 'G1' } });
});
