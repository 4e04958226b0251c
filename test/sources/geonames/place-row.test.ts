import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Place } from '../../../src/place/place.ts';
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

function parseRejected(line: string): Rejection {
  const parsed = parseGeonamesRow(line);
  assert.ok('reason' in parsed);
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

test('an unknown feature code, even one that every object has as a property, gives the usual type and rank', () => {
  for (const featureCode of ['PPLZ', 'constructor']) {
    const { type, adminRank } = placeOf({ featureCode });
    assert.deepEqual([type, adminRank], ['town', 0]);
  }
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

test('a known population determines the type', () => {
  const cases: [string, string, string][] = [
    ['PPL', '100000', 'city'],
    ['PPL', '99999', 'town'],
    ['PPL', '10000', 'town'],
    ['PPL', '9999', 'village'],
    ['PPL', '1000', 'village'],
    ['PPL', '999', 'hamlet'],
    ['PPLA', '700', 'hamlet'],
    ['PPLF', '30', 'hamlet'],
    ['STLMT', '38193', 'town'],
    ['', '629', 'hamlet'],
  ];
  for (const [featureCode, population, type] of cases) {
    assert.equal(placeOf({ featureCode, population }).type, type, `${featureCode} of ${population}`);
  }
});

test('the administrative rank determines the type if the population is unknown', () => {
  const cases: [string, string][] = [
    ['PPLC', 'city'],
    ['PPLA', 'town'],
    ['PPLG', 'town'],
    ['PPLA2', 'village'],
    ['PPLA3', 'village'],
    ['PPLA4', 'hamlet'],
    ['PPLA5', 'hamlet'],
    ['PPL', 'hamlet'],
    ['PPLF', 'hamlet'],
    ['STLMT', 'hamlet'],
  ];
  for (const [featureCode, type] of cases)
    assert.equal(placeOf({ featureCode, population: '0' }).type, type, featureCode);
});

test('some feature codes determine the type whatever the population', () => {
  const cases: [string, string][] = [
    ['PPLX', 'suburban area'],
    ['PPLL', 'locality'],
    ['PPLQ', 'locality'],
    ['PPLH', 'locality'],
    ['PPLW', 'locality'],
    ['PPLC', 'city'],
  ];
  for (const [featureCode, type] of cases)
    assert.equal(placeOf({ featureCode, population: '5000' }).type, type, featureCode);
});

test('the rank of a seat depends on the level of its division', () => {
  const ranks = { PPLC: 5, PPLG: 4, PPLA: 4, PPLA2: 3, PPLA3: 2, PPLA4: 1, PPLA5: 1, PPL: 0, PPLX: 0 };
  for (const [featureCode, rank] of Object.entries(ranks))
    assert.equal(placeOf({ featureCode }).adminRank, rank, featureCode);
});

test('lower-case alternate names are romanizations, unless a capital follows a particle', () => {
  const alternatenames =
    "niu yue,pyrs,ʼabw zby,la Massana,'s-Gravenhage,l'Alguer,al-Basra,‘Ajman,Нью-Йорк,Нью йорк,нью йорк";
  const kinds = Object.fromEntries(placeOf({ alternatenames }).names.map(({ value, kind }) => [value, kind]));
  assert.deepEqual(kinds, {
    Paris: 'main',
    'niu yue': 'romanized',
    pyrs: 'romanized',
    'ʼabw zby': 'romanized',
    'la Massana': 'alternate',
    "'s-Gravenhage": 'alternate',
    "l'Alguer": 'alternate',
    'al-Basra': 'alternate',
    '‘Ajman': 'alternate',
    'Нью-Йорк': 'alternate',
    'Нью йорк': 'alternate',
    'нью йорк': 'alternate',
  });
});

test('two to four capitals are a code, except as main name', () => {
  const { names } = placeOf({ name: 'HCMC', asciiname: '', alternatenames: 'NY,NYC,NOLA,VIENNA,Ny' });
  assert.deepEqual(
    names.map(({ kind }) => kind),
    ['main', 'code', 'code', 'code', 'alternate', 'alternate'],
  );
});

test('the ASCII name comes second if it differs, and no name is repeated', () => {
  const { names } = placeOf({ name: 'Łódź', asciiname: 'Lodz', alternatenames: 'Lodz,Lodzh,Łódź,Lodzh,lodz' });
  assert.deepEqual(
    names.map(({ value }) => value),
    ['Łódź', 'Lodz', 'Lodzh', 'lodz'],
  );
});

test('URLs are not names, and white space is collapsed', () => {
  const { names } = placeOf({ alternatenames: 'https://en.wikipedia.org/wiki/Paris,ayst  lwys, ,' });
  assert.deepEqual(
    names.map(({ value }) => value),
    ['Paris', 'ayst lwys'],
  );
});

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
  const cases: [string, Rejection][] = [
    ['1\tParis', { reason: 'short row', got: '2 columns: "1\\tParis"' }],
    [aLine({ featureClass: 'A' }), { reason: 'not a populated place', got: 'feature class "A"' }],
    [aLine({ geonameid: 'x1' }), { reason: 'bad id', got: '"x1"' }],
    [aLine({ geonameid: '' }), { reason: 'bad id', got: '""' }],
    [aLine({ name: '  ' }), { reason: 'empty name', got: '"  "' }],
    [aLine({ latitude: '' }), { reason: 'bad coordinates', got: '"", "-95.55551"' }],
    [aLine({ latitude: 'NaN' }), { reason: 'bad coordinates', got: '"NaN", "-95.55551"' }],
    [aLine({ latitude: '90.0001' }), { reason: 'bad coordinates', got: '"90.0001", "-95.55551"' }],
    [aLine({ longitude: '-180.5' }), { reason: 'bad coordinates', got: '"33.66094", "-180.5"' }],
    [aLine({ country: '' }), { reason: 'bad country', got: '""' }],
    [aLine({ country: 'USA' }), { reason: 'bad country', got: '"USA"' }],
  ];
  for (const [line, rejection] of cases) assert.deepEqual(parseRejected(line), rejection);
  assert.equal(parseRejected(`${aLine()}\textra`).reason, 'long row');
});

test('the limits of latitude and longitude are valid', () => {
  const place = placeOf({ latitude: '-90', longitude: '180' });
  assert.deepEqual([place.lat, place.lng], [-90, 180]);
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
  assert.deepEqual(placeOf({ geonameid: '292223' }).airports, [{ lat: 25.2528, lng: 55.3644 }]);
  assert.equal(placeOf({}).airports, undefined);
});
