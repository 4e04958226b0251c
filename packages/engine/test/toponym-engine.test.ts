import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anIndex, aPlace } from '../../../test/support/an-engine.ts';
import { IndexFormatError, type OpenEngine, openEngine } from '../src/toponym-engine.ts';

const index = await anIndex([
  aPlace({
    id: 'G1',
    name: 'Paris',
    population: 2_000_000,
    lat: 48.85,
    lng: 2.35,
    admin1: 'FR.11',
    timezone: 'Europe/Paris',
  }),
  aPlace({ id: 'G2', name: 'Paris', population: 25_000, lat: 33.66, lng: -95.55, country: 'US', admin1: 'US.TX' }),
  aPlace({ id: 'G3', name: 'Parilly', lat: 45.72, lng: 4.88 }),
]);

test('results are plain objects, which JSON keeps', () => {
  const engine = openEngine(index);
  const results = [
    engine.search({ text: 'pari', explain: true, around: { lat: 48, lng: 2 } }),
    engine.search({ text: 'paris texs' }),
    engine.search({ text: 'texas' }),
    engine.search({ text: '' }),
    engine.reverse({ at: { lat: 48.86, lng: 2.35 }, mode: 'containing' }),
    engine.get('G1'),
  ];
  const json = results.map((result) => JSON.stringify(result));
  assert.deepEqual(
    json.map((text) => JSON.parse(text)),
    withoutUndefined(results),
  );
  const [typed, misspelt] = results as ReturnType<OpenEngine['search']>[];
  assert.equal(typed?.hits[0]?.record.regions.country, 'France');
  assert.ok(typed?.hits[0]?.ranking !== undefined && typed.hits[0].distanceMeters !== undefined);
  assert.deepEqual(misspelt?.degraded?.dropped, ['texs']);
});

