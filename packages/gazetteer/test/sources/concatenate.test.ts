import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Gazetteer, Place } from 'toponym-engine/place/place';
import { concatenate } from '../../src/sources/concatenate.ts';
import { countKept, countRejected, createReport } from '../../src/sources/report.ts';
import { readAll } from './read-all.ts';

function aGazetteer(version: string, ids: readonly string[], rest: Partial<Gazetteer> = {}): Gazetteer {
  const report = createReport();
  async function* places(): AsyncGenerator<Place> {
    for (const id of ids) {
      countKept(report);
      yield { id, type: 'town', names: [{ value: id, kind: 'main' }], lat: 0, lng: 0, country: 'LI', adminRank: 0 };
    }
    countRejected(report, { reason: 'short row', got: 'x' }, { file: version, line: 9 });
  }
  return { version, attribution: [`by ${version}`], countries: [], regions: [], places: places(), report, ...rest };
}

test('places of all sources follow each other, without repeated ids', async () => {
  const combined = concatenate([aGazetteer('a', ['G1', 'G2']), aGazetteer('b', ['N1', 'G2', 'G3'])]);
  const places = await readAll(combined);
  assert.deepEqual(
    places.map(({ id }) => id),
    ['G1', 'G2', 'N1', 'G3'],
  );
  assert.equal(combined.version, 'a+b');
  assert.deepEqual(combined.attribution, ['by a', 'by b']);
  assert.deepEqual(combined.report, {
    rowsRead: 7,
    rowsKept: 4,
    rejected: new Map([
      ['short row', { count: 2, samples: ['a:9: x', 'b:9: x'] }],
      ['id already used by an earlier source', { count: 1, samples: ['b: G2 G2'] }],
    ]),
  });
});

test('countries and divisions are merged by code and key, and the names of the first source come first', () => {
  const region = (name: string, aliases: string[], ...translations: [string, string][]) =>
    ({ key: 'LI.1', level: 1, country: 'LI', name, aliases, translations: new Map(translations) }) as const;
  const country = (...aliases: string[]) => ({ code: 'LI', name: 'L', aliases });
  const [ober, upper] = [
    region('Ober', ['O'], ['en', 'Upper']),
    region('Upper', ['Ober'], ['en', 'High'], ['fr', 'Haut']),
  ];
  const combined = concatenate([
    aGazetteer('a', [], { countries: [country('x')], regions: [ober] }),
    aGazetteer('b', [], { countries: [country('y')], regions: [upper] }),
  ]);
  assert.deepEqual(combined.countries, [country('x', 'y')]);
  assert.deepEqual(combined.regions, [region('Ober', ['O', 'Upper'], ['en', 'Upper'], ['fr', 'Haut'])]);
});
