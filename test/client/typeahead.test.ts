import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createClient, type TypeaheadOptions } from '../../src/client/client.ts';
import { aClient, settle } from './fake-service.ts';

const RATE_LIMITED = { message: 'too many calls', status: 429, code: 'rate_limited', requestId: 'r-1' };
const MANY = aResult('Paris', 'Parma');

function aResult(...names: string[]) {
  return { hits: names.map((name) => ({ name })), nbHits: names.length };
}

function aTypeahead(context: TestContext, options: Partial<TypeaheadOptions> = {}) {
  const { client, calls, advance } = aClient(context);
  /** Text and names of each result, or text and code of each error. */
  const delivered: string[] = [];
  const typeahead = client.typeahead({
    onResult: ({ hits }, text) => delivered.push(`${text}: ${hits.map(({ name }) => name).join(', ')}`),
    onError: ({ code }, text) => delivered.push(`${text}: ${code}`),
    ...options,
  });
  const asked = () => calls.map(({ form }) => form.query);
  return { typeahead, calls, delivered, advance, asked };
}

test('the first letter is asked for at once, later ones after a pause', async (t) => {
  const { typeahead, asked, advance } = aTypeahead(t);
  typeahead.type('p');
  assert.deepEqual(asked(), ['p']);
  await advance(50);
  typeahead.type('pa');
  await advance(150);
  typeahead.type('par');
  await advance(199);
  assert.deepEqual(asked(), ['p']);
  await advance(1);
  assert.deepEqual(asked(), ['p', 'par']);
});

test('a debounceMs that is no time means the default', async (t) => {
  for (const debounceMs of [Number.NaN, -1]) {
    const { typeahead, asked, advance } = aTypeahead(t, { debounceMs });
    typeahead.type('p');
    typeahead.type('pa');
    await advance(199);
    assert.deepEqual(asked(), ['p'], `${debounceMs}`);
    await advance(1);
    assert.deepEqual(asked(), ['p', 'pa']);
    t.mock.timers.reset();
  }
});

test('typing "san francisco" at 150 ms a key takes 4 calls', async (t) => {
  const { typeahead, calls, asked, advance } = aTypeahead(t);
  const text = 'san francisco';
  for (let length = 1; length <= text.length; length++) {
    typeahead.type(text.slice(0, length));
    await calls.at(-1)?.respond(200, MANY);
    await advance(150);
  }
  await advance(1000);
  assert.deepEqual(asked(), ['s', 'san f', 'san franc', 'san francisco']);
});

test('while the user types without a pause, calls are three pauses apart', async (t) => {
  const { typeahead, asked, advance } = aTypeahead(t, { debounceMs: 100 });
  for (const text of ['s', 'sa', 'san', 'san ', 'san f', 'san fr', 'san fra', 'san fran', 'san franc']) {
    typeahead.type(text);
    await advance(90);
  }
  assert.deepEqual(asked(), ['s', 'san f', 'san franc']);
});

test('a new call aborts the one before, and only the newest text gets a result', async (t) => {
  const { typeahead, calls, delivered, advance } = aTypeahead(t);
  typeahead.type('p');
  typeahead.type('pa');
  await advance(200);
  assert.equal(calls[0]?.init.signal.aborted, true);
  await calls[1]?.respond(200, MANY);
  assert.deepEqual(delivered, ['pa: Paris, Parma']);
});

test('a result that arrives after more was typed is not delivered, but kept', async (t) => {
  const { typeahead, calls, delivered, asked } = aTypeahead(t);
  typeahead.type('p');
  typeahead.type('pa');
  await calls[0]?.respond(200, MANY);
  assert.deepEqual(delivered, []);
  typeahead.type('p');
  assert.deepEqual([delivered, asked()], [['p: Paris, Parma'], ['p']]);
});

test('going back to the text of the call under way makes no other call', async (t) => {
  const { typeahead, calls, delivered, advance } = aTypeahead(t);
  typeahead.type('p');
  typeahead.type('pa');
  typeahead.type('p');
  await advance(1000);
  await calls[0]?.respond(200, MANY);
  assert.deepEqual([delivered, calls.length], [['p: Paris, Parma'], 1]);
});

