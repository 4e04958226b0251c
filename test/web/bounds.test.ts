import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOf } from '../../web/src/map/bounds.ts';

test('the box around points is the narrowest one', () => {
  const points = [
    { lat: 48.9, lng: 2.3 },
    { lat: 33.7, lng: -95.6 },
  ];
  assert.deepEqual(boundsOf(points), { south: 33.7, west: -95.6, north: 48.9, east: 2.3 });
});

test('the box around places of Fiji and Tonga crosses the antimeridian', () => {
  const points = [
    { lat: -18.1, lng: 178.4 },
    { lat: -18.6, lng: -174 },
    { lat: -16.8, lng: -180 },
  ];
  assert.deepEqual(boundsOf(points), { south: -18.6, west: 178.4, north: -16.8, east: 186 });
});

test('the box around one point has no size', () => {
  assert.deepEqual(boundsOf([{ lat: 1, lng: 2 }]), { south: 1, west: 2, north: 1, east: 2 });
});
