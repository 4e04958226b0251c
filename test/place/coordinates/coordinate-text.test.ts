import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCoordinates as pointsIn } from '../../../src/place/coordinates/coordinate-text.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const EIFFEL_TOWER = { lat: 48.8584, lng: 2.2945 };

/** The likeliest point. */
const parseCoordinates = (text: string) => pointsIn(text)[0];

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
  'labels before': [
    'lat 48.8584 lon 2.2945',
    'LAT 48.8584 LONG 2.2945',
    'lat: 48.8584, lng: 2.2945',
    'lat:48.8584,lng:2.2945',
    'lat=48.8584&lon=2.2945',
    'Latitude: 48.8584\nLongitude: 2.2945',
    'latitude = 48.8584; longitude = 2.2945',
    'lat. 48.8584, long. 2.2945',
    'lon 2.2945 lat 48.8584',
    'lat48.8584 lon2.2945',
    '[lat: 48.8584, lng: 2.2945]',
    'lng: 2.2945, lat: 48.8584',
    'lat 48,8584 lon 2,2945',
    'lat: 48,8584, lon: 2,2945',
    'Latitude 48.8584° N, Longitude 2.2945° E',
    'latitude 48.8584 north longitude 2.2945 east',
    'Lat: 48°51\'30.24"N, Lon: 2°17\'40.2"E',
    'Lat 48 51 30.24 Lon 2 17 40.2',
    'lat 48:51:30.24 lon 2:17:40.2',
    'GPS Latitude: 48 deg 51\' 30.24" N, GPS Longitude: 2 deg 17\' 40.20" E',
  ],
  'labels after': [
    '48.8584 lat 2.2945 lon',
    '48.8584 (lat), 2.2945 (lng)',
    '48.8584° latitude, 2.2945° longitude',
    '48.8584 north latitude, 2.2945 east longitude',
    '2.2945 lng, 48.8584 lat',
    '48° 51′ 30.24″ de latitude nord et 2° 17′ 40.2″ de longitude est',
  ],
  'labels that say the order': [
    'lat/lng: (48.8584,2.2945)',
    'lat, lng: 48.8584, 2.2945',
    'lat lon 48.8584 2.2945',
    'latlng: 48.8584, 2.2945',
    'LatLng(48.8584, 2.2945)',
    'LatLng[48.8584, 2.2945]',
    'LngLat(2.2945, 48.8584)',
    'lng,lat: 2.2945,48.8584',
    '48.8584, 2.2945 (lat, lng)',
    'latitude/longitude 48.8584/2.2945',
  ],
  'labels in other languages': [
    'Breite: 48,8584 Länge: 2,2945',
    '48° 51′ 30.24″ nördlicher Breite, 2° 17′ 40.2″ östlicher Länge',
    'Широта: 48.8584, долгота: 2.2945',
    '緯度48.8584、経度2.2945',
    '纬度48.8584，经度2.2945',
    '위도 48.8584, 경도 2.2945',
  ],
  'keys and values among others': [
    '{"lat":48.8584,"lng":2.2945}',
    '{"lat": "48.8584", "lng": "2.2945"}',
    "{'lon': 2.2945, 'lat': 48.8584}",
    '{ lat: 48.8584, lng: 2.2945 }',
    '{"name":"Paris","latitude":48.8584,"longitude":2.2945,"zoom":12}',
    '{"_geoloc":{"lat":48.8584,"lng":2.2945}}',
    '<wpt lat="48.8584" lon="2.2945"></wpt>',
    '<lat>48.8584</lat><lon>2.2945</lon>',
    'lat=48.8584&lon=2.2945&zoom=15',
    'zoom=15&mlat=48.8584&mlon=2.2945',
    'lat: 48.8584, lon: 2.2945, alt: 35',
    'Coordinate(latitude: 48.8584, longitude: 2.2945)',
  ],
  'brackets and quotes': [
    '{48.8584, 2.2945}',
    '<48.8584, 2.2945>',
    '"48.8584, 2.2945"',
    '“48.8584, 2.2945”',
    '«48.8584, 2.2945»',
    '（48.8584, 2.2945）',
    '【48.8584, 2.2945】',
    '(( 48.8584 , 2.2945 ))',
    '"48.8584","2.2945"',
    '(48°51\'30.24"N, 2°17\'40.2"E)',
  ],
  'words around': [
    'GPS: 48.8584, 2.2945',
    'gps coordinates 48.8584 2.2945',
    'Coordinates: 48°51\'30.24"N 2°17\'40.2"E',
    'coords=48.8584,2.2945',
    '48.8584, 2.2945 (WGS 84)',
    '48.8584, 2.2945.',
  ],
  'other separators of precise numbers': [
    '48.8584/2.2945',
    '48.8584 / 2.2945',
    '48.8584 | 2.2945',
    '48.8584 and 2.2945',
  ],
  'escapes and damage': [
    '48.8584%2C%202.2945',
    '48%C2%B051%2730.24%22N%202%C2%B017%2740.2%22E',
    '48&deg;51&prime;30.24&quot;N 2&#176;17&#39;40.2&#34;E',
    '48Â°51\'30.24"N 2Â°17\'40.2"E',
    '\u200e48.8584,\u200f 2.2945\ufeff',
  ],
  'digits of other scripts': ['٤٨٫٨٥٨٤، ٢٫٢٩٤٥', '۴۸٫۸۵۸۴، ۲٫۲۹۴۵', '४८.८५८४, २.२९४५'],
  'other marks with letters': [
    '48:51:30.24N 2:17:40.2E',
    '48-51-30.24N 2-17-40.2E',
    '48*51\'30.24"N 2*17\'40.2"E',
    '48⁰51\'30.24"N 2⁰17\'40.2"E',
    '48o51\'30.24"N 2o17\'40.2"E',
    '48d51\'30.24"N 2d17\'40.2"E',
    '48d51m30.24sN 2d17m40.2sE',
    "48°51.504'N / 2°17.67'E",
    "48°51.504'N - 2°17.67'E",
    'N: 48.8584 E: 2.2945',
    'N. 48.8584, E. 2.2945',
    '+48.8584N +2.2945E',
  ],
  'words for marks and letters': [
    '48 deg 51\' 30.24" N, 2 deg 17\' 40.20" E',
    '48 degrees 51 minutes 30.24 seconds north, 2 degrees 17 minutes 40.2 seconds east',
    '48.8584 norte 2.2945 este',
    '48,8584° Nord, 2,2945° Ost',
    '48°51′30.24″ с. ш. 2°17′40.2″ в. д.',
    '48.8584 с.ш., 2.2945 в.д.',
    '48°51\'30.24" северной широты 2°17\'40.2" восточной долготы',
    '北緯48度51分30.24秒東経2度17分40.2秒',
    '북위 48도 51분 30.24초 동경 2도 17분 40.2초',
  ],
  'all digits without marks': [
    '485130.24N 0021740.2E',
    '485130.24N0021740.2E',
    'N485130.24 E0021740.2',
    '4851.504N 00217.67E',
    '4851.504,N,00217.670,E',
  ],
  'seconds without marks, if a comma separates': ['48 51 30.24, 2 17 40.2'],
  'one point in several spellings': [
    '48°51′30.24″N 2°17′40.2″E / 48.8584°N 2.2945°E / 48.8584; 2.2945',
    '48.8584, 2.2945 / 48°51′N 2°17′E',
  ],
  'ISO 6709': [
    '+48.8584+002.2945/',
    '+48.8584+002.2945',
    '+48.8584+2.2945',
    '+48,8584+002,2945/',
    '+48.8584+002.2945+035.0CRSWGS_84/',
    '+4851.504+00217.67/',
    '+485130.24+0021740.2/',
  ],
  WKT: [
    'POINT(2.2945 48.8584)',
    'Point (2.2945 48.8584)',
    'POINT Z (2.2945 48.8584 35)',
    'SRID=4326;POINT(2.2945 48.8584)',
    'ST_MakePoint(2.2945, 48.8584)',
  ],
  'GeoJSON and KML': [
    '{"type":"Point","coordinates":[2.2945,48.8584]}',
    '{ "type": "Point", "coordinates": [ 2.2945, 48.8584, 35.5 ] }',
    '{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[2.2945,48.8584]}}',
    "{'type': 'Point', 'coordinates': [2.2945, 48.8584]}",
    "{type: 'Point', coordinates: [2.2945, 48.8584]}",
    '<Point><coordinates>2.2945,48.8584,0</coordinates></Point>',
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

test('reads minus and west in all forms', () => {
  const newYork = { lat: 40.7128, lng: -74.006 };
  const texts = [
    'lat 40.7128 lng -74.006',
    'lat: 40.7128 N, lng: 74.006 W',
    '{"lat":40.7128,"lng":-74.006}',
    '40.7128° N, -74.0060° W',
    '40.7128 north, 74.006 west',
    '40°42\'46.08"N 74°0\'21.6"W',
    '+40.7128-074.0060/',
    '+40.7128-74.006',
    '404246.08N 0740021.6W',
    'POINT(-74.006 40.7128)',
    '{"type":"Point","coordinates":[-74.006,40.7128]}',
    'geo:40.7128,-74.006',
  ];
  for (const text of texts) assert.deepEqual(pointsIn(text), [newYork], text);
});

test('labels make whole degrees certain', () => {
  for (const text of ['lat 48 lon 2', 'lat=48&lng=2', 'LatLng(48, 2)', 'POINT(2 48)', '+48+002/']) {
    assert.deepEqual(pointsIn(text), [{ lat: 48, lng: 2 }], text);
  }
});

test('square brackets have both orders, with latitude first, if both are possible', () => {
  const both = [
    { lat: 2.2945, lng: 48.8584 },
    { lat: 48.8584, lng: 2.2945 },
  ];
  for (const text of [
    '[2.2945, 48.8584]',
    '[2.2945,48.8584,35]',
    '([2.2945 48.8584])',
    '2.294500,48.858400,35 m',
    'Coordinates: [2.2945, 48.8584]',
  ]) {
    assert.deepEqual(pointsIn(text), both, text);
  }
  assert.deepEqual(pointsIn('[139.65, 35.67]'), [{ lat: 35.67, lng: 139.65 }]);
  assert.deepEqual(pointsIn('[35.67, 139.65]'), [{ lat: 35.67, lng: 139.65 }]);
  assert.deepEqual(pointsIn('[139.65, 135.67]'), []);
  assert.deepEqual(pointsIn('[48, 2]'), []);
});

test('longitude comes first without brackets if precise numbers are possible only so', () => {
  assert.deepEqual(pointsIn('-122.4194, 37.7749'), [{ lat: 37.7749, lng: -122.4194 }]);
  assert.deepEqual(pointsIn('(139.65 35.67)'), [{ lat: 35.67, lng: 139.65 }]);
  assert.deepEqual(pointsIn('37.7749, -122.4194'), [{ lat: 37.7749, lng: -122.4194 }]);
});

test('the letter O may be west or east', () => {
  const both = [
    { lat: 48.5, lng: -2.25 },
    { lat: 48.5, lng: 2.25 },
  ];
  for (const text of ['48.5 N 2.25 O', "48°30'N, 2°15'O", 'O2.25 N48.5', 'lat 48.5 N lng 2.25 O']) {
    assert.deepEqual(pointsIn(text), both, text);
  }
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
    ...['12,345 67,890', '12,345; 67,890', '12,345, 67,890', '1.234,56 7.890,12', '12 345 678, 98 765 432'],
    ...['10.30 12.45', '9.15 10.45', '10,30 12,45', '24.12 31.12', '10:30 12:45', '10:30:00, 12:45:00', '10.30-12.45'],
    ...['12.11.2026 13.11.2026', '10.50€ 12.60€', '$10.50 $12.60', '+33-142-6853', '+49-301234567', '+33-142'],
    ...['50 North 100 West', '350 N 500 W', '12 rue de la Paix, 75002 Paris', 'Dalat 12 Long 5', 'Route 66, 12.5'],
    ...[
      'lat 48',
      'lat 48 lon',
      'lat 48 lat 2',
      'lat 48 lon 2 paris',
      'paris lat 48 lon 2',
      '48.85, 2.35 lat/lng 5',
      'lat 1 lon 2 lat 3 lon 4',
    ],
    ...['1010N 12345', '4851N 0021E', '48.8584N 2.2945', 'POINT(2.2945)', 'POLYGON((2 48, 3 49, 4 50, 2 48))'],
    ...['{"type":"LineString","coordinates":[[2.1,48.1],[2.2,48.2]]}', '{"lat":48.8584}', '48.8584,2.2945,48.9,2.4'],
    ...['48.85N 2.35E / 40.71N 74.01W', '48.8584, 2.2945 / paris', '48.8584, 2.2945 /'],
  ];
  for (const text of others) assert.equal(parseCoordinates(text), undefined, text);
});