test('a text seen before, or with other spaces, is answered at once without a call', async (t) => {
  const { typeahead, calls, delivered, advance } = aTypeahead(t);
  typeahead.type('pa');
  await calls[0]?.respond(200, MANY);
  typeahead.type('pa ');
  typeahead.type('par');
  typeahead.type('pa');
  await advance(1000);
  assert.deepEqual([delivered, calls.length], [['pa: Paris, Parma', 'pa : Paris, Parma', 'pa: Paris, Parma'], 1]);
});

test('a text answered from memory is not answered again when a call for another text ends', async (t) => {
  const { typeahead, calls, delivered, advance } = aTypeahead(t);
  typeahead.type('pa');
  await calls[0]?.respond(200, MANY);
  typeahead.type('par');
  await advance(200);
  typeahead.type('pa');
  await calls[1]?.respond(200, MANY);
  assert.deepEqual(delivered, ['pa: Paris, Parma', 'pa: Paris, Parma']);
});

test('the same text with other options is asked for', async (t) => {
  const { typeahead, calls, advance } = aTypeahead(t, { hitsPerPage: 5, countries: ['fr'] });
  typeahead.type('pa');
  await calls[0]?.respond(200, MANY);
  typeahead.type('pa', { countries: ['it'] });
  await advance(200);
  assert.deepEqual(
    calls.map(({ form }) => form),
    [
      { query: 'pa', hitsPerPage: '5', countries: 'fr' },
      { query: 'pa', hitsPerPage: '5', countries: 'it' },
    ],
  );
});

test('of more than 50 results, the one used longest ago is forgotten', async (t) => {
  const { typeahead, calls, asked, advance } = aTypeahead(t);
  for (let i = 0; i <= 50; i++) {
    typeahead.type(`place ${i}`);
    await advance(200);
    await calls.at(-1)?.respond(200, MANY);
    typeahead.type('place 0'); // stays in use
  }
  typeahead.type('place 2');
  typeahead.type('place 0');
  await advance(200);
  assert.equal(calls.length, 51);
  typeahead.type('place 1');
  await advance(200);
  assert.deepEqual([calls.length, asked().at(-1)], [52, 'place 1']);
});

test('a single match answers longer text while that is still the beginning of its name', async (t) => {
  const { typeahead, calls, delivered, asked, advance } = aTypeahead(t);
  typeahead.type('krons');
  await calls[0]?.respond(200, aResult('Krönshagen'));
  typeahead.type('kronsh');
  typeahead.type('kronsha');
  await advance(1000);
  assert.deepEqual(delivered, ['krons: Krönshagen', 'kronsh: Krönshagen', 'kronsha: Krönshagen']);
  assert.equal(calls.length, 1);
  typeahead.type('kronsha germany');
  await advance(200);
  assert.deepEqual(asked(), ['krons', 'kronsha germany']);
});

test('a single match that arrives late answers longer text, too', async (t) => {
  const { typeahead, calls, delivered, advance } = aTypeahead(t);
  typeahead.type('krons');
  typeahead.type('kronsh');
  await calls[0]?.respond(200, aResult('Kronshagen'));
  await advance(1000);
  assert.deepEqual([delivered, calls.length], [['kronsh: Kronshagen'], 1]);
});

test('a match by another name answers longer text by that name', async (t) => {
  const { typeahead, calls, asked, advance } = aTypeahead(t);
  typeahead.type('lond');
  await calls[0]?.respond(200, { hits: [{ name: 'London', matchedName: { value: 'Londres', typos: 0 } }], nbHits: 1 });
  typeahead.type('londr');
  await advance(200);
  assert.deepEqual(asked(), ['lond']);
  typeahead.type('londo');
  await advance(200);
  assert.deepEqual(asked(), ['lond', 'londo']);
});

for (const [why, result, options] of [
  ['had two matches', aResult('Kronshagen', 'Kronsh')],
  ['is a page of more', { ...aResult('Kronshagen'), nbHits: 2 }],
  ['may be incomplete', { ...aResult('Kronshagen'), exhaustiveNbHits: false }],
  ['used up the work budget', { ...aResult('Kronshagen'), exhaustive: false }],
  ['corrected the text', { ...aResult('Kronshagen'), degradedQuery: {} }],
  ['is of a region', { ...aResult('Kronshagen'), matchedRegion: {} }],
  ['lacks hits of low confidence', aResult('Kronshagen'), { minConfidence: 0.5 }],
] as const) {
  test(`longer text is asked for if the earlier result ${why}`, async (t) => {
    const { typeahead, calls, asked, advance } = aTypeahead(t, options);
    typeahead.type('krons');
    await calls[0]?.respond(200, result);
    typeahead.type('kronsh');
    await advance(200);
    assert.deepEqual(asked(), ['krons', 'kronsh']);
  });
}