/** Drops fields that are undefined, as JSON does. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries.map(([key, field]) => [key, withoutUndefined(field)]));
}

test('a result does not change when the next search runs', () => {
  const engine = openEngine(index);
  const first = engine.search({ text: 'parilly' });
  const before = JSON.stringify(first);
  engine.search({ text: 'paris texas' });
  assert.equal(JSON.stringify(first), before);
});

test('a caller that changes a result does not change later results', () => {
  const engine = openEngine(index);
  const before = JSON.stringify([engine.search({ text: 'paris' }), engine.get('G1'), engine.dataset]);
  const [hit] = engine.search({ text: 'paris' }).hits;
  (hit!.record.regions.administrative as string[]).push('nowhere');
  (engine.get('G1')!.record.regions.administrative as string[]).push('nowhere');
  assert.throws(() => (engine.dataset.attribution as string[]).push('nobody'), TypeError);
  assert.equal(JSON.stringify([engine.search({ text: 'paris' }), engine.get('G1'), engine.dataset]), before);
});

test('a query may be an object of a class with getters', () => {
  class Query {
    get text() {
      return 'parilly';
    }
  }
  const engine = openEngine(index);
  assert.equal(engine.search(new Query()).hits[0]?.objectID, 'G3');
});

test('the bytes may be of any kind, also a part of a larger buffer', () => {
  const bytes = new Uint8Array(index);
  const padded = new Uint8Array(bytes.length + 6);
  padded.set(bytes, 3);
  const kinds = [
    bytes.slice().buffer,
    index,
    Buffer.from(bytes),
    padded.subarray(3, -3),
    new DataView(bytes.slice().buffer),
  ];
  for (const kind of kinds) assert.equal(openEngine(kind).search({ text: 'parilly' }).hits[0]?.objectID, 'G3');
  // @ts-expect-error
  assert.throws(() => openEngine('file'), /^TypeError: openEngine: needs the bytes of an index file, got "file"$/);
});

test('a damaged index is refused', () => {
  const damaged = new Uint8Array(index).slice();
  damaged[damaged.length - 5]! ^= 1;
  for (const bytes of [damaged, damaged.subarray(0, -1), new Uint8Array(7), new ArrayBuffer(0)]) {
    assert.throws(() => openEngine(bytes), IndexFormatError);
  }
});

test('country codes may be in lower case, and a limit above 20 means 20', () => {
  const engine = openEngine(index);
  const { hits } = engine.search({ text: 'paris', countries: ['us'], limit: 1000 });
  assert.deepEqual(
    hits.map(({ objectID }) => objectID),
    ['G2'],
  );
});

test('a wrong argument is an error that names the field, what was got and what is valid', () => {
  const engine = openEngine(index);
  const at = { lat: 1, lng: 2 };
  const wrong: readonly (readonly ['search' | 'reverse', unknown, RegExp])[] = [
    ['search', 'paris', /^search: the query must be an object, got "paris"$/],
    ['search', { text: 5n }, /^search: text must be .* got 5$/],
    ['search', { text: containsItself() }, /got an object that JSON cannot show$/],
    ['search', {}, /^search: text must be a string of at most 512 bytes of UTF-8, got undefined$/],
    ['search', { text: 'é'.repeat(257) }, /^search: text must be .* got "é+…$/],
    ['search', { txt: 'paris' }, /^search: unknown field "txt"\. Known fields: text, limit, /],
    ['search', { text: '', limit: 0 }, /^search: limit must be an integer of at least 1, got 0$/],
    ['search', { text: '', limit: Number.NaN }, /got NaN$/],
    ['search', { text: '', types: ['capital'] }, /^search: types must be a list of "city", .* got \["capital"\]$/],
    ['search', { text: '', countries: 'fr' }, /^search: countries must be a list of two-letter .* got "fr"$/],
    ['search', { text: '', around: { lat: 91, lng: 0 } }, /^search: around must be .* got \{"lat":91,"lng":0\}$/],
    ['search', { text: '', radiusMeters: 5 }, /^search: radiusMeters needs a point/],
    ['search', { text: '', around: at, radiusMeters: -1 }, /^search: radiusMeters must be a number of metres above 0/],
    ['search', { text: '', box: { south: 2, north: 1, west: 0, east: 1 } }, /^search: box must be .* south not above/],
    ['search', { text: '', minConfidence: 2 }, /^search: minConfidence must be a number from 0 to 1, got 2$/],
    ['search', { text: '', explain: 1 }, /^search: explain must be true or false, got 1$/],
    ['reverse', {}, /^reverse: at must be an object such as/],
    ['reverse', { at: [1, 2] }, /^reverse: at must be .* got \[1,2\]$/],
    ['reverse', { at, mode: 'inside' }, /^reverse: mode must be "nearest" or "containing", got "inside"$/],
    ['reverse', { at, country: 'FR' }, /^reverse: unknown field "country"/],
  ];
  for (const [method, query, message] of wrong) {
    // biome-ignore lint/suspicious/noExplicitAny: the arguments are wrong on purpose
    assert.throws(() => engine[method](query as any), { name: 'TypeError', message });
  }
  // @ts-expect-error
  assert.throws(() => engine.get(29), /^TypeError: get: the id must be a string such as "G2988507", got 29$/);
  // @ts-expect-error
  assert.throws(() => engine.get('G1', 5), /^TypeError: get: language must be a language tag such as "fr", got 5$/);
  assert.equal(engine.get('G99'), undefined);
});

function containsItself(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

test('an option of the API is refused with its name in the library', () => {
  const engine = openEngine(index);
  const messageOf = (call: () => unknown) => {
    try {
      call();
    } catch (error) {
      return (error as Error).message.split('. Known fields')[0];
    }
    return undefined;
  };
  const search = (fields: object) => messageOf(() => engine.search({ text: 'paris', ...fields }));
  assert.equal(
    search({ hitsPerPage: 3 }),
    'search: unknown field "hitsPerPage": this option of the API is the field "limit" here',
  );
  assert.match(search({ type: 'city' }) ?? '', /the field "types" here$/);
  assert.match(search({ aroundLatLng: '1,2' }) ?? '', /the field "around" here$/);
  const reverse = (fields: object) => messageOf(() => engine.reverse({ at: { lat: 1, lng: 2 }, ...fields }));
  assert.match(reverse({ aroundLatLng: '1,2' }) ?? '', /the field "at" here$/);
  assert.equal(reverse({ query: 'paris' }), 'reverse: unknown field "query"');
  assert.equal(search({ constructor: 1 }), 'search: unknown field "constructor"');
});
