import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPlace } from '../../../../../test/support/an-engine.ts';
import { seededRandom } from '../../../../../test/support/seeded-random.ts';
import { NameIndexBuilder } from '../../../src/build/names/name-index.ts';
import { NameIndexing } from '../../../src/build/names/name-indexing.ts';
import { PlaceStore } from '../../../src/build/place-store.ts';
import { rankPlaces } from '../../../src/build/rank-places.ts';

const quiet = { onRows: () => {}, onKeys: () => {} };
/** Enough for a thread. */
const MANY = 25_000;

function somePlaces(count: number) {
  const random = seededRandom(7);
  return Array.from({ length: count }, (_, i) =>
    aPlace({
      id: `G${i + 1}`,
      name: `Sankt ${String.fromCharCode(97 + random(26))}${random(9999)}`,
      alternateNames:
        random(3) === 0 ? [{ value: `北${random(99)}é`, kind: 'alternate', language: `x${i % 400}` }] : [],
      country: ['FR', 'JP', 'DE'][random(3)] as string,
      population: random(1_000_000),
    }),
  );
}

function threadOf(code: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

test('a thread that gets rows while they are read indexes only those that are ranked in the end', async () => {
  const places = somePlaces(MANY);
  const names = new NameIndexing(quiet);
  const store = new PlaceStore();
  for (const place of places) if (store.add(place) % 1000 === 999) names.addRows(store);
  const ranked = rankPlaces(
    store,
    Uint32Array.from({ length: MANY / 5 }, (_, i) => 5 * i),
  );
  const sections = await names.finish(ranked);
  await names.close();
  const rankedStore = new PlaceStore();
  for (const row of ranked.rows) rankedStore.add(places[row]!);
  const builder = new NameIndexBuilder(quiet);
  builder.addRows(rankedStore, rankedStore.length);
  assert.deepEqual(sections, builder.build({ ...ranked, rows: ranked.rows.map((_, id) => id) }));
});

test('few places are indexed without a thread', async () => {
  const names = new NameIndexing(quiet, threadOf('throw new Error("started")'));
  const store = new PlaceStore();
  store.add(aPlace({ name: 'Ulm' }));
  names.addRows(store);
  const { postings } = await names.finish(rankPlaces(store, Uint32Array.of(0)));
  await names.close();
  assert.equal(postings.length, 1);
});

test('an error or the end of the thread stops the build', async () => {
  for (const [code, reason] of [
    ['throw new RangeError("no memory")', 'no memory'],
    ['process.exit()', 'the thread ended without a result'],
  ] as const) {
    const names = new NameIndexing(quiet, threadOf(code));
    const store = new PlaceStore();
    for (const place of somePlaces(MANY)) store.add(place);
    names.addRows(store);
    const message = `The thread that indexes names failed: ${reason}`;
    await assert.rejects(names.finish(rankPlaces(store, Uint32Array.of(0))), { message });
    assert.throws(() => names.addRows(store), { message });
    await names.close();
  }
});
