import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { type BoundingBox, boxAround, boxBetween, circleAround, isInBox } from '../../src/place/bounding-box.ts';
import { type Circle, distanceMeters, EARTH_RADIUS_METERS, type LatLng } from '../../src/place/sphere.ts';

const point = (lat: number, lng: number) => ({ lat, lng });

const WORLD = { south: -90, west: -180, north: 90, east: 180 };
const BOX = { south: 47, west: 4, north: 48, east: 5 };
const CROSSING = { south: -20, west: 175, north: -15, east: -175 };
const WIDE = { south: -60, west: -120, north: 70, east: 100 };

/** Lists of numbers, separated by commas. */
const lists = (text: string) => text.split(', ').map((list) => list.split(' ').map(Number));

for (const [title, box, corners] of [
  ['two opposite corners give the same box in any order', BOX, '47 4 48 5, 48 5 47 4, 48 4 47 5, 47 5 48 4'],
  ['over the antimeridian, the first corner is the western one', CROSSING, '-20 175 -15 -175, -15 175 -20 -175'],
  ['over 180 degrees, the first corner is the western one', WIDE, '-60 -120 70 100, 70 -120 -60 100'],
  ['-180 and 180 span all longitudes in either order', WORLD, '-90 -180 90 180, 90 180 -90 -180'],
] as const) {
  test(title, () => {
    for (const [lat1, lng1, lat2, lng2] of lists(corners)) {
      assert.deepEqual(boxBetween(point(lat1!, lng1!), point(lat2!, lng2!)), box);
    }
  });
}

for (const [title, box, inside, outside] of [
  ['edges belong to a box', BOX, '47 4, 48 5, 47.5 4, 48 4.5', '46.99 4.5, 48.01 4.5, 47.5 3.99, 47.5 5.01'],
  ['a box over the antimeridian has places on both sides', CROSSING, '-17 178, -17 -178', '-17 174, -17 0'],
  ['the meridian of 180 degrees is also that of -180', { ...CROSSING, east: 180 }, '-17 -180', '-17 -179'],
  ['the meridian of -180 degrees is also that of 180', { ...CROSSING, west: -180 }, '-17 180', '-17 179'],
] as const) {
  test(title, () => {
    for (const [lat, lng] of lists(inside)) assert.ok(isInBox(box, lat!, lng!), `${lat}, ${lng}`);
    for (const [lat, lng] of lists(outside)) assert.ok(!isInBox(box, lat!, lng!), `${lat}, ${lng}`);
  });
}

test('the circle around a box contains every point of the box', () => {
  const random = seededRandom(11);
  const aLat = () => random(180_001) / 1000 - 90;
  const aLng = () => random(360_001) / 1000 - 180;
  for (let round = 0; round < 2000; round++) {
    const first = point(aLat(), aLng());
    const isSmall = round % 2 === 0;
    const second = isSmall
      ? point(Math.max(-90, first.lat - random(100) / 50), first.lng + (first.lng > 0 ? -1 : 1) * (random(100) / 50))
      : point(aLat(), aLng());
    const box = boxBetween(first, second);
    const { lat, lng, radiusMeters } = circleAround(box);
    for (let i = 0; i < 50; i++) {
      const [inLat, inLng] = aPointOf(box, random);
      const meters = distanceMeters(lat, lng, inLat, inLng);
      assert.ok(meters <= radiusMeters, `${JSON.stringify(box)} has ${inLat},${inLng}, ${meters} > ${radiusMeters}`);
    }
  }
});

test('the box around a circle contains the circle and touches it on four sides', () => {
  const random = seededRandom(12);
  for (let round = 0; round < 500; round++) {
    const lat = random(180_001) / 1000 - 90;
    const lng = random(360_001) / 1000 - 180;
    const circle = { lat, lng, radiusMeters: 250 + random(50_000) };
    const box = boxAround(circle);
    const label = JSON.stringify({ circle, box });
    let [minLat, maxLat, maxEast] = [90, -90, 0];
    for (let bearing = 0; bearing < 360; bearing += 0.5) {
      const onCircle = destination(circle, bearing);
      assert.ok(isInBox(grown(box), onCircle.lat, onCircle.lng), `${label} lacks ${JSON.stringify(onCircle)}`);
      minLat = Math.min(minLat, onCircle.lat);
      maxLat = Math.max(maxLat, onCircle.lat);
      maxEast = Math.max(maxEast, ((onCircle.lng - lng + 540) % 360) - 180);
    }
    if (box.east - box.west === 360) continue; // at a pole
    const halfWidth = (((box.east - lng) % 360) + 360) % 360;
    assert.ok(Math.abs(minLat - box.south) < 1e-6 && Math.abs(maxLat - box.north) < 1e-6, label);
    assert.ok(Math.abs(maxEast - halfWidth) < 1e-3 * halfWidth, label);
  }
});

test('the box around a circle crosses the antimeridian or spans all longitudes at a pole', () => {
  const radiusMeters = 10_000;
  const atAntimeridian = boxAround({ lat: 0, lng: 179.99, radiusMeters });
  assert.ok(atAntimeridian.west > 179 && atAntimeridian.east < -179.9);
  for (const lat of [90, 89.95, -89.95, -90]) {
    const { south, west, north, east } = boxAround({ lat, lng: 20, radiusMeters });
    assert.deepEqual([west, east], [-180, 180]);
    assert.ok(lat > 0 ? north === 90 : south === -90);
  }
});

test('the circle around a small box is small, also at a pole and over the antimeridian', () => {
  assert.ok(circleAround({ south: 47, west: 4, north: 48, east: 5 }).radiusMeters < 70_000);
  assert.ok(circleAround({ south: -17, west: 179.5, north: -16, east: -179.5 }).radiusMeters < 80_000);
  assert.ok(circleAround({ south: 89, west: -180, north: 90, east: 180 }).radiusMeters < 112_000);
  assert.ok(circleAround({ south: -90, west: -150, north: -89, east: 100 }).radiusMeters < 112_000);
});

/** The point at this bearing from the circle's centre, on the circle. */
function destination({ lat, lng, radiusMeters }: Circle, bearing: number): LatLng {
  const radians = Math.PI / 180;
  const angle = radiusMeters / EARTH_RADIUS_METERS;
  const sinLat =
    Math.sin(lat * radians) * Math.cos(angle) + Math.cos(lat * radians) * Math.sin(angle) * Math.cos(bearing * radians);
  const y = Math.sin(bearing * radians) * Math.sin(angle) * Math.cos(lat * radians);
  const x = Math.cos(angle) - Math.sin(lat * radians) * sinLat;
  const east = lng + Math.atan2(y, x) / radians;
  return { lat: Math.asin(sinLat) / radians, lng: ((east + 540) % 360) - 180 };
}

/** The box with a margin for rounding. */
function grown({ south, west, north, east }: BoundingBox): BoundingBox {
  return { south: south - 1e-9, west: west - 1e-9, north: north + 1e-9, east: east + 1e-9 };
}

/** A point of the box, often one on an edge. */
function aPointOf({ south, west, north, east }: BoundingBox, random: (limit: number) => number): [number, number] {
  const share = () => [0, 1, random(1000) / 1000][random(3)]!;
  const width = west > east ? east + 360 - west : east - west;
  return [south + (north - south) * share(), west + width * share()];
}