test('values that contradict each other or are out of range are none', () => {
  const wrong = [
    ...['91.5,2.5', '-90.1,0.5', '48.5,180.1', '48.5,-181.5', '100.5N 2.5E', '48.5N 200.5E', 'geo:91,0', '1000.5,2.5'],
    ...['48.85N 2.29N', '48.85E 2.29W', '-48.85N 2.29E', '48.85N -2.29E', "48°60'N 2°17'E", '48°51\'60"N 2°17\'0"E'],
    ...[
      'lat 91 lon 2',
      'lat=48&lon=181',
      '{"lat":91,"lng":2}',
      "lat 48°60' lon 2",
      'lat 48.85E lon 2.29N',
      'LatLng(2, 100, 3)',
    ],
    ...['+95.5+002.5/', '+4861.5+00217.5/', '9951N 00217E', '4861N 00217E', 'POINT(2.2 98.8)', '[91.25, 181.25]'],
    ...['{"type":"Point","coordinates":[48.85,122.3]}', '95.12, 99.33', 'N-48.85 E2.29'],
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
  const pieces = [
    ...[
      '1',
      ' ',
      '1 ',
      '1.',
      "1'",
      '°',
      'N',
      '-',
      '(',
      '[',
      ';u=1',
      'geo:1,1;u=1',
      '1.1,',
      '1 1 ',
      '1d',
      '1o1',
      'lat 1 ',
    ],
    ...[
      'lat=1 ',
      '&q=1.1;',
      '/1x1',
      '!1d1!2d',
      '@1.1,',
      ' / 1.1 ',
      '&',
      '%31',
      '度1',
      'с. 1',
      '{"coordinates":[1,',
      'a.a1',
    ],
  ];
  const startedMs = performance.now();
  for (const piece of pieces) {
    for (const start of ['', '1.1 1.1', 'https://a.b/', 'lat 1 lng ', '[1.1,']) {
      const repeated = piece.repeat(512).slice(0, 511 - start.length);
      assert.deepEqual(pointsIn(`${start}${repeated}x`), [], piece);
    }
  }
  assert.ok(performance.now() - startedMs < 5000); // 20 milliseconds on a quiet machine
});