test('after 429 onError is told, and after Retry-After only the newest text is asked for', async (t) => {
  const { typeahead, calls, delivered, asked, advance } = aTypeahead(t);
  typeahead.type('p');
  await calls[0]?.respond(429, RATE_LIMITED, { 'retry-after': '30' });
  assert.deepEqual(delivered, ['p: rate_limited']);
  typeahead.type('pa');
  await advance(20_000);
  typeahead.type('par');
  await advance(9_999);
  assert.deepEqual(asked(), ['p']);
  await advance(1);
  assert.deepEqual(asked(), ['p', 'par']);
  await calls[1]?.respond(200, MANY);
  assert.deepEqual(delivered, ['p: rate_limited', 'par: Paris, Parma']);
});

test('without more typing, the text that got 429 is asked for again', async (t) => {
  const { typeahead, calls, asked, advance } = aTypeahead(t);
  typeahead.type('p');
  await calls[0]?.respond(429, RATE_LIMITED, { 'retry-after': '2' });
  await advance(2000);
  assert.deepEqual(asked(), ['p', 'p']);
});

test('the typeahead waits for a quota that ends in months without a burst of calls', async (t) => {
  const { typeahead, calls, advance } = aTypeahead(t);
  typeahead.type('p');
  await calls[0]?.respond(429, RATE_LIMITED, { 'retry-after': '9999999' });
  await advance(3_600_000);
  assert.equal(calls.length, 1);
});

test('a call that gets 503 is tried again by the client, and onError hears of the last try', async (t) => {
  const { typeahead, calls, delivered, advance } = aTypeahead(t);
  typeahead.type('p');
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(delivered, []);
    await calls[i]?.respond(503, { ...RATE_LIMITED, code: 'overloaded' });
    await advance(1000);
  }
  assert.deepEqual([delivered, calls.length], [['p: overloaded'], 3]);
});

test('onError does not hear of a failed call for an older text', async (t) => {
  const { typeahead, calls, delivered } = aTypeahead(t);
  typeahead.type('p');
  typeahead.type('pa');
  await calls[0]?.respond(401, { ...RATE_LIMITED, code: 'key_unknown' });
  assert.deepEqual(delivered, []);
});

test('a text whose call failed is asked for when it is typed again', async (t) => {
  const { typeahead, calls, delivered, advance } = aTypeahead(t);
  typeahead.type('p');
  await calls[0]?.respond(500, { ...RATE_LIMITED, code: 'internal' });
  typeahead.type('p');
  await advance(200);
  await calls[1]?.respond(200, MANY);
  assert.deepEqual(delivered, ['p: internal', 'p: Paris, Parma']);
});

for (const [what, end] of [
  ['empty text', (typeahead: { type(text: string): void }) => typeahead.type('  ')],
  ['close', (typeahead: { close(): void }) => typeahead.close()],
] as const) {
  test(`${what} ends the call under way, and the text that waited is not asked for`, async (t) => {
    const { typeahead, calls, delivered, advance } = aTypeahead(t);
    typeahead.type('p');
    typeahead.type('pa');
    end(typeahead);
    await advance(1000);
    await calls[0]?.respond(200, MANY);
    assert.equal(calls[0]?.init.signal.aborted, true);
    assert.deepEqual([delivered, calls.length], [[], 1]);
  });
}

test('a result that arrives after its call was aborted is not delivered', async () => {
  const arrived = Promise.withResolvers<Response>();
  const delivered: string[] = [];
  // ignores the signal, so that only the typeahead can drop the result
  const typeahead = createClient({ url: 'https://places.test', key: 'tpk_1', fetch: () => arrived.promise }).typeahead({
    onResult: (_, text) => delivered.push(text),
    onError: (_, text) => delivered.push(text),
  });
  typeahead.type('p');
  typeahead.close();
  arrived.resolve(Response.json(MANY));
  await settle();
  assert.deepEqual(delivered, []);
});
