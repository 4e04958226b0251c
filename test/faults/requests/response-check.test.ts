import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenApi } from 'toponym-server/http/response/openapi';
import { createResponseCheck } from '../../../faults/requests/response-check.ts';
import { anApp } from '../../../packages/server/test/http/an-app.ts';

const check = createResponseCheck(createOpenApi({ keyHeader: 'X-Service-Key', version: '1' }));
const CALL = { method: 'POST', path: '/api/1/query' };

function aResponse(status: number, body: unknown, headers: Record<string, string> = {}) {
  const all = { 'x-request-id': 'a', 'content-type': 'application/json; charset=utf-8', ...headers };
  return { status, headers: new Map(Object.entries(all)), body: Buffer.from(JSON.stringify(body)) };
}

const anError = (status: number, code: string) => ({ message: 'm', status, code, requestId: 'a' });

test('responses of the service are as documented', async (t) => {
  const { post } = anApp(t);
  for (const [name, form] of [
    ['query', 'query=par&getRankingInfo=true'],
    ['query', ''],
    ['reverse', 'aroundLatLng=0,0'],
    ['id', 'objectID=none'],
    ['id', ''],
  ] as const) {
    const { statusCode, body } = await post(name, form);
    const problem = check({ method: 'POST', path: `/api/1/${name}` }, aResponse(statusCode, JSON.parse(body)));
    assert.equal(problem, undefined, `${name} ${form}`);
  }
});

test('an undocumented response is reported', async (t) => {
  const result = JSON.parse((await anApp(t).post('query', '')).body);
  const bad: [string, ReturnType<typeof aResponse>][] = [
    ['status 500', aResponse(500, anError(500, 'internal'))],
    ['another field', aResponse(200, { ...result, secret: 1 })],
    ['a missing field', aResponse(200, { ...result, nbHits: undefined })],
    ['an unknown code', aResponse(400, anError(400, 'other'))],
    ['another status in the body', aResponse(400, anError(404, 'not_found'))],
    ['an undocumented status', aResponse(418, anError(418, 'bad_request'))],
    ['no Retry-After', aResponse(429, anError(429, 'rate_limited'))],
    ['a redirect', aResponse(302, {})],
  ];
  for (const [what, response] of bad) assert.notEqual(check(CALL, response), undefined, what);
  const noId = { ...aResponse(200, result), headers: new Map<string, string>() };
  assert.notEqual(check(CALL, noId), undefined);
});
