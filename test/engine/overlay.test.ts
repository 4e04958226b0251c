import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/open-engine.ts';
import type { Place } from '../../src/place/place.ts';
import { anIndex, aPlace, aQuery, idsOf } from '../support/an-engine.ts';

const base = await anIndex([
  aPlace({ id: 'G1', name: 'Ham', population: 50_000, lat: 50, lng: 5 }),
  aPlace({ id: 'G2', name: 'Hamm', population: 90_000, lat: 51, lng: 5 }),
  aPlace({ id: 'G3', name: 'Hamburg', population: 1_800_000, lat: 53, lng: 10 }),
]);
const over = await anIndex(
  [
    aPlace({ id: 'G2', name: 'Hamm an der Lippe', population: 180_000, lat: 51.5, lng: 7.8 }),
    aPlace({ id: 'L1', name: 'Hamlet', population: 5, lat: 50.001, lng: 5 }),
  ],
  { replaces: ['G2', 'G3'] },
);
const engine = openEngine(base, over);

test('an overlay hides the places it replaces and adds its own, in search, reverse and lookup by id', () => {
  assert.deepEqual(idsOf(engine.search(aQuery('ham'))).sort(), ['G1', 'G2', 'L1']);
  assert.equal(engine.get('G2')?.record.name, 'Hamm an der Lippe');
  assert.equal(engine.get('G3'), undefined);
  assert.equal(engine.get('L1')?.record.name, 'Hamlet');
  assert.deepEqual(idsOf(engine.reverse({ at: { lat: 50.001, lng: 5 }, limit: 3 })), ['L1', 'G1', 'G2']);
  assert.deepEqual(idsOf(engine.search(aQuery('hamburg'))), []);
  assert.deepEqual(idsOf(engine.search(aQuery(''))), ['G2', 'G1', 'L1']);
});

test('hits of index and overlay are merged by score, and each names what decided its rank', () => {
  const { hits } = engine.search(aQuery('ham', { explain: true }));
  const scores = hits.map(({ score }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  );
  assert.ok(hits.slice(0, -1).every(({ ranking }) => ranking?.decidedBy !== undefined));
  assert.equal(hits.at(-1)?.ranking?.decidedBy, undefined);
});

test('totals leave out hidden places, in reverse too', () => {
  const nearest = engine.reverse({ at: { lat: 50, lng: 5 }, limit: 1 });
  assert.deepEqual([nearest.total, nearest.isTotalExact], [3, true]);
  const villages = engine.reverse({ at: { lat: 50, lng: 5 }, limit: 1, types: ['village'] });
  assert.deepEqual([villages.total, villages.isTotalExact], [3, true]);
  const found = engine.search(aQuery('ham'));
  assert.deepEqual([found.total, found.isTotalExact], [3, true]);
});

test('the dataset describes index and overlay together', () => {
  assert.equal(engine.dataset.version, 'test-1+test-1');
  assert.equal(engine.dataset.places, 3);
});

test('no two hits of index and overlay share a label', async () => {
  const layered = openEngine(
    await anIndex([
      aPlace({ name: 'Paris', admin1: 'FR.11' }),
      aPlace({ name: 'Paris', country: 'US', admin1: 'US.TX' }),
    ]),
    await anIndex([aPlace({ id: 'L1', name: 'Paris' }), aPlace({ id: 'L2', name: 'Paris', lat: 43 })], {
      replaces: [],
    }),
  );
  const labels = layered.search(aQuery('paris')).hits.map(({ label }) => label);
  assert.deepEqual(labels.sort(), [
    'Paris (43.000, 2.000), France',
    'Paris (47.000, 2.000), France',
    'Paris, Texas, United States',
    'Paris, Île-de-France, France',
  ]);
});

test('a suburban area shows its city as the overlay has it', async () => {
  const index = await anIndex([
    aPlace({ id: 'G1', name: 'Oldtown', population: 200_000 }),
    aPlace({ id: 'G2', name: 'Center', type: 'suburban area' }),
  ]);
  const labelWith = async (places: readonly Place[], replaces: readonly string[]) => {
    const layered = openEngine(index, await anIndex(places, { replaces }));
    const [hit] = layered.search(aQuery('center')).hits;
    assert.equal(layered.get('G2')?.label, hit?.label);
    return hit?.label;
  };
  const renamed = aPlace({ id: 'G1', name: 'Newtown', population: 200_000 });
  assert.equal(await labelWith([], []), 'Center, Oldtown, France');
  assert.equal(await labelWith([renamed], ['G1']), 'Center, Newtown, France');
  assert.equal(await labelWith([], ['G1']), 'Center, France');
});
