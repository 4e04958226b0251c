/**
 * Random bytes, bodies, URLs and headers: no request is a 500; every refusal is a well-formed error.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import fc from 'fast-check';
import { OPTIONS } from 'toponym-engine/options';
import { ERRORS, type ErrorCode } from '../../src/http/error-codes.ts';
import { anApp, listen } from './an-app.ts';

const endpoint = fc.constantFrom('query', 'id', 'reverse');
const optionName = fc.oneof(fc.constantFrom(...Object.keys(OPTIONS)), fc.string({ unit: 'binary', maxLength: 8 }));
const nasty = fc.constantFrom(
  'NaN,NaN',
  '1e999,0',
  '-0,-0',
  '90,180',
  '%',
  '%00',
  '%ED%A0%80',
  '\0',
  '\ud800',
  'true',
  '1',
  '::1',
  '::ffff:1.2.3.4',
  'fe80::1%25x',
  '\u202e',
  ',,,',
  'constructor',
  '__proto__',
  'a'.repeat(600),
);
const value = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 40 }), fc.double().map(String), fc.ipV6());
const rawForm = fc
  .array(fc.tuple(optionName, value), { maxLength: 5 })
  .map((pairs) => Buffer.from(pairs.map(([name, text]) => `${name}=${text}`).join('&')));
const escapedForm = fc
  .array(fc.tuple(optionName, value), { maxLength: 5 })
  .map((pairs) => Buffer.from(new URLSearchParams(pairs).toString()));
const json = fc.oneof(
  fc.json(),
  fc
    .dictionary(optionName, fc.oneof(value, fc.double(), fc.boolean(), fc.constant(null)))
    .map((object) => JSON.stringify(object)),
);
const body = fc.oneof(
  rawForm,
  escapedForm,
  json.map((text) => Buffer.from(text)),
  bytes(200),
);
const contentType = fc.oneof(
  fc.constantFrom(
    undefined,
    'application/x-www-form-urlencoded',
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    ';;;',
    'application/json; charset="',
  ),
  headerText(),
);
const query = fc.oneof(
  escapedForm.map((form) => form.toString('latin1')),
  fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((text) => text.replaceAll(' ', '+')),
);

test('any body, URL and headers with a valid key get a result or a well-formed error', async (t) => {
  const { request, createKey } = anApp(t);
  const key = createKey({ perMinute: 'unlimited' });
  const calls = fc.record({ endpoint, body, contentType, query, accept: headerText(), requestId: headerText() });
  await fc.assert(
    fc.asyncProperty(calls, async (given) => {
      const response = await request({
        method: 'POST',
        url: `/api/1/${given.endpoint}?${given.query}`,
        payload: given.body,
        headers: {
          'x-service-key': key,
          accept: given.accept,
          'x-request-id': given.requestId,
          ...(given.contentType !== undefined && { 'content-type': given.contentType }),
        },
      });
      assertProper(response);
    }),
    { numRuns: 500 },
  );
});

test('any key, origin and forwarding headers get a well-formed error', async (t) => {
  const { request, key, clock } = anApp(t);
  const odd = fc.oneof(headerText(), fc.constantFrom(key, `${key},${key}`, ` ${key} x`, '', '1.2.3.4, ::1', ','));
  const methods = fc.constantFrom('POST', 'GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS');
  const calls = fc.record({ endpoint, key: odd, origin: odd, forwardedFor: odd, method: methods, encoding: odd });
  await fc.assert(
    fc.asyncProperty(calls, async (given) => {
      clock.nowMs += 500;
      const response = await request({
        method: given.method as 'POST',
        url: `/api/1/${given.endpoint}`,
        headers: {
          'x-service-key': given.key,
          origin: given.origin,
          'x-forwarded-for': given.forwardedFor,
          'content-encoding': given.encoding,
        },
      });
      assertProper(response);
    }),
    { numRuns: 300 },
  );
});

test('any method, target and body over a raw connection get a well-formed response', async (t) => {
  const { app, createKey } = anApp(t);
  const key = createKey({ perMinute: 'unlimited' });
  const port = await listen(app);
  const tail = fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map((text) => text.replaceAll(' ', '+'));
  const target = fc.tuple(fc.constantFrom('/', '', '/api/1/', '/api/1/query?', '/api/1/reverse?aroundLatLng='), tail);
  const method = fc.constantFrom('POST', 'GET', 'PUT', 'OPTIONS');
  await fc.assert(
    fc.asyncProperty(fc.record({ target, method, body, contentType }), async (given) => {
      const path = given.target.join('') || '*';
      const type = given.contentType === undefined ? {} : { 'content-type': given.contentType };
      const options = {
        host: '127.0.0.1',
        port,
        method: given.method,
        path,
        headers: { 'x-service-key': key, ...type },
      };
      assertProper(await send(options, given.body));
    }),
    { numRuns: 500 },
  );
});

async function send(options: RequestOptions, body: Buffer): Promise<Answer> {
  const [response] = (await once(request(options).end(body), 'response')) as [IncomingMessage];
  return { statusCode: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function assertProper(response: Answer): void {
  if (response.statusCode < 300) return;
  const { message, status, code, requestId } = JSON.parse(response.body);
  assert.equal(status, response.statusCode);
  assert.ok(status < 500, response.body);
  assert.equal(ERRORS[code as ErrorCode].status, status);
  assert.equal(requestId, response.headers['x-request-id']);
  assert.ok(typeof message === 'string' && message !== '' && message.isWellFormed());
}

function bytes(maxLength: number): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
}

/** Any value that Node accepts for a header. */
function headerText(): fc.Arbitrary<string> {
  return fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((n) => n !== 0x7f)
      .map((n) => String.fromCharCode(n)),
    maxLength: 60,
  });
}
