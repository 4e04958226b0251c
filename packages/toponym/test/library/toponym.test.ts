import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { anIndex, aPlace } from '../../../../test/support/an-engine.ts';
import * as browser from '../../src/library/browser.ts';
import { IndexFormatError, openToponym, type Toponym } from '../../src/library/node.ts';
import { createTerminalLine } from '../../src/library/open-index-source.ts';

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

function labels(toponym: Toponym): string[] {
  return toponym.search({ text: 'paris', limit: 2 }).hits.map(({ label }) => label);
}

test('results are plain objects, which JSON keeps', async () => {
  const toponym = await openToponym({ index });
  const results = [
    toponym.search({ text: 'pari', explain: true, around: { lat: 48, lng: 2 } }),
    toponym.search({ text: 'paris texs' }),
    toponym.search({ text: 'texas' }),
    toponym.search({ text: '' }),
    toponym.reverse({ at: { lat: 48.86, lng: 2.35 }, mode: 'containing' }),
    toponym.get('G1'),
  ];
  const json = results.map((result) => JSON.stringify(result));
  assert.deepEqual(
    json.map((text) => JSON.parse(text)),
    withoutUndefined(results),
  );
  const [typed, misspelt] = results as ReturnType<Toponym['search']>[];
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

test('a result does not change when the next search runs', async () => {
  const toponym = await openToponym({ index });
  const first = toponym.search({ text: 'parilly' });
  const before = JSON.stringify(first);
  toponym.search({ text: 'paris texas' });
  assert.equal(JSON.stringify(first), before);
});

test('a caller that changes a result does not change later results', async () => {
  const toponym = await openToponym({ index });
  const before = JSON.stringify([toponym.search({ text: 'paris' }), toponym.get('G1'), toponym.dataset]);
  const [hit] = toponym.search({ text: 'paris' }).hits;
  (hit!.record.regions.administrative as string[]).push('nowhere');
  (toponym.get('G1')!.record.regions.administrative as string[]).push('nowhere');
  assert.throws(() => (toponym.dataset.attribution as string[]).push('nobody'), TypeError);
  assert.equal(JSON.stringify([toponym.search({ text: 'paris' }), toponym.get('G1'), toponym.dataset]), before);
});

test('a query may be an object of a class with getters', async () => {
  class Query {
    get text() {
      return 'parilly';
    }
  }
  const toponym = await openToponym({ index });
  assert.equal(toponym.search(new Query()).hits[0]?.objectID, 'G3');
});

test('the index may be any kind of bytes, also a part of a larger buffer', async () => {
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
  for (const kind of kinds) {
    for (const open of [openToponym, browser.openToponym]) {
      assert.deepEqual(labels(await open({ index: kind })), ['Paris, France', 'Paris, Texas, United States']);
    }
  }
});

test('a damaged index is refused', async () => {
  const damaged = new Uint8Array(index).slice();
  damaged[damaged.length - 5]! ^= 1;
  for (const bytes of [damaged, damaged.subarray(0, -1), new Uint8Array(7), new ArrayBuffer(0)]) {
    await assert.rejects(openToponym({ index: bytes }), IndexFormatError);
    await assert.rejects(browser.openToponym({ index: bytes }), IndexFormatError);
  }
});

test('a thread opens the index that another thread has in shared memory', async () => {
  const code = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { openToponym } from ${JSON.stringify(import.meta.resolve('../../src/library/node.ts'))};
    const toponym = await openToponym({ index: workerData });
    parentPort.postMessage(toponym.search({ text: 'parilly' }).hits[0].objectID);
  `;
  const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const worker = new Worker(url, { workerData: index });
  const { promise, resolve, reject } = Promise.withResolvers();
  worker.once('message', resolve).once('error', reject);
  assert.equal(await promise, 'G3');
});

test('country codes may be in lower case, and a limit above 20 means 20', async () => {
  const toponym = await openToponym({ index });
  const { hits } = toponym.search({ text: 'paris', countries: ['us'], limit: 1000 });
  assert.deepEqual(
    hits.map(({ objectID }) => objectID),
    ['G2'],
  );
});

test('a wrong argument is an error that names the field, what was got and what is valid', async () => {
  const toponym = await openToponym({ index });
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
    assert.throws(() => toponym[method](query as any), { name: 'TypeError', message });
  }
  // @ts-expect-error
  assert.throws(() => toponym.get(29), /^TypeError: get: the id must be a string such as "G2988507", got 29$/);
  // @ts-expect-error
  assert.throws(() => toponym.get('G1', 5), /^TypeError: get: language must be a language tag such as "fr", got 5$/);
  assert.equal(toponym.get('G99'), undefined);
});

function containsItself(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

test('wrong options of openToponym are errors', async () => {
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    ['x', /^openToponym: options must be an object, got "x"$/],
    [5, /options must be an object, got 5$/],
    [null, /options must be an object, got null$/],
    [[], /options must be an object, got \[\]$/],
    [{ index: 7 }, /^openToponym: index must be the path of an index file, or its bytes, got 7$/],
    [{ index: 'https://example.com/x' }, /index must be the path of .* got "https:\/\/example\.com\/x"$/],
    [{ overlay: 5 }, /^openToponym: overlay must be the path of an overlay file, got 5$/],
    [{ onProgress: true }, /^openToponym: onProgress must be a function, got true$/],
  ];
  for (const [options, message] of wrong) {
    await assert.rejects(openToponym(options as object), { name: 'TypeError', message });
  }
  await assert.rejects(openToponym({ index: '/no/such/file' }), (error: Error) => {
    return (error.cause as NodeJS.ErrnoException).code === 'ENOENT';
  });
  // @ts-expect-error
  await assert.rejects(openToponym({ indx: 'x' }), /unknown option "indx"\. Known options: index, overlay, onProgress/);
  await assert.rejects(openToponym({ index: '/no/such/file' }), /The index \/no\/such\/file cannot be read/);
  // @ts-expect-error
  await assert.rejects(browser.openToponym({ index: 'file' }), /index must be the bytes of an index file, got "file"/);
});

test('after close, calls fail', async () => {
  const toponym = await openToponym({ index });
  await toponym.close();
  await toponym.close();
  for (const call of [
    () => labels(toponym),
    () => toponym.get('G1'),
    () => toponym.reverse({ at: { lat: 0, lng: 0 } }),
  ]) {
    assert.throws(call, { name: 'TypeError', message: 'this Toponym is closed: open it again with openToponym()' });
  }
  assert.equal(toponym.dataset.places, 3);
});

test('an option of the API is refused with its name in the library', async () => {
  const toponym = await openToponym({ index });
  const messageOf = (call: () => unknown) => {
    try {
      call();
    } catch (error) {
      return (error as Error).message.split('. Known fields')[0];
    }
    return undefined;
  };
  const search = (fields: object) => messageOf(() => toponym.search({ text: 'paris', ...fields }));
  assert.equal(
    search({ hitsPerPage: 3 }),
    'search: unknown field "hitsPerPage": this option of the API is the field "limit" here',
  );
  assert.match(search({ type: 'city' }) ?? '', /the field "types" here$/);
  assert.match(search({ aroundLatLng: '1,2' }) ?? '', /the field "around" here$/);
  const reverse = (fields: object) => messageOf(() => toponym.reverse({ at: { lat: 1, lng: 2 }, ...fields }));
  assert.match(reverse({ aroundLatLng: '1,2' }) ?? '', /the field "at" here$/);
  assert.equal(reverse({ query: 'paris' }), 'reverse: unknown field "query"');
  assert.equal(search({ constructor: 1 }), 'search: unknown field "constructor"');
});

test('without onProgress, a terminal gets one line about the first index, and other output none', () => {
  const linesOn = (isTTY: boolean) => {
    const lines: string[] = [];
    const onProgress = createTerminalLine({ isTTY, write: (line: string) => lines.push(line) > 0 });
    onProgress();
    onProgress();
    return lines;
  };
  assert.deepEqual(linesOn(true), [
    'toponym: indexing places. This is done once, and takes about 20 seconds with the embedded data.\n',
  ]);
  assert.deepEqual(linesOn(false), []);
});
