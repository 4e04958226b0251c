import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NAME_KINDS, PLACE_TYPES, type Place } from 'toponym-engine/place/place';
import { openNdjson } from '../../../src/sources/ndjson.ts';
import { formatDatasetLine, formatPlaceLine, formatRegionLine } from '../../../src/sources/write-place-line.ts';
import { readAll } from '../read-all.ts';
import { aFile, GOOD } from './ndjson-files.ts';

test('no line, however invalid, prevents the next line from being read', async (context) => {
  await fc.assert(
    fc.asyncProperty(
      fc.json(),
      fc.dictionary(fc.constantFrom(...Object.keys(GOOD), 'names', 'region'), fc.jsonValue()),
      async (json, fields) => {
        const lines = [
          json.replaceAll('\n', ' '),
          JSON.stringify({ ...GOOD, ...fields }),
          JSON.stringify({ ...GOOD, id: 'X99' }),
        ];
        const gazetteer = await openNdjson([aFile(context, 'any.ndjson', lines.join('\n'))]);
        assert.equal((await readAll(gazetteer)).at(-1)?.id, 'X99');
      },
    ),
    { numRuns: 15, seed: 1 },
  );
});

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((value) => /\S/.test(value));
const aName = fc.record(
  {
    value: text,
    kind: fc.constantFrom(...NAME_KINDS.filter((kind) => kind !== 'main')),
    language: fc.constantFrom('de', 'zh-Hant'),
  },
  { requiredKeys: ['value', 'kind'], noNullPrototype: true },
);

test('written lines are read back unchanged', async (context) => {
  const somePlace = fc.record(
    {
      id: fc.integer({ min: 1, max: 1e9 }).map((number) => `X${number}`),
      type: fc.constantFrom(...PLACE_TYPES),
      lat: fc.double({ min: -90, max: 90, noNaN: true }).map((value) => value + 0),
      lng: fc.double({ min: -180, max: 180, noNaN: true }).map((value) => value + 0),
      country: fc.constantFrom('LI', 'US'),
      adminRank: fc.integer({ min: 0, max: 5 }),
      population: fc.integer({ min: 1, max: 1e9 }),
      timezone: fc.constant('Europe/Vaduz'),
      externalIds: fc.constant(['wd:Q1', 'gn:2']),
      box: fc.constantFrom(
        { south: -90, west: -180, north: 90, east: 180 },
        { south: -90, west: 1.2345678, north: 90, east: 1.2345677 },
      ),
    },
    { requiredKeys: ['id', 'type', 'lat', 'lng', 'country', 'adminRank'], noNullPrototype: true },
  );
  await fc.assert(
    fc.asyncProperty(
      somePlace,
      text,
      fc.uniqueArray(aName, { selector: ({ value }) => value }),
      async (fields, name, others) => {
        const names = [{ value: name, kind: 'main' as const }, ...others.filter(({ value }) => value !== name)];
        const place: Place = { ...fields, names, admin1: `${fields.country}.a b` };
        const region = {
          key: `${place.country}.a b`,
          level: 1,
          country: place.country,
          name: 'Ä',
          aliases: ['x'],
        } as const;
        const lines = [
          formatDatasetLine({ version: 'v 1', attribution: ['Me'] }),
          formatRegionLine(region),
          formatPlaceLine(place),
        ];
        const gazetteer = await openNdjson([aFile(context, 'out.ndjson', lines.join(''))]);
        const [back] = await readAll(gazetteer);
        assert.deepEqual({ ...back, names: new Set(back?.names) }, { ...place, names: new Set(names) });
        assert.deepEqual(back?.names[0], names[0]);
        assert.deepEqual(gazetteer.regions, [region]);
        assert.deepEqual([gazetteer.version, gazetteer.attribution], ['v-1', ['Me']]);
      },
    ),
    { numRuns: 20, seed: 2 },
  );
});
