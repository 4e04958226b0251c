import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildKdTree } from 'toponym-gazetteer/build/kd-tree';
import type { SpatialIndex } from '../src/nearest.ts';
import { distanceMeters } from '../src/place/sphere.ts';
import { createNeighbors, createRandom, indexOf } from './spatial-index.ts';

test('places at the same position are ordered by id, however many there are', () => {
  const points = Array.from({ length: 1_000 }, (): [number, number] => [10, 20]);
  const into = createNeighbors(5);
  assert.equal(indexOf(points).nearest(10.5, 20.5, 5, into), 5);
  assert.deepEqual([...into.ids], [0, 1, 2, 3, 4]);
});

test('places closer together than float32 resolves are in the true order', () => {
  // Within some metres of each other, where float32 vectors resolve about 40 cm and so mix the
  // order up.
  const random = createRandom(3);
  const points = Array.from({ length: 400 }, (): [number, number] => [47 + random() * 4e-5, 8 + random() * 4e-5]);
  const index = indexOf(points);
  const into = createNeighbors(10);
  for (let i = 0; i < 200; i++) {
    const lat = 47 + random() * 4e-5;
    const lng = 8 + random() * 4e-5;
    const expected = points
      .map(([a, b], id) => ({
        id,
        meters: distanceMeters(lat, lng, Math.round(a * 1e7) / 1e7, Math.round(b * 1e7) / 1e7),
      }))
      .sort((one, other) => one.meters - other.meters || one.id - other.id);
    assert.equal(index.nearest(lat, lng, 10, into), 10);
    assert.deepEqual(
      [...into.ids],
      expected.slice(0, 10).map(({ id }) => id),
    );
  }
});

function countWithin(index: SpatialIndex, radiusMeters: number): number {
  let count = 0;
  index.within(0, 0, radiusMeters, () => count++);
  return count;
}

test('a radius is inclusive', () => {
  const index = indexOf([
    [0, 0],
    [0, 1],
    [0, 2],
  ]);
  const radiusMeters = distanceMeters(0, 0, 0, 1);
  assert.equal(countWithin(index, radiusMeters), 2);
  assert.equal(countWithin(index, radiusMeters - 0.01), 1);
});

test('fewer places than requested are all returned, and an empty index returns none', () => {
  const into = createNeighbors(5);
  assert.equal(
    indexOf([
      [1, 1],
      [0, 0],
    ]).nearest(0, 0, 5, into),
    2,
  );
  assert.deepEqual([...into.ids.subarray(0, 2)], [1, 0]);
  assert.equal(indexOf([]).nearest(0, 0, 5, into), 0);
  assert.equal(indexOf([[1, 1]]).nearest(0, 0, 0, into), 0);
});

test('a visitor that returns false is not called again', () => {
  const points = Array.from({ length: 100 }, (_, i): [number, number] => [0, i / 100]);
  let calls = 0;
  indexOf(points).within(0, 0, 1_000_000, () => {
    calls++;
    return false;
  });
  assert.equal(calls, 1);
});

test('a radius that visits shrink to the nearest place so far ends with the nearest place', () => {
  const random = createRandom(5);
  const points = Array.from({ length: 500 }, (): [number, number] => [random() * 180 - 90, random() * 360 - 180]);
  const index = indexOf(points);
  const into = createNeighbors(1);
  for (let i = 0; i < 200; i++) {
    const lat = random() * 180 - 90;
    const lng = random() * 360 - 180;
    let best = { id: -1, meters: Number.POSITIVE_INFINITY };
    let visits = 0;
    index.withinShrinking(lat, lng, 30_000_000, (id, meters) => {
      visits++;
      if (meters < best.meters) best = { id, meters };
      return best.meters;
    });
    index.nearest(lat, lng, 1, into);
    assert.equal(best.id, into.ids[0]);
    assert.ok(Math.abs(best.meters - into.meters[0]!) < 1, `${best.meters} is not ${into.meters[0]}`);
    assert.ok(visits < 100);
  }
});

test('a visit that returns a negative radius is the last', () => {
  const points = Array.from({ length: 100 }, (_, i): [number, number] => [0, i / 100]);
  let visits = 0;
  indexOf(points).withinShrinking(0, 0, 1_000_000, () => {
    visits++;
    return -1;
  });
  assert.equal(visits, 1);
});

test('the same coordinates give the same tree, byte for byte', () => {
  const random = createRandom(7);
  const latE7 = Int32Array.from({ length: 5_000 }, () => Math.round((random() - 0.5) * 180e7));
  const lngE7 = Int32Array.from({ length: 5_000 }, () => Math.round((random() - 0.5) * 360e7));
  assert.deepEqual(buildKdTree(latE7, lngE7), buildKdTree(latE7, lngE7));
  assert.deepEqual(
    buildKdTree(latE7, lngE7).ids.toSorted(),
    Uint32Array.from({ length: 5_000 }, (_, i) => i),
  );
});
