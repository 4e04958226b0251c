/** MCP over HTTP, as a client without SDK sends it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { runCommand } from '../../../../test/support/command.ts';
import { appEngine } from '../../../server/test/http/an-app.ts';
import { callEndpoint } from '../../src/cli/commands/place-endpoints.ts';
import { createMcpServer } from '../../src/mcp/serve.ts';

const ACCEPT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A server of three places: Paris, Paris in Texas, and Montmartre. */
async function aServer(t: TestContext) {
  const server = createMcpServer({
    call: (name, options) => {
      const given = new URLSearchParams(Object.entries(options).filter((pair): pair is [string, string] => !!pair[1]));
      return callEndpoint(name, given, async () => appEngine);
    },
    onError: () => {},
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const send = async (body: string, headers: Record<string, string> = {}, method = 'POST') => {
    const sent = httpRequest({ host: '127.0.0.1', port, method, path: '/mcp', headers: { ...ACCEPT, ...headers } });
    sent.on('error', () => {}); // also after the response
    sent.end(body);
    const [response] = await once(sent, 'response');
    return { status: response.statusCode as number, body: await text(response) };
  };
  /** Calls a tool, and returns its result. */
  const call = async (name: string, args: object) => {
    const params = { name, arguments: args };
    const { body } = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    return JSON.parse(/^(?:data: )?(\{.*\})$/m.exec(body)?.[1] ?? 'null')?.result;
  };
  return { send, call };
}

test('find_place returns the best place with its confidence, the candidates if it is ambiguous, and the reason', async (t) => {
  const { call } = await aServer(t);
  const { structuredContent: found, content } = await call('find_place', { text: 'paris' });
  assert.deepEqual(
    [found.place.label, found.candidates.map(({ id }: { id: string }) => id)],
    ['Paris, France', ['G4717560']],
  );
  assert.ok(found.confidence > 0.5 && found.confidence < 0.95);
  assert.match(found.reason, /^More important than the next one \(\+\d/);
  assert.match(
    content[0].text,
    /^Paris, France \(G2988507\), city at 48\.85341,2\.3488, population 2138551\. Confidence 0\.\d+\. More/,
  );
  const sure = (await call('find_place', { text: 'paris', countries: ['us'] })).structuredContent;
  assert.deepEqual([sure.place.id, sure.candidates, sure.reason], ['G4717560', [], 'It is the only match.']);
  const corrected = (await call('find_place', { text: 'montmatre' })).structuredContent;
  assert.match(corrected.reason, /Corrected “montmatre” to “Montmartre”\./);
  const point = (await call('find_place', { text: '48.86, 2.35' })).structuredContent;
  assert.deepEqual([point.place.id, point.confidence], ['G2988507', undefined]);
  const nothing = await call('find_place', { text: 'xyzzyqwv' });
  assert.deepEqual([nothing.structuredContent.place, nothing.isError], [null, undefined]);
});

test('find_places keeps the order of its texts; filters and languages apply to each', async (t) => {
  const { call } = await aServer(t);
  const args = {
    texts: ['montmartre', 'xyzzyqwv', 'paris'],
    types: ['town', 'suburban area'],
    near: { lat: 33, lng: -95 },
  };
  const { structuredContent, content } = await call('find_places', args);
  const ids = structuredContent.results.map(({ place }: { place: { id: string } | null }) => place?.id ?? null);
  assert.deepEqual(ids, ['G2992090', null, 'G4717560']);
  assert.equal(content[0].text.split('\n').length, 3);
  const [paris, empty] = (await call('find_places', { texts: ['paris', ' '] })).structuredContent.results;
  assert.deepEqual([paris.place.id, empty.place, empty.reason], ['G2988507', null, 'The text is empty.']);
});

test('nearest_place finds the place that contains a point, or places by distance; get_place all names', async (t) => {
  const { call } = await aServer(t);
  const containing = (await call('nearest_place', { lat: 48.88, lng: 2.34 })).structuredContent.places;
  assert.deepEqual([containing.length, containing[0].id, containing[0].inside], [1, 'G2988507', true]);
  const outside = (await call('nearest_place', { lat: 47, lng: 2 })).content[0].text;
  assert.match(outside, /^Paris, France \(G2988507\), .* m away, outside of it$/);
  const nearest = (await call('nearest_place', { lat: 48.88, lng: 2.34, mode: 'nearest', limit: 2 })).structuredContent;
  assert.deepEqual(
    nearest.places.map(({ id, distanceMeters }: { id: string; distanceMeters: number }) => [id, distanceMeters > 0]),
    [
      ['G2992090', true],
      ['G2988507', true],
    ],
  );
  const place = (await call('get_place', { id: 'G2988507' })).structuredContent;
  assert.deepEqual([place.label, place.timezone, place.names.und], ['Paris, France', 'Europe/Paris', ['Paris']]);
});

test('wrong arguments and unknown ids are errors of the tool that name them', async (t) => {
  const { call } = await aServer(t);
  const cases: [string, object, RegExp][] = [
    ['find_place', {}, /text: Invalid input: expected string/],
    ['find_place', { text: 'paris', country: 'us' }, /"country"/],
    ['find_place', { text: 'paris', countries: ['usa'] }, /^countries: must be two-letter country codes.* got "usa"$/],
    ['find_place', { text: 'x'.repeat(600) }, /text: Too big: expected string to have <=512/],
    ['find_place', { text: 'paris', near: { lat: 91, lng: 0 } }, /near\.lat: Too big/],
    ['find_places', { texts: Array(101).fill('a') }, /texts: Too big/],
    ['find_places', { texts: 'paris' }, /texts: Invalid input: expected array/],
    ['nearest_place', { lat: 48 }, /lng: Invalid input: expected number/],
    ['nearest_place', { lat: 48, lng: 2, mode: 'inside' }, /mode: Invalid option/],
    ['get_place', { id: 'G1' }, /^ObjectID does not exist: G1$/],
  ];
  for (const [name, args, message] of cases) {
    const { isError, content } = await call(name, args);
    assert.equal(isError, true, name);
    assert.match(content[0].text, message);
  }
});

test('requests for other hosts and from web pages are refused, as are broken and huge messages', async (t) => {
  const { send, call } = await aServer(t);
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const statusOf = async (...args: Parameters<typeof send>) => (await send(...args)).status;
  assert.equal(await statusOf(list), 200);
  assert.equal(await statusOf(list, { host: 'localhost:1234', origin: 'http://localhost:5173' }), 200);
  assert.equal(await statusOf(list, { host: 'evil.example:80' }), 403);
  assert.equal(await statusOf(list, { origin: 'https://evil.example' }), 403);
  assert.equal(await statusOf(list, { host: 'a b' }), 400);
  const broken = await send('{"jsonrpc":');
  assert.deepEqual(
    [broken.status, JSON.parse(broken.body).id, JSON.parse(broken.body).error.code],
    [400, null, -32700],
  );
  assert.equal(await statusOf(list, { 'content-type': 'text/plain' }), 415);
  assert.equal(await statusOf('', {}, 'DELETE'), 405);
  // the connection may be reset before the client has sent all
  const huge = await statusOf(`[${' '.repeat(1_100_000)}]`).catch(({ code }) => code);
  assert.ok([413, 'ECONNRESET', 'EPIPE'].includes(huge), String(huge));
  assert.equal((await call('get_place', { id: 'G2988507' })).structuredContent.name, 'Paris');
});

test('--http takes only addresses that no other machine can reach', async () => {
  const errorOf = async (...words: string[]) => (await runCommand(['mcp', ...words])).stderr;
  assert.match(
    await errorOf('--http', '0.0.0.0:8765'),
    /other machines could use it without a key\. Use 127\.0\.0\.1:8765/,
  );
  assert.match(await errorOf('--http', '[::]:8765'), /other machines/);
  for (const wrong of ['8765', '127.0.0.1', '127.0.0.1:99999', 'http://127.0.0.1:1', '127.0.0.1:1/mcp']) {
    assert.match(
      await errorOf('--http', wrong),
      /--http: must be an address and a port such as 127\.0\.0\.1:8765, got "/,
    );
  }
  assert.match(await errorOf('--json'), /--json needs --http/);
});
