/**
 * A visitor who types the names of cities at human speed into a real search, on a clock of the test: how many calls that
 * takes, and how long.
 */
import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Engine } from 'toponym-engine/engine';
import { openEngine } from 'toponym-engine/open-engine';
import { readIndexFile } from 'toponym-files/index-file';
import { ENDPOINTS } from 'toponym-server/http/endpoints';
import { readOptions } from 'toponym-server/http/request/read-options';
import { type ByteString, textFromByteString } from 'toponym-server/http/response/json-writer';
import { builtIndex } from '../../../test/support/built-index.ts';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { createClient, type Hits } from '../src/client.ts';
import { isOnlyMatch } from '../src/typeahead.ts';

const STEP_MS = 40;
/** From a call to its answer. */
const ANSWER_MS = 80;
const WINDOW_MS = 60_000;
const COUNTRIES = 'us de fr gb it es br in cn jp mx ru tr ca au pl nl eg ng id'.split(' ');
const CITIES_PER_COUNTRY = 10;
const query = ENDPOINTS.find(({ name }) => name === 'query')!;

let engine: Engine;
let cities: string[];

before(async () => {
  engine = openEngine(readIndexFile(await builtIndex()));
  cities = COUNTRIES.flatMap((code) => {
    return search('', `countries=${code}&hitsPerPage=${CITIES_PER_COUNTRY}`).hits.map(({ name }) => name);
  });
});

function answerTo(form: string): string {
  const options = readOptions('', { format: 'form', byteString: form as ByteString }, query.options);
  const callerAddress = { family: 4, bytes: [0, 0, 0, 0] } as const;
  return textFromByteString(query.respond(options, { engine, maxRecords: 20, callerAddress, locate: () => undefined }));
}

function search(text: string, options = 'hitsPerPage=5'): Hits {
  return JSON.parse(answerTo(`query=${encodeURIComponent(text)}&${options}`));
}

