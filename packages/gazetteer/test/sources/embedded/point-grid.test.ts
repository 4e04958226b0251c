import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { distanceMeters } from 'toponym-engine/place/sphere';
import { PointGrid } from '../../../src/sources/embedded/point-grid.ts';

/** Often at a pole or the antimeridian. */
const anyLat = fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, -89.5, 78, 89.5, 90));
const anyLng = fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, -179.99, 179.99, 180));
const anyPoint = fc.record({ lat: anyLat, lng: anyLng });

test('a grid finds each item within a distance once', () => {
  fc.assert(
    fc.property(
      fc.array(anyPoint, { maxLength: 40 }),
      anyPoint,
      fc.constantFrom(600, 25_000, 500_000),
      fc.constantFrom(1, 10),
      (points, at, maxMeters, cellsPerDegree) => {
        // some of them near the point
        const items = [...points, { ...at }, { lat: at.lat, lng: at.lng === 180 ? -180 : at.lng }];
        items.push(...points.map(({ lat }) => ({ lat: at.lat, lng: at.lng + lat / 90 })));
        const metersTo = ({ lat, lng }: { lat: number; lng: number }) => distanceMeters(at.lat, at.lng, lat, lng);
        const near = new PointGrid(items, cellsPerDegree).near(at, maxMeters);
        const expected = items.filter((item) => metersTo(item) <= maxMeters);
        assert.deepEqual(new Set(near.map(({ item }) => item)), new Set(expected));
        assert.equal(near.length, expected.length);
        for (const { item, meters } of near) assert.equal(meters, metersTo(item));
      },
    ),
  );
});
