import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Place } from 'toponym-engine/place/place';
import { parseGeonamesRow } from '../../../src/sources/geonames/place-row.ts';
import type { Rejection } from '../../../src/sources/report.ts';

const COLUMNS =
  'geonameid name asciiname alternatenames latitude longitude featureClass featureCode country cc2 admin1 admin2 admin3 admin4 population elevation dem timezone modified'.split(
    ' ',
  );
type Row = Readonly<Record<string, string>>;

const PARIS: Row = {
  geonameid: '4717560',
  name: 'Paris',
  asciiname: 'Paris',
  latitude: '33.66094',
  longitude: '-95.55551',
  featureClass: 'P',
  featureCode: 'PPLA2',
  country: 'US',
  admin1: 'TX',
  admin2: '277',
  population: '24839',
  elevation: '183',
  dem: '183',
  timezone: 'America/Chicago',
  modified: '2022-08-12',
};

function aLine(row: Row = {}): string {
  const whole: Row = { ...PARIS, ...row };
  return COLUMNS.map((column) => whole[column] ?? '').join('\t');
}

function placeOf(row: Row): Place {
  const parsed = parseGeonamesRow(aLine(row));
  assert.ok(!('reason' in parsed), JSON.stringify(parsed));
  return parsed;
}

test('all columns of a row become fields of the place', () => {
  assert.deepEqual(parseGeonamesRow(aLine({ alternatenames: 'Pinhook,PRX,Paris' })), {
    id: 'G4717560',
    type: 'town',
    names: [
      { value: 'Paris', kind: 'main' },
      { value: 'Pinhook', kind: 'alternate' },
      { value: 'PRX', kind: 'code' },
    ],
    lat: 33.66094,
    lng: -95.55551,
    country: 'US',
    admin1: 'US.TX',
    admin2: 'US.TX.277',
    population: 24839,
    timezone: 'America/Chicago',
    adminRank: 3,
  });
});

test('empty columns give no fields', () => {
  const place = placeOf({ population: '0', timezone: '', admin1: '', admin2: '' });
  for (const field of ['population', 'timezone', 'admin1', 'admin2']) assert.ok(!(field in place), field);
});

test('names that GeoNames lacks are added once', () => {
  for (const alternatenames of ['', 'ウィーン,Wien']) {
    const { names } = placeOf({ geonameid: '2761369', name: 'Vienna', asciiname: 'Vienna', alternatenames });
    assert.deepEqual(
      names.filter(({ value }) => value === 'ウィーン'),
      [{ value: 'ウィーン', kind: 'alternate', language: 'ja' }],
    );
  }
});

test('population, else the rank of a seat, determines the type, except for some feature codes', () => {
  /** Rows such as `PPL 100000`, by type. A population of 0 is unknown. */
  const rowsByType = {
    city: 'PPL 100000, PPLC 0, PPLC 5000',
    town: 'PPL 99999, PPL 10000, STLMT 38193, PPLA 0, PPLG 0',
    village: 'PPL 9999, PPL 1000, PPLA2 0, PPLA3 0',
    hamlet: 'PPL 999, PPLA 700, PPLF 30, PPLA4 0, PPLA5 0, PPL 0, PPLF 0, STLMT 0',
    'suburban area': 'PPLX 5000',
    locality: 'PPLL 5000, PPLQ 5000, PPLH 5000, PPLW 5000',
  };
  for (const [type, rows] of Object.entries(rowsByType)) {
    for (const row of rows.split(', ')) {
      const [featureCode = '', population = ''] = row.split(' ');
      assert.equal(placeOf({ featureCode, population }).type, type, row);
    }
  }
  assert.equal(placeOf({ featureCode: '', population: '629' }).type, 'hamlet');
});

test('the rank of a seat depends on the level of its division', () => {
  const ranks = { PPLC: 5, PPLG: 4, PPLA: 4, PPLA2: 3, PPLA3: 2, PPLA4: 1, PPLA5: 1, PPL: 0, PPLX: 0, constructor: 0 };
  for (const [featureCode, rank] of Object.entries(ranks))
    assert.equal(placeOf({ featureCode }).adminRank, rank, featureCode);
});

