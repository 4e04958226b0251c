/**
 * Every row of the table "Bad input, case by case" in docs/api.md is sent as written.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERRORS } from '../../src/http/errors.ts';
import { anApp, type TestRequest } from './an-app.ts';

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');

interface Row {
  readonly request: string;
  readonly status: number;
  readonly code: string;
  readonly contains: string;
}

test('every request of the bad-input table in docs/api.md gets the documented response', async (t) => {
  const { request, createKey } = anApp(t);
  const key = createKey({ perMinute: 'unlimited' });
  const rows = badInputRows();
  assert.ok(rows.length > 200, `only ${rows.length} rows were found`);

  for (const row of rows) {
    await t.test(`${row.request} -> ${row.status}`, async () => {
      const response = await request(requestOptions(row.request, key));
      const answer = response.json();
      assert.equal(response.statusCode, row.status, response.body);
      if (row.status === 200) {
        assert.ok(response.body.includes(row.contains), response.body);
        return;
      }
      assert.equal(answer.code, row.code);
      assert.equal(answer.status, row.status);
      assert.ok(answer.message.includes(row.contains), answer.message);
      assert.deepEqual(Object.keys(answer), ['message', 'status', 'code', 'requestId']);
    });
  }
});

test('docs/api.md lists every error code with its status, and no other', () => {
  const section = page.slice(page.indexOf('## Errors'), page.indexOf('## Other paths'));
  const listed = [...section.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [code, Number(status)]);
  assert.deepEqual(
    listed,
    Object.entries(ERRORS).map(([code, { status }]) => [code, status]),
  );
});

function badInputRows(): Row[] {
  const section = page.slice(page.indexOf('## Bad input'));
  return [...section.matchAll(/^\| `(.+?)` \| (\d{3}) \| (\w*) \| (.+) \|$/gm)].map(
    ([, request = '', status, code = '', contains = '']) => ({ request, status: Number(status), code, contains }),
  );
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
