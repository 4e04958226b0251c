/** A name that thousands of places have, in a region of few: the region's places are read, not the name's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anIndex, aPlace, aQuery } from '../../../../test/support/an-engine.ts';
import { openIndex } from '../../src/index-file/open-index.ts';
import { readObjectId } from '../../src/index-file/packed-record.ts';
import { openEngine } from '../../src/open-engine.ts';

const FRENCH = Array.from({ length: 4000 }, (_, i) => aPlace({ id: `G${i + 1}`, name: `Ban ${i}`, population: 9000 }));
const TEXAN = Array.from({ length: 30 }, (_, i) =>
  aPlace({
    id: `N${i + 1}`,
    name: i % 3 === 0 ? `Ban Number ${i}` : `Town ${i}`,
    alternateNames: i % 3 === 1 ? [`Ban Old ${i}`] : [],
    country: 'US',
    admin1: 'US.TX',
    population: 200_000 + i,
    lat: 30 + i / 10,
  }),
);
const bytes = await anIndex([
  ...FRENCH,
  ...TEXAN,
  aPlace({ id: 'N99', name: 'Ban Far', country: 'US', admin1: 'US.IL' }),
]);
const engine = openEngine(bytes);
const bans = TEXAN.filter((_, i) => i % 3 !== 2).map(({ id }) => id);

for (const [text, extra] of [
  ['ban texas', {}],
  ['ban, texas, united states', {}],
  ['texas ban', {}],
  ['ban texas', { around: { lat: 31, lng: 2 } }],
  ['ban texzas', {}],
] as const) {
  test(`"${text}" ${JSON.stringify(extra)} finds every such place of Texas, and only those`, () => {
    const { hits, total, isTotalExact } = engine.search(aQuery(text, { limit: 20, ...extra }));
    assert.deepEqual(hits.map(({ objectID }) => objectID).toSorted(), bans.toSorted());
    if (text !== 'ban texzas') assert.deepEqual([total, isTotalExact], [bans.length, true]);
  });
}

test('places of the region have the scores that they have without thousands of namesakes', async () => {
  const few = openEngine(await anIndex(TEXAN));
  const scores = [engine, few].map((each) =>
    each.search(aQuery('ban texas', { limit: 20 })).hits.map(({ objectID, score }) => [objectID, score.toFixed(9)]),
  );
  assert.deepEqual(scores[0], scores[1]);
});

test('the search reads the places of the region only', () => {
  const { work = 0 } = engine.search(aQuery('ban texas', { limit: 20 }));
  assert.ok(work < FRENCH.length / 2, `${work} units of work`);
});

test('every region lists its places, the most important first', () => {
  const index = openIndex(bytes);
  const columns = [index.placeCountry, index.placeAdmin1, index.placeAdmin2];
  for (let region = 1; region < index.regionText.length; region++) {
    const listed = index.regionPlaces.subarray(index.regionPlaceStart[region], index.regionPlaceStart[region + 1]);
    const expected = Array.from({ length: index.metadata.places }, (_, place) => place).filter((place) =>
      columns.some((column) => column[place] === region),
    );
    assert.deepEqual([...listed], expected, readObjectId(index, listed[0]!));
  }
});