for (const [title, row, expected] of [
  [
    'lower-case alternate names are romanizations, unless a capital follows a particle',
    { alternatenames: "нью йорк,niu yue,ʼabw zby,la Massana,'s-Gravenhage,al-Basra,‘Ajman" },
    'Paris main,нью йорк alternate,niu yue romanized,ʼabw zby romanized,la Massana alternate,' +
      "'s-Gravenhage alternate,al-Basra alternate,‘Ajman alternate",
  ],
  [
    'two to four capitals are a code, except as main name',
    { name: 'HCMC', asciiname: '', alternatenames: 'NY,NYC,NOLA,VIENNA,Ny' },
    'HCMC main,NY code,NYC code,NOLA code,VIENNA alternate,Ny alternate',
  ],
  [
    'the ASCII name comes second if it differs, and no name is repeated',
    { name: 'Łódź', asciiname: 'Lodz', alternatenames: 'Lodz,Lodzh,Łódź,Lodzh,lodz' },
    'Łódź main,Lodz alternate,Lodzh alternate,lodz romanized',
  ],
  [
    'URLs are not names, and white space is collapsed',
    { alternatenames: 'https://en.wikipedia.org/wiki/Paris,ayst  lwys, ,' },
    'Paris main,ayst lwys romanized',
  ],
] as const) {
  test(title, () => {
    const names = placeOf(row).names.map(({ value, kind }) => `${value} ${kind}`);
    assert.equal([...new Set(names)].join(), expected); // a name may be in two languages
  });
}

test('a script of one language determines the language', () => {
  const languages = {
    파리: 'ko',
    パリ: 'ja',
    'サン・ジュリア教区': 'ja',
    ปารีส: 'th',
    პარიზი: 'ka',
    Փարիզ: 'hy',
    Παρίσι: 'el',
    ប៉ារីស: 'km',
    ປາຣີ: 'lo',
    ပဲရစ်: 'my',
    පැරිස්: 'si',
    பாரிஸ்: 'ta',
    పారిస్: 'te',
    ಪ್ಯಾರಿಸ್: 'kn',
    പാരിസ്: 'ml',
    પેરિસ: 'gu',
    ਪੈਰਿਸ: 'pa',
    প্যারিস: 'bn',
    পেৰিছ: 'as',
    ପ୍ୟାରିସ: 'or',
    ፓሪስ: 'am',
    'པ་རི།': 'bo',
  };
  const { names } = placeOf({ alternatenames: Object.keys(languages).join(',') });
  assert.deepEqual(Object.fromEntries(names.slice(1).map(({ value, language }) => [value, language])), languages);
});

test('a Latin name has no language unless a table knows it', () => {
  const { names } = placeOf({ alternatenames: 'Parijs,Θ-Stadt' });
  for (const name of names) assert.ok(!('language' in name), name.value);
});

test('a rejected row has a reason', () => {
  const badCoordinates = (got: string) => ({ reason: 'bad coordinates', got });
  const cases: [string, Rejection][] = [
    ['1\tParis', { reason: 'short row', got: '2 columns: "1\\tParis"' }],
    [`${aLine()}\textra`, { reason: 'long row', got: `20 columns: ${JSON.stringify(`${aLine()}\textra`)}` }],
    [aLine({ featureClass: 'A' }), { reason: 'not a populated place', got: 'feature class "A"' }],
    [aLine({ geonameid: 'x1' }), { reason: 'bad id', got: '"x1"' }],
    [aLine({ geonameid: '' }), { reason: 'bad id', got: '""' }],
    [aLine({ name: '  ' }), { reason: 'empty name', got: '"  "' }],
    [aLine({ latitude: '' }), badCoordinates('"", "-95.55551"')],
    [aLine({ latitude: 'NaN' }), badCoordinates('"NaN", "-95.55551"')],
    [aLine({ latitude: '90.0001' }), badCoordinates('"90.0001", "-95.55551"')],
    [aLine({ longitude: '-180.5' }), badCoordinates('"33.66094", "-180.5"')],
    [aLine({ country: '' }), { reason: 'bad country', got: '""' }],
    [aLine({ country: 'USA' }), { reason: 'bad country', got: '"USA"' }],
  ];
  for (const [line, rejection] of cases) assert.deepEqual(parseGeonamesRow(line), rejection);
  const { lat, lng } = placeOf({ latitude: '-90', longitude: '180' });
  assert.deepEqual([lat, lng], [-90, 180], 'the limits are valid');
});

test('no line makes the parser throw', () => {
  const anyColumns = fc.array(fc.string({ unit: 'binary' }), { minLength: 17, maxLength: 21 });
  fc.assert(
    fc.property(anyColumns, fc.boolean(), (columns, isPlace) => {
      if (isPlace) columns[6] = 'P';
      parseGeonamesRow(columns.join('\t'));
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('a city has the airports at its edge, and most places have none', () => {
  assert.deepEqual(placeOf({ geonameid: '292223' }).edgeAirports, [{ lat: 25.2528, lng: 55.3644 }]);
  assert.equal(placeOf({}).edgeAirports, undefined);
});
