import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Gazetteer, Place } from '../../src/place/place.ts';
import { concatenate } from '../../src/sources/concatenate.ts';
import { countKept, countRejected, createReport } from '../../src/sources/report.ts';

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

async function idsOf(gazetteer: Gazetteer): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of gazetteer.places) ids.push(id);
  return ids;
}

test('places of all sources follow each other, without repeated ids', async () => {
  const combined = concatenate([aGazetteer('a', ['G1', 'G2']), aGazetteer('b', ['N1', 'G2', 'G3'])]);
  assert.deepEqual(await idsOf(combined), ['G1', 'G2', 'N1', 'G3']);
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

test('countries and divisions are merged by code and key', () => {
  const region = (name: string, aliases: string[]) =>
    ({ key: 'LI.1', level: 1, country: 'LI', name, aliases }) as const;
  const combined = concatenate([
    aGazetteer('a', [], { countries: [{ code: 'LI', name: 'L', aliases: ['x'] }], regions: [region('Ober', ['O'])] }),
    aGazetteer('b', [], {
      countries: [{ code: 'LI', name: 'L', aliases: ['y'] }],
      regions: [region('Upper', ['Ober'])],
    }),
  ]);
  assert.deepEqual(combined.countries, [{ code: 'LI', name: 'L', aliases: ['x', 'y'] }]);
  assert.deepEqual(combined.regions, [region('Ober', ['O', 'Upper'])]);
});

test('a merged division has the translations of all sources, those of the first source first', () => {
  const region = (...translations: [string, string][]) => {
    const names = { name: 'Ober', aliases: [], translations: new Map(translations) };
    return { key: 'LI.1', level: 1, country: 'LI', ...names } as const;
  };
  const combined = concatenate([
    aGazetteer('a', [], { regions: [region(['en', 'Upper'])] }),
    aGazetteer('b', [], { regions: [region(['en', 'High'], ['fr', 'Haut'])] }),
  ]);
  assert.deepEqual(combined.regions, [region(['en', 'Upper'], ['fr', 'Haut'])]);
});
