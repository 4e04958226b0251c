/**
 * Malformed requests and their errors. Every option gets the same mistakes; bad-input.tsv has the
 * others, one per row. A request is written as the path below `/api/1/`, then the body: a form, or
 * JSON if it begins with `{` or `[`. `{a*513}` means the letter a 513 times. A word in capitals at
 * the start is a method other than POST, and a type in parentheses another `Content-Type`. The
 * address 127.0.0.1 has no known location.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { OptionName } from 'toponym-engine/options';
import { ERRORS } from '../../src/http/error-codes.ts';
import { anApp, type TestRequest } from './an-app.ts';

interface Case {
  readonly request: string;
  readonly status: number;
  readonly code: string;
  readonly contains: string;
}

interface Option {
  readonly endpoint?: string;
  /** JSON of another type than the option has. */
  readonly wrongType: string;
  readonly valid: string;
  /** Absent if the option takes any length. */
  readonly tooLong?: string;
  readonly mayBeEmpty?: boolean;
}

const OPTIONS: Readonly<Record<OptionName, Option>> = {
  query: { wrongType: '5', valid: 'paris', tooLong: '{a*513}', mayBeEmpty: true },
  type: { wrongType: 'true', valid: 'city', tooLong: '{city,*50}city' },
  hitsPerPage: { wrongType: 'true', valid: '5', tooLong: '{1*33}' },
  aroundLatLng: { wrongType: '48.85', valid: '48.85,2.35', tooLong: '48.{1*100},2' },
  aroundLatLngViaIP: { wrongType: '5', valid: '203.0.113.7', tooLong: '{1*101}' },
  aroundRadius: { wrongType: 'false', valid: '5000', tooLong: '{1*33}' },
  insideBoundingBox: { wrongType: '47', valid: '47,4,48,5', tooLong: '{1*201}' },
  typoTolerance: { wrongType: '2', valid: 'true', tooLong: '{t*33}' },
  minConfidence: { wrongType: 'false', valid: '0.5', tooLong: '{1*33}' },
  getRankingInfo: { wrongType: '2', valid: 'true', tooLong: '{t*33}' },
  language: { wrongType: '5', valid: 'fr', mayBeEmpty: true },
  countries: { wrongType: '5', valid: 'fr', tooLong: '{fr,*400}fr' },
  objectID: { endpoint: 'id', wrongType: '2988507', valid: 'G2988507', tooLong: 'G{1*64}' },
  mode: { endpoint: 'reverse', wrongType: '5', valid: 'nearest', tooLong: '{n*33}' },
};

test('every malformed request gets an error that names the mistake', async (t) => {
  const { request, createKey } = anApp(t);
  const key = createKey({ perMinute: 'unlimited' });
  for (const expected of [...Object.entries(OPTIONS).flatMap(casesOfOption), ...casesOfFile()]) {
    await t.test(`${expected.request} -> ${expected.status}`, async () => {
      const response = await request(requestOptions(expected.request, key));
      const answer = response.json();
      assert.equal(response.statusCode, expected.status, response.body);
      if (expected.status === 200) {
        assert.ok(response.body.includes(expected.contains), response.body);
        return;
      }
      assert.equal(answer.code, expected.code);
      assert.equal(answer.status, expected.status);
      assert.ok(answer.message.includes(expected.contains), answer.message);
      assert.deepEqual(Object.keys(answer), ['message', 'status', 'code', 'requestId']);
    });
  }
});

test('docs/api.md lists every error code with its status, and no other', () => {
  const page = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8');
  const section = page.slice(page.indexOf('## Errors'), page.indexOf('## Other paths'));
  const listed = [...section.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [code, Number(status)]);
  assert.deepEqual(
    listed,
    Object.entries(ERRORS).map(([code, { status }]) => [code, status]),
  );
});

function casesOfOption([name, option]: [string, Option]): Case[] {
  const { endpoint = 'query', wrongType, valid, tooLong, mayBeEmpty } = option;
  const invalid = [
    [`${endpoint} {"${name}": ${wrongType}}`, `${name}: must be`],
    [`${endpoint} {"${name}": null}`, `"${name}": must be a string, a number or a boolean, got null`],
    [`${endpoint} {"${name}": ["${valid}"]}`, `"${name}": must be a string, a number or a boolean, got an array`],
    [`${endpoint} ${name}=a%00b`, `${name}: must not contain NUL`],
    [`${endpoint} {"${name}": "\\u0000"}`, `${name}: must not contain NUL`],
    [`${endpoint} {"${name}": "\\ud800"}`, `${name}: must be Unicode text`],
    [`${endpoint} ${name}=%ED%A0%80`, `${name}: the bytes are not UTF-8`],
    [`${endpoint} ${name}=%E9`, `${name}: the bytes are not UTF-8`],
    [`${endpoint} ${name}=5%`, `${name}: "%" is not a percent escape`],
    [`${endpoint}?${name}=%zz`, `${name}: "%zz" is not a percent escape`],
  ];
  if (!mayBeEmpty) invalid.push([`${endpoint} ${name}=`, `${name}: must be`]);
  if (tooLong !== undefined) invalid.push([`${endpoint} ${name}=${tooLong}`, `${name}: must not be longer than`]);
  const twice = [
    `${endpoint} ${name}=${valid}&${name}=${valid}`,
    `${endpoint}?${name}=${valid} ${name}=${valid}`,
    `${endpoint} {"${name}": "${valid}", "${name}": "${valid}"}`,
  ];
  return [
    ...invalid.map(([request = '', contains = '']) => ({ request, status: 400, code: 'invalid_option', contains })),
    ...twice.map((request) => ({
      request,
      status: 400,
      code: 'duplicate_option',
      contains: `${name} was given twice`,
    })),
  ];
}

function casesOfFile(): Case[] {
  const [, ...lines] = readFileSync(new URL('bad-input.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const [request = '', status, code = '', contains = ''] = line.split('\t');
    return { request, status: Number(status), code, contains };
  });
}

function requestOptions(request: string, key: string): TestRequest {
  const match = /^(?:([A-Z]+) )?(\S+)(?: \(([^)]+)\))?(?: (.*))?$/.exec(request);
  assert.ok(match, `cannot read the request ${request}`);
  const [, method = 'POST', path, givenType, rawBody] = match;
  const body = rawBody?.replace(/\{([^{}*]+)\*(\d+)\}/g, (_, text: string, times: string) =>
    text.repeat(Number(times)),
  );
  const bodyType = /^[[{]/.test(body ?? '') ? 'application/json' : 'application/x-www-form-urlencoded';
  const contentType = givenType ?? (body === undefined ? undefined : bodyType);
  return {
    method: method as 'POST',
    url: `/api/1/${path}`,
    headers: { 'x-service-key': key, ...(contentType && { 'content-type': contentType }) },
    ...(body !== undefined && { payload: body }),
  };
}
