import assert from 'node:assert/strict';
import { test } from 'node:test';
import { borders as borderFeatures, iso1A2Code } from '@rapideditor/country-coder';
import { COUNTRY_CODES } from 'toponym-gazetteer/sources/regions/countries';
import { embeddedEngine as engine } from '../../../../test/support/embedded-engine.ts';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { type LatLng, METERS_PER_DEGREE } from '../../src/place/sphere.ts';

const POINTS = 1000;
const MAX_METERS_FROM_BORDER = 5000;
const MAX_ERROR_METERS = 500;
/** Pairs of the country by the borders and the country by the data, in disputed areas. */
const DISPUTED = ['RU UA', 'MA EH', 'PS IL', 'CN VN'];

const random = seededRandom(2_026);
const share = () => random(1_000_000) / 1_000_000;

test('of 1,000 points within 5 km of a border, only those beside a place across an inexact border change country', () => {
  const wrong: string[] = [];
  let disputedCount = 0;
  for (const at of borderPoints()) {
    const country = countryAt(at);
    const { hits, pointCountry } = engine.reverse({ at, limit: 20, mode: 'containing' });
    const codes = new Set(hits.map(({ record }) => record.regions.countryCode.toUpperCase()));
    if (DISPUTED.includes(`${country} ${pointCountry}`)) disputedCount++;
    else if (pointCountry !== country && !isBesideBorder(at, pointCountry))
      wrong.push(`${at.lat},${at.lng}: ${pointCountry} instead of ${country}`);
    codes.delete(pointCountry ?? '');
    if (codes.size > 0) wrong.push(`${at.lat},${at.lng}: hits in ${[...codes]}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(disputedCount < POINTS / 100, `${disputedCount} points are in disputed areas`);
});

/** Whether a point is within 500 m of a country. */
function isBesideBorder(at: LatLng, country: string | null | undefined): boolean {
  const around = Array.from({ length: 72 }, (_, i) => moved(at, MAX_ERROR_METERS, i * 5));
  return around.some((point) => countryAt(point) === country);
}

/** Points near random points of the borders between two countries. */
function borderPoints(): LatLng[] {
  const features = borderFeatures.features as readonly { readonly geometry: { coordinates: number[][][][] } | null }[];
  const rings = features.flatMap(({ geometry }) => geometry?.coordinates.flat() ?? []);
  const points: LatLng[] = [];
  while (points.length < POINTS) {
    const ring = rings[random(rings.length)]!;
    const corner = random(ring.length - 1);
    const along = share();
    const [lng, lat] = [0, 1].map((axis) => {
      return ring[corner]![axis]! * (1 - along) + ring[corner + 1]![axis]! * along;
    }) as [number, number];
    const at = moved({ lat, lng }, share() * MAX_METERS_FROM_BORDER, share() * 360);
    // most coasts are borders of one country only
    const around = [0, 60, 120, 180, 240, 300].map((bearing) => countryAt(moved(at, MAX_METERS_FROM_BORDER, bearing)));
    const countries = new Set(around.filter((country) => country !== null));
    if (countries.size > 1 && countryAt(at) !== null) points.push(at);
  }
  return points;
}

function moved({ lat, lng }: LatLng, meters: number, bearing: number): LatLng {
  const degrees = meters / METERS_PER_DEGREE;
  const radians = (bearing * Math.PI) / 180;
  const eastDegrees = (degrees * Math.sin(radians)) / Math.cos((lat * Math.PI) / 180);
  return { lat: clamp(lat + degrees * Math.cos(radians), 90), lng: clamp(lng + eastDegrees, 180) };
}

function clamp(value: number, max: number): number {
  return Math.max(-max, Math.min(max, value));
}

/** Asks country-coder directly. */
function countryAt({ lat, lng }: LatLng): string | null {
  const territory = iso1A2Code([lng, lat], { level: 'territory' });
  return territory !== null && COUNTRY_CODES.has(territory) ? territory : iso1A2Code([lng, lat]);
}