/** A visitor in front of one field, whose service allows `perMinute` calls. */
function aVisitor(context: TestContext, { perMinute = 0, seed = 1 } = {}) {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.UTC(2026, 0, 1) });
  const random = seededRandom(seed);
  /** When each call came, and what it asked for. */
  const calls: { readonly atMs: number; readonly text: string; readonly status: number }[] = [];
  const service = async (_: unknown, { body, signal }: RequestInit) => {
    const nowMs = Date.now();
    const counted = calls.filter(({ atMs }) => atMs > nowMs - WINDOW_MS);
    const isRefused = perMinute > 0 && counted.length >= perMinute;
    calls.push({ atMs: nowMs, text: (body as URLSearchParams).get('query') ?? '', status: isRefused ? 429 : 200 });
    await new Promise((resolve, reject) => {
      setTimeout(resolve, ANSWER_MS);
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
    const seconds = Math.ceil(((counted[0]?.atMs ?? nowMs) + WINDOW_MS - nowMs) / 1000);
    const headers = new Headers();
    if (perMinute > 0) headers.set('RateLimit', `"key";r=${Math.max(0, perMinute - counted.length - 1)};t=${seconds}`);
    if (isRefused) headers.set('Retry-After', String(seconds));
    const json = isRefused ? '{"code":"rate_limited","message":"","requestId":""}' : answerTo(String(body));
    return { ok: !isRefused, status: isRefused ? 429 : 200, headers, text: async () => json } as Response;
  };
  const delivered: { readonly text: string; readonly atMs: number; readonly ids: string[] }[] = [];
  const waits: number[] = [];
  const client = createClient({ url: 'https://places.test', key: 'tpk_1', fetch: service as typeof fetch });
  const typeahead = client.typeahead({
    hitsPerPage: 5,
    onResult: ({ hits }, text) => {
      delivered.push({ text, atMs: Date.now(), ids: hits.map(({ objectID }) => objectID) });
    },
    onError: ({ retryAfterSeconds = 0 }) => waits.push(retryAfterSeconds),
  });
  const wait = async (ms: number) => {
    for (let left = ms; left > 0; left -= STEP_MS) {
      context.mock.timers.tick(Math.min(STEP_MS, left));
      await nextTick();
    }
  };
  /** Types a name, with pauses between words, and wrong letters now and then. Returns the number of letters. */
  const type = async (name: string) => {
    let letters = 0;
    const press = async (text: string) => {
      await wait(120 + random(160) + (/\W.$/.test(text) ? random(300) : 0));
      typeahead.type(text);
      await nextTick();
      letters++;
    };
    for (let length = 1; length <= name.length; length++) {
      if (random(30) === 0) {
        await press(`${name.slice(0, length - 1)}q`);
        await wait(random(300)); // until the mistake is seen
        await press(name.slice(0, length - 1));
        letters--;
      }
      await press(name.slice(0, length));
    }
    return letters;
  };
  return { calls, delivered, waits, type, wait, clear: () => typeahead.type('') };
}

const idsOf = ({ hits }: Hits) => hits.map(({ objectID }) => objectID);

test('the names of 200 cities take at most half a call a letter, and right hits come within 400 ms', async (t) => {
  const { calls, delivered, type, wait, clear } = aVisitor(t);
  let letters = 0;
  for (const city of cities) {
    letters += await type(city);
    await wait(400);
    assert.equal(delivered.at(-1)?.text, city, 'the hits come within 400 ms');
    assert.deepEqual(delivered.at(-1)?.ids, idsOf(search(city)), city);
    clear();
    await wait(1000);
  }
  assert.equal(cities.length, 200);
  assert.ok(calls.length <= letters / 2, `${calls.length} calls for ${letters} letters`);
  // far below, so that a change of the pace shows
  assert.ok(calls.length <= 0.3 * letters, `${calls.length} calls for ${letters} letters`);
});

test('a form of three names takes a third of the 60 calls of a minute', async (t) => {
  const { calls, waits, type, wait, clear } = aVisitor(t, { perMinute: 60 });
  for (const name of ['Rio de Janeiro', 'Llanfairpwllgwyngyll', 'San Francisco']) {
    await type(name);
    await wait(500);
    clear();
  }
  assert.deepEqual([waits, calls.length < 20], [[], true], `${calls.length} calls`);
});

test('a visitor who types names for two minutes is never refused, and each name has hits', async (t) => {
  const { calls, waits, delivered, type, wait, clear } = aVisitor(t, { perMinute: 60 });
  const names = cities.filter((name) => name.length > 5).slice(0, 40);
  for (const name of names) {
    await type(name);
    await wait(800);
    clear();
  }
  assert.deepEqual(waits, []);
  assert.deepEqual(
    calls.filter(({ status }) => status !== 200),
    [],
  );
  assert.deepEqual(
    names.filter((name) => !delivered.some(({ text }) => text === name)),
    [],
  );
});

test('with 4 calls a minute, they are spent on finished names, and none is refused', async (t) => {
  const { calls, waits, delivered, type, wait } = aVisitor(t, { perMinute: 4 });
  const names = ['Rio de Janeiro', 'Hamburg', 'San Francisco', 'Lisbon', 'Porto', 'Faro', 'Budapest'];
  for (const name of names) {
    await type(name);
    await wait(1500);
  }
  await wait(60_000);
  assert.deepEqual(
    calls.map(({ text, status }) => `${status} ${text}`),
    ['R', 'Rio de Janeiro', 'Hamburg', 'San Francisco', 'Budapest'].map((text) => `200 ${text}`),
  );
  assert.equal(waits.length, 1);
  assert.deepEqual(delivered.at(-1)?.ids, idsOf(search('Budapest')));
});

test('where a single match answers longer text, the service has the same hits', () => {
  const random = seededRandom(7);
  let texts = 0;
  let answered = 0;
  for (let i = 0; i < 300; i++) {
    const name = engine.reverse({ at: { lat: random(110) - 40, lng: random(330) - 160 }, limit: 1 }).hits[0]!.record
      .name;
    let last: Hits | undefined;
    for (let length = 1; length <= name.length; length++) {
      const text = name.slice(0, length);
      const result = search(text);
      texts++;
      if (last === undefined || !isOnlyMatch(last, text, {})) {
        last = result;
        continue;
      }
      answered++;
      assert.deepEqual(idsOf(result), idsOf(last), `${last.query} -> ${text}`);
    }
  }
  assert.ok(answered > 0.02 * texts, `${answered} of ${texts}`);
});
