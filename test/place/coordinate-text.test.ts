import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCoordinates } from '../../src/place/coordinate-text.ts';
import { seededRandom } from '../support/seeded-random.ts';

const EIFFEL_TOWER = { lat: 48.8584, lng: 2.2945 };

const SAME_POINT: Record<string, readonly string[]> = {
  'decimal degrees': [
    '48.8584, 2.2945',
    '48.8584,2.2945',
    '48.8584 , 2.2945',
    '48.8584 2.2945',
    '  48.8584\t2.2945 ',
    '48.8584;2.2945',
    '48.8584; 2.2945',
    '+48.8584, +2.2945',
    '(48.8584, 2.2945)',
    '48.8584°, 2.2945°',
    '48.8584° 2.2945°',
    '048.8584,002.2945',
  ],
  'a decimal comma': ['48,8584 2,2945', '48,8584; 2,2945', '48,8584, 2,2945', '48,8584;2,2945', '48,8584° 2,2945°'],
  'letters after': [
    '48.8584N 2.2945E',
    '48.8584 N, 2.2945 E',
    '48.8584° N, 2.2945° E',
    '48.8584°N2.2945°E',
    '48.8584n 2.2945e',
    '48,8584N 2,2945E',
    '48.8584N;2.2945E',
  ],
  'letters before': [
    'N48.8584 E2.2945',
    'N 48.8584, E 2.2945',
    'N48.8584E2.2945',
    'n48.8584° e2.2945°',
    'N48,8584 E2,2945',
  ],
  'longitude first, as the letters say': ['2.2945E 48.8584N', 'E2.2945 N48.8584', '2.2945° E, 48.8584° N'],
  'degrees, minutes and seconds': [
    '48°51\'30.24"N 2°17\'40.2"E',
    '48° 51′ 30.24″ N, 2° 17′ 40.2″ E',
    'N 48°51′30.24″ E 2°17′40.2″',
    '48°51′30.24″N2°17′40.2″E',
    '48°51’30.24”N, 2°17’40.2”E',
    "48º51'30.24''N 2º17'40.2''E",
    '48°51′30,24″ N 2°17′40,2″ E',
    '48°51\'30.24", 2°17\'40.2"',
    '48°51\'30.24" 2°17\'40.2"',
    '48 51 30.24 N 2 17 40.2 E',
    '48 51 30.24N, 2 17 40.2E',
    'N 48 51 30.24 E 2 17 40.2',
    '2°17\'40.2"E 48°51\'30.24"N',
  ],
  'degrees and minutes': [
    "48°51.504'N 2°17.67'E",
    "N 48° 51.504' E 002° 17.670'",
    '48 51.504 N 2 17.67 E',
    "48°51.504', 2°17.67'",
  ],
  'full-width characters': [
    '４８．８５８４，２．２９４５',
    '４８．８５８４、２．２９４５',
    '４８°５１′３０．２４″Ｎ　２°１７′４０．２″Ｅ',
    '４８．８５８４；２．２９４５',
  ],
  'a geo URI': [
    'geo:48.8584,2.2945',
    'geo:48.8584,2.2945,35',
    'GEO:48.8584,2.2945;u=10',
    'geo:48.8584,2.2945?z=17',
    'geo:48.8584,2.2945;crs=wgs84;u=5',
  ],
};

for (const [form, texts] of Object.entries(SAME_POINT)) {
  test(`reads ${form}`, () => {
    for (const text of texts) assert.deepEqual(parseCoordinates(text), EIFFEL_TOWER, text);
  });
}

test('reads signs and hemispheres', () => {
  const sydney = { lat: -33.86, lng: 151.21 };
  const texts = [
    '-33.86,151.21',
    '−33.86, 151.21',
    '–33.86 151.21',
    '33.86S 151.21E',
    'S33.86 E151.21',
    '－33,86 151,21',
  ];
  for (const text of texts) assert.deepEqual(parseCoordinates(text), sydney, text);
  const lima = { lat: -12.05, lng: -77.04 };
  for (const text of ['-12.05 -77.04', '-12.05,-77.04', '12°03′S 77°2.4′W', "-12°03' -77°2.4'"]) {
    assert.deepEqual(parseCoordinates(text), lima, text);
  }
  assert.deepEqual(parseCoordinates('48°51′N 2°21′E'), { lat: 48.85, lng: 2.35 });
});

test('reads whole degrees if a letter, a mark, a sign or a fraction shows what they are', () => {
  assert.deepEqual(parseCoordinates('48N 2E'), { lat: 48, lng: 2 });
  assert.deepEqual(parseCoordinates('48° 2°'), { lat: 48, lng: 2 });
  assert.deepEqual(parseCoordinates('-33, 151'), { lat: -33, lng: 151 });
  assert.deepEqual(parseCoordinates('48.5,2'), { lat: 48.5, lng: 2 });
  assert.deepEqual(parseCoordinates('geo:48,2'), { lat: 48, lng: 2 });
});

