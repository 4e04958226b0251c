import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LineString, Polygon, Position } from 'geojson';
import { distanceMeters } from 'toponym-engine/place/sphere';
import { circleFeatures } from '../../web/src/map/circle.ts';
import type { LatLng } from '../../web/src/map/place-map.ts';

const CASES: readonly (readonly [name: string, center: LatLng, radiusMeters: number])[] = [
  ['in the middle of a continent', { lat: 48.85, lng: 2.35 }, 5_000],
  ['across the antimeridian', { lat: -17, lng: 179.5 }, 300_000],
  ['near the north pole', { lat: 78.2, lng: 15.6 }, 1_000_000],
  ['around the north pole', { lat: 78.2, lng: 15.6 }, 2_000_000],
  ['around the south pole', { lat: -77.8, lng: 166.7 }, 3_000_000],
  ['around both poles', { lat: 10, lng: 100 }, 14_000_000],
];

function circle(center: LatLng, radiusMeters: number): { area: Position[][]; outline: Position[] } {
  const [area, outline] = circleFeatures(center, radiusMeters).map(({ geometry }) => geometry);
  return { area: (area as Polygon).coordinates, outline: (outline as LineString).coordinates };
}

/** By counting the edges north of the point, as the map does on its flat tiles. */
function isInArea(rings: readonly Position[][], { lat, lng }: LatLng): boolean {
  let crossings = 0;
  for (const ring of rings) {
    // no arrays: most of the test's time is spent here
    for (let i = 1; i < ring.length; i++) {
      const previousX = ring[i - 1]![0]!;
      const previousY = ring[i - 1]![1]!;
      const x = ring[i]![0]!;
      const y = ring[i]![1]!;
      if (previousX > lng === x > lng) continue;
      if (previousY + ((lng - previousX) / (x - previousX)) * (y - previousY) > lat) crossings++;
    }
  }
  return crossings % 2 === 1;
}

for (const [name, center, radiusMeters] of CASES) {
  test(`every point of the outline of a circle ${name} is at the radius`, () => {
    for (const [lng = 0, lat = 0] of circle(center, radiusMeters).outline) {
      const distance = distanceMeters(center.lat, center.lng, lat, lng);
      assert.ok(Math.abs(distance - radiusMeters) < 1, `${lat},${lng} is ${distance} m away`);
    }
  });

  test(`the outline of a circle ${name} has no jumps`, () => {
    const { outline } = circle(center, radiusMeters);
    for (const [i, [lng = 0]] of outline.entries()) assert.ok(Math.abs(lng - (outline[i - 1]?.[0] ?? lng)) < 90);
  });

  test(`the area of a circle ${name} has exactly the points within the radius`, () => {
    const { area } = circle(center, radiusMeters);
    for (let lat = -88; lat < 89; lat += 4) {
      for (let lng = -179.3; lng < 180; lng += 4) {
        const distance = distanceMeters(center.lat, center.lng, lat, lng);
        if (Math.abs(distance - radiusMeters) < 0.02 * radiusMeters) continue;
        const isIn = [-360, 0, 360].some((turn) => isInArea(area, { lat, lng: lng + turn }));
        assert.equal(isIn, distance < radiusMeters, `${lat},${lng}`);
      }
    }
  });
}
