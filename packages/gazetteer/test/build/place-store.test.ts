import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NAME_KINDS, PLACE_TYPES, type Place } from 'toponym-engine/place/place';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { PlaceStore } from '../../src/build/place-store.ts';

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
      ...(random(4) === 0 ? { isUnranked: true as const } : {}),
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
    ...Object.fromEntries(maybe(['edgeAirports', [{ lat: -random(90), lng: 179.1234567 }]])),
    ...Object.fromEntries(maybe(['box', { south: -90, west: 179.1234567, north: random(90), east: -180 }])),
  }));
}

test('the store returns places unchanged', () => {
  const places = somePlaces(5000);
  const store = new PlaceStore();
  const rows = places.map((place) => store.add(place));
  assert.deepEqual(
    rows.map((row) => store.place(row)),
    places,
  );
});