test('reads whole degrees after letters if a space, a mark or minutes show that they are no postcode', () => {
  for (const text of ['N 48 E 2', 'N 48, E 2', 'N 48,E 2', 'n 48; e 2', 'E 2 N 48', 'N48° E2°', 'N48°E2']) {
    assert.deepEqual(parseCoordinates(text), { lat: 48, lng: 2 }, text);
  }
  assert.deepEqual(parseCoordinates('N48.5E2'), { lat: 48.5, lng: 2 });
  assert.deepEqual(parseCoordinates('N48 30 E2 15'), { lat: 48.5, lng: 2.25 });
  const postcodes = [
    'W1S 4',
    'N1E 6',
    'S7W 0',
    'N4W 1',
    'N1 E2',
    'N1E2',
    'w1s4',
    'N1,E2',
    'N1 6E2',
    'N 1E 6',
    'N1 E 2',
  ];
  for (const text of postcodes) assert.equal(parseCoordinates(text), undefined, text);
});

test('reads the poles, the antimeridian and zero', () => {
  assert.deepEqual(parseCoordinates('90.0,180.0'), { lat: 90, lng: 180 });
  assert.deepEqual(parseCoordinates('-90.0,-180.0'), { lat: -90, lng: -180 });
  assert.deepEqual(parseCoordinates('-0.0,-0.0'), { lat: 0, lng: 0 });
});

test('text that is not certainly a pair of coordinates is none', () => {
  const others = [
    ...['', ' ', ',', '°', 'N E', 'geo:', 'paris', 'Paris, France', 'St. Louis', '東京', 'N', 'NE', 'NW SE'],
    ...['1010', '1010 wien', '75001', '75001 paris', '48.8584', '-5', '48°', '48°51′N', '100 mile house', '10, 20'],
    ...[
      '1,2,3',
      '1,2',
      '12,345',
      '12,345.67',
      '48,8584,2,2945',
      '1 2',
      '10 20 30',
      '48 51 2 17',
      '1.2.3.4',
      '192.168.1.1',
    ],
    ...['10115 berlin', '1.5 km', '3.5 4', '20 21.5', '1984-85', '12-13', '5th avenue 3.5', '2.35 paris 48.85'],
    ...[
      '48.85 2.35 paris',
      'paris 48.85 2.35',
      '48.85, 2.35, 1',
      '48.85,,2.35',
      '48.85/2.35',
      '48.85x2.35',
      '48.85|2.35',
    ],
    ...[
      '0x10.5,3.5',
      '1e1,2.5',
      'NaN,NaN',
      '48.85N',
      '48.85N 2.29',
      '48.85 2.29E',
      'N48.85N E2.29E',
      '+33 1 42 68',
      'E40 E5',
    ],
  ];
  for (const text of others) assert.equal(parseCoordinates(text), undefined, text);
});

test('values that contradict each other or are out of range are none', () => {
  const wrong = [
    ...['91.5,2.5', '-90.1,0.5', '48.5,180.1', '48.5,-181.5', '100.5N 2.5E', '48.5N 200.5E', 'geo:91,0', '1000.5,2.5'],
    ...['48.85N 2.29N', '48.85E 2.29W', '-48.85N 2.29E', '48.85N -2.29E', "48°60'N 2°17'E", '48°51\'60"N 2°17\'0"E'],
    ...["48.5°51'N 2°17'E", '48°51.5\'30"N 2°17\'40"E', 'geo:48.8,2.3?q=paris', 'geo:48.8,2.3;crs=other'],
  ];
  for (const text of wrong) assert.equal(parseCoordinates(text), undefined, text);
});

test('a random point is read back from every form', () => {
  const random = seededRandom(9);
  for (let round = 0; round < 500; round++) {
    const lat = (random(1_800_001) - 900_000) / 10_000;
    const lng = (random(3_600_001) - 1_800_000) / 10_000;
    const north = `${Math.abs(lat).toFixed(4)}°${lat < 0 ? 'S' : 'N'}`;
    const east = `${Math.abs(lng).toFixed(4)}°${lng < 0 ? 'W' : 'E'}`;
    const plain = [lat.toFixed(4), lng.toFixed(4)];
    const texts = [
      plain.join(','),
      plain.join(' '),
      plain.join('; '),
      `${north} ${east}`,
      `${east}, ${north}`,
      `geo:${plain.join(',')}`,
    ];
    texts.push(plain.join(' ').replaceAll('.', ','));
    for (const text of texts) assert.deepEqual(parseCoordinates(text), { lat: lat || 0, lng: lng || 0 }, text);
  }
});

test('long text is refused quickly', () => {
  const startedMs = performance.now();
  for (const piece of ['1', ' ', '1 ', '1.', "1'", '°', 'N', '-', '(', ';u=1', 'geo:1,1;u=1']) {
    assert.equal(parseCoordinates(piece.repeat(512)), undefined);
  }
  assert.ok(performance.now() - startedMs < 5000); // a millisecond on a quiet machine
});
