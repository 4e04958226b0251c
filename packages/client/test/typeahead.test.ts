import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createClient, type TypeaheadOptions } from '../src/client.ts';
import { aClient, settle } from './fake-service.ts';

const RATE_LIMITED = { message: 'too many calls', status: 429, code: 'rate_limited', requestId: 'r-1' };
const MANY = aResult('Paris', 'Parma');

function aResult(...names: string[]) {
  return { hits: names.map((name) => ({ name, confidence: 0.96 })), nbHits: names.length };
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
  return { client, typeahead, calls, delivered, advance, asked };
}

test('the first letter is asked for at once, later ones after a pause', async (t) => {
  const { typeahead, calls, asked, advance } = aTypeahead(t);
  typeahead.type('p');
  assert.deepEqual(asked(), ['p']);
  await calls[0]?.respond(200, MANY);
  await advance(200);
  typeahead.type('pa');
  await advance(200);
  typeahead.type('par');
  await advance(299);
  assert.deepEqual(asked(), ['p']);
  await advance(1);
  assert.deepEqual(asked(), ['p', 'par']);
});

for (const [what, letterMs, pauseMs] of [
  ['fast', 60, 150],
  ['usual', 180, 270],
  ['slow', 260, 300],
] as const) {
  test(`the pause follows a ${what} typist`, async (t) => {
    const { typeahead, calls, asked, advance } = aTypeahead(t);
    const text = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch';
    for (let length = 1; length <= text.length; length++) {
      await advance(letterMs);
      typeahead.type(text.slice(0, length));
      await calls.at(-1)?.respond(200, MANY);
    }
    await advance(pauseMs - 2);
    assert.notEqual(asked().at(-1), text);
    await advance(4);
    assert.equal(asked().at(-1), text);
  });
}

test('a debounceMs that is no time means the default', async (t) => {
  for (const debounceMs of [Number.NaN, -1]) {
    const { typeahead, calls, asked, advance } = aTypeahead(t, { debounceMs });
    typeahead.type('p');
    await calls[0]?.respond(200, MANY);
    await advance(200);
    typeahead.type('pa');
    await advance(299);
    assert.deepEqual(asked(), ['p'], `${debounceMs}`);
    await advance(1);
    assert.deepEqual(asked(), ['p', 'pa']);
    t.mock.timers.reset();
  }
});

test('while the user types without a pause, calls are three pauses apart', async (t) => {
  const { typeahead, calls, asked, advance } = aTypeahead(t, { debounceMs: 100 });
  for (const text of ['s', 'sa', 'san', 'san ', 'san f', 'san fr', 'san fra', 'san fran', 'san franc']) {
    typeahead.type(text);
    await calls.at(-1)?.respond(200, MANY);
    await advance(90);
  }
  assert.deepEqual(asked(), ['s', 'san f', 'san franc']);
});

test('there is one call at a time: the newest text is asked for when the call before it has ended', async (t) => {
  const { typeahead, calls, delivered, asked, advance } = aTypeahead(t, { debounceMs: 0 });
  for (const text of ['p', 'pa', 'par']) typeahead.type(text);
  await advance(900);
  assert.deepEqual(asked(), ['p']);
  await calls[0]?.respond(200, MANY);
  assert.deepEqual([asked(), delivered], [['p', 'par'], []]);
  await calls[1]?.respond(200, MANY);
  assert.deepEqual(delivered, ['par: Paris, Parma']);
});

test('a call for an older text is given up after a second, and one for the newest text is not', async (t) => {
  const { typeahead, calls, delivered, asked, advance } = aTypeahead(t);
  typeahead.type('p');
  await advance(600);
  typeahead.type('pa');
  await advance(399);
  assert.deepEqual(asked(), ['p']);
  await advance(1);
  assert.deepEqual([asked(), calls[0]?.init.signal.aborted], [['p', 'pa'], true]);
  await advance(5000);
  await calls[1]?.respond(200, MANY);
  assert.deepEqual(delivered, ['pa: Paris, Parma']);
});

test('if a call for an older text fails, the newest text is asked for', async (t) => {
  const { typeahead, calls, delivered, asked, advance } = aTypeahead(t);
  typeahead.type('p');
  typeahead.type('pa');
  await advance(300);
  await calls[0]?.respond(500, { ...RATE_LIMITED, code: 'internal' });
  assert.deepEqual([asked(), delivered], [['p', 'pa'], []]);
});

test('a result that arrives after more was typed is not delivered, but kept for all typeaheads of the client', async (t) => {
  const { client, typeahead, calls, delivered, asked } = aTypeahead(t);
  typeahead.type('p');
  typeahead.type('pa');
  await calls[0]?.respond(200, MANY);
  client.typeahead({ onResult: (_, text) => delivered.push(`another: ${text}`) }).type('p');
  typeahead.type('p');
  assert.deepEqual([delivered, asked()], [['another: p', 'p: Paris, Parma'], ['p']]);
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
  await advance(300);
  assert.deepEqual(
    calls.map(({ form }) => form),
    [
      { query: 'pa', hitsPerPage: '5', countries: 'fr' },
      { query: 'pa', hitsPerPage: '5', countries: 'it' },
    ],
  );
});

