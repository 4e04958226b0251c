import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BuildProgress, buildIndex } from '../../src/build/build-index.ts';
import { StringPool } from '../../src/build/pack/string-pool.ts';
import { PlaceStore } from '../../src/build/place-store.ts';
import { NAME_KINDS, PLACE_TYPES, type Place } from '../../src/place/place.ts';
import { aGazetteer, anEngine, aPlace, idsOf } from '../support/an-engine.ts';
import { seededRandom } from '../support/seeded-random.ts';

function somePlaces(count: number): Place[] {
  const random = seededRandom(5);
  const maybe = <T>(value: T) => (random(2) === 0 ? [value] : []);
  return Array.from({ length: count }, (_, i) => ({
    id: `${'GNWRFX'[random(6)]}${i === 0 ? Number.MAX_SAFE_INTEGER : random(1e9)}`,
    type: PLACE_TYPES[random(6)] as Place['type'],
    names: Array.from({ length: 1 + random(4) }, () => ({
      value: `Name ${random(50)} é 北`,
      kind: NAME_KINDS[random(5)] as (typeof NAME_KINDS)[number],
      ...(random(2) === 0 ? { language: `l${random(300)}` } : {}),
    })),
    lat: (random(1_800_000_000) - 900_000_000) / 1e7,
    lng: (random(3_600_000_000) - 1_800_000_000) / 1e7,
    country: ['FR', 'DE', 'US'][random(3)] as string,
    ...Object.fromEntries(maybe(['admin1', `FR.${random(99)}`])),
    ...Object.fromEntries(maybe(['admin2', `FR.1.${random(99)}`])),
    ...Object.fromEntries(maybe(['population', random(4_000_000_000)])),
    ...Object.fromEntries(maybe(['timezone', 'Europe/Paris'])),
    adminRank: random(6),
    ...Object.fromEntries(maybe(['importance', random(0x1_0000) / 0xffff])),
    ...Object.fromEntries(maybe(['externalIds', [`wd:Q${random(99)}`, 'gn:1']])),
  }));
}

test('a place comes out of the store as it went in', () => {
  const places = somePlaces(5000);
  const store = new PlaceStore();
  const rows = places.map((place) => store.add(place));
  assert.deepEqual(
    rows.map((row) => store.place(row)),
    places,
  );
});

test('equal texts are kept once, at any number of them, and copied between heaps unchanged', () => {
  const texts = Array.from({ length: 30_000 }, (_, i) => (i % 3 === 0 ? `é${i % 500}` : `Text ${i}`));
  const heap = new StringPool();
  const copies = new StringPool();
  const positions = new Map<string, number>([['', 0]]);
  for (const text of ['', ...texts]) {
    const position = heap.add(text);
    assert.equal(position, positions.get(text) ?? position);
    positions.set(text, position);
    assert.equal(copies.textAt(copies.addFrom(heap, position)), text);
  }
  assert.equal(new Set(positions.values()).size, positions.size);
  assert.deepEqual(copies.toArray(), heap.toArray());
});

test('a text longer than its length can say is refused', () => {
  assert.throws(() => new StringPool().add('x'.repeat(65_536)), { message: /65536 bytes does not fit: at most 65535/ });
});

test('every stage of a build says where it is', async () => {
  const steps: BuildProgress[] = [];
  const places = Array.from({ length: 10_001 }, (_, i) => aPlace({ id: `${'GN'[i % 2]}${i}`, name: `P${i}` }));
  await buildIndex(aGazetteer(places), (step) => steps.push(step));
  assert.deepEqual(
    steps.map(({ stage, done, total }) => `${stage} ${done}/${total ?? '?'}`),
    [
      'reading 10000/?',
      'merging 0/10001',
      'merging 10000/10001',
      'sorting 0/10001',
      'names 0/10001',
      'names 10000/10001',
      'keys 0/10001',
      'writing 0/?',
    ],
  );
});

test('an importance that was set by hand is the one the place has', async () => {
  const engine = await anEngine([aPlace({ id: 'G1', importance: 0.75 }), aPlace({ id: 'G2', population: 5_000_000 })]);
  assert.equal(engine.get('G1')?.record.importance, 0.75);
  assert.deepEqual(idsOf(engine.search({ text: '', limit: 2 })), ['G1', 'G2']);
});
