import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOf, zoomToFit } from '../../web/src/map/bounds.ts';

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

test('the zoom fits the width or the height of a box, whichever is tighter', () => {
  const box = { south: -1, west: 178, north: 1, east: 182 };
  assert.ok(Math.abs(zoomToFit(box, 512, 512) - Math.log2(90)) < 0.001);
  assert.ok(Math.abs(zoomToFit(box, 5120, 512) - Math.log2(180)) < 0.001);
});

test('a box far from the equator needs a lower zoom for its height, as the map is stretched there', () => {
  const box = { south: 59.9, west: 10, north: 60.1, east: 10.1 };
  assert.ok(Math.abs(zoomToFit(box, 512, 512) - Math.log2(900)) < 0.01);
});

test('one point fits at every zoom', () => {
  assert.equal(zoomToFit({ south: 1, west: 2, north: 1, east: 2 }, 512, 512), Number.POSITIVE_INFINITY);
});