test('of more than 100 results, the one used longest ago is forgotten', async (t) => {
  const { typeahead, calls, asked, advance } = aTypeahead(t, { debounceMs: 0 });
  for (let i = 0; i <= 100; i++) {
    typeahead.type(`place ${i}`);
    await calls.at(-1)?.respond(200, MANY);
    typeahead.type('place 0'); // stays in use
  }
  typeahead.type('place 2');
  typeahead.type('place 0');
  await advance(200);
  assert.equal(calls.length, 101);
  typeahead.type('place 1');
  await advance(200);
  assert.deepEqual([calls.length, asked().at(-1)], [102, 'place 1']);
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
  await advance(300);
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
  const hit = { name: 'London', confidence: 0.96, matchedName: { value: 'Londres', typos: 0 } };
  await calls[0]?.respond(200, { hits: [hit], nbHits: 1 });
  typeahead.type('londr');
  await advance(300);
  assert.deepEqual(asked(), ['lond']);
  typeahead.type('londo');
  await advance(300);
  assert.deepEqual(asked(), ['lond', 'londo']);
});

for (const [why, result, { text = 'krons', ...options } = {}] of [
  ['is uncertain', { hits: [{ name: 'Kronshagen', confidence: 0.94 }], nbHits: 1 }],
  ['is of several words', aResult('Bad Kronshagen'), { text: 'bad krons' }],
  ['had two matches', aResult('Kronshagen', 'Kronsh')],
  ['is a page of more', { ...aResult('Kronshagen'), nbHits: 2 }],
  ['may be incomplete', { ...aResult('Kronshagen'), exhaustiveNbHits: false }],
  ['used up the work budget', { ...aResult('Kronshagen'), exhaustive: false }],
  ['corrected the text', { ...aResult('Kronshagen'), degradedQuery: {} }],
  ['is of a region', { ...aResult('Kronshagen'), matchedRegion: {} }],
  ['lacks hits of low confidence', aResult('Kronshagen'), { minConfidence: 0.5 }],
] as [string, object, { text?: string; minConfidence?: number }?][]) {
  test(`longer text is asked for if the earlier result ${why}`, async (t) => {
    const { typeahead, calls, asked, advance } = aTypeahead(t, options);
    typeahead.type(text);
    await calls[0]?.respond(200, result);
    typeahead.type(`${text}h`);
    await advance(300);
    assert.deepEqual(asked(), [text, `${text}h`]);
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

test('a call that gets 429 without Retry-After is not repeated', async (t) => {
  const { typeahead, calls, delivered, advance } = aTypeahead(t);
  typeahead.type('p');
  await calls[0]?.respond(429, RATE_LIMITED);
  await advance(10_000);
  assert.deepEqual([delivered, calls.length], [['p: rate_limited'], 1]);
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

test('with few calls left, only finished words are asked for', async (t) => {
  const { typeahead, calls, asked, advance } = aTypeahead(t);
  typeahead.type('p');
  await calls[0]?.respond(200, MANY, { ratelimit: '"key";r=15;t=58' });
  const text = 'paris texas';
  for (let length = 2; length <= text.length; length++) {
    typeahead.type(text.slice(0, length));
    await advance(text[length] === ' ' ? 600 : 500);
    await calls.at(-1)?.respond(200, MANY, { ratelimit: '"key";r=14;t=58, "day";r=900;t=4000' });
  }
  await advance(100);
  assert.deepEqual(asked(), ['p', 'paris', text]);
  await calls[2]?.respond(200, MANY, { ratelimit: '"key";r=13;t=58' });
  await advance(60_000);
  typeahead.type('lis');
  await advance(300);
  assert.deepEqual(asked(), ['p', 'paris', text, 'lis'], 'a minute later');
});

test('with no calls left none is made: onError is told once, and the newest text is asked for when one is allowed', async (t) => {
  const { client, typeahead, calls, delivered, asked, advance } = aTypeahead(t);
  typeahead.type('p');
  await calls[0]?.respond(200, MANY, { ratelimit: '"key";r=0;t=20' });
  for (const text of ['pa', 'par']) {
    typeahead.type(text);
    await advance(700);
  }
  assert.deepEqual([asked(), delivered], [['p'], ['p: Paris, Parma', 'pa: rate_limited']]);
  const other = client.typeahead({
    onResult: () => {},
    onError: ({ code }, text) => delivered.push(`${text}! ${code}`),
  });
  other.type('rome');
  other.close();
  await advance(18_500);
  assert.deepEqual(asked(), ['p']);
  await advance(100);
  assert.deepEqual([asked(), delivered.length], [['p', 'par'], 2]);
});

test('a text answered from memory ends what onError said, so the next one is told again', async (t) => {
  const { typeahead, calls, delivered, advance } = aTypeahead(t);
  typeahead.type('p');
  await calls[0]?.respond(200, MANY, { ratelimit: '"key";r=0;t=20' });
  for (const text of ['pa', 'p', 'po']) {
    typeahead.type(text);
    await advance(700);
  }
  assert.deepEqual(delivered, ['p: Paris, Parma', 'pa: rate_limited', 'p: Paris, Parma', 'po: rate_limited']);
});

test('a call that gets 503 without Retry-After is tried again by the client, and onError hears of the last try', async (t) => {
  const { typeahead, calls, delivered, advance } = aTypeahead(t);
  typeahead.type('p');
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(delivered, []);
    await calls[i]?.respond(503, { ...RATE_LIMITED, code: 'overloaded' });
    await advance(1000);
  }
  assert.deepEqual([delivered, calls.length], [['p: overloaded'], 3]);
});

test('a call that gets 503 with Retry-After is told at once, and made again after that time', async (t) => {
  const { typeahead, calls, delivered, asked, advance } = aTypeahead(t);
  typeahead.type('p');
  await calls[0]?.respond(503, { ...RATE_LIMITED, code: 'overloaded' }, { 'retry-after': '2' });
  assert.deepEqual(delivered, ['p: overloaded']);
  await advance(2000);
  assert.deepEqual(asked(), ['p', 'p']);
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
  await advance(300);
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
