import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADAPTER_NAMES } from 'toponym-server/compat/compat-settings';
import {
  checkAdapterResponse,
  exampleTargets,
  generateAdapterRequest,
} from '../../../faults/requests/adapter-grammar.ts';
import { randomChoices } from '../../../faults/requests/choices.ts';
import { aCompatApp } from '../../../packages/server/test/compat/a-compat-app.ts';

const KEYS = { unlimited: 'unlimited', limited: 'limited', revoked: 'revoked' };

test('the requests reach every adapter, with keys in every place, repeated parameters, bodies and broken bytes', () => {
  const requests = Array.from({ length: 5000 }, (_, i) => generateAdapterRequest(randomChoices(1, i), KEYS));
  const all = requests.map(({ bytes }) => bytes.toString('latin1')).join('\n');
  const keys = ['/k/unlimited/', 'X-Api-Key: unlimited', 'key=limited', 'X-Service-Key: revoked', 'api_key=unlimited'];
  for (const part of [...ADAPTER_NAMES.map((name) => `/${name}/`), ...keys, 'DELETE ', 'POST ', 'Content-Length: '])
    assert.ok(all.includes(part), part);
  assert.match(all, /[?&]limit=\d+&(?:\S*&)?limit=/);
  const incomplete = requests.filter(({ isComplete }) => !isComplete).length;
  assert.ok(incomplete > 10 && incomplete < 200, `${incomplete} incomplete requests`);
});

test('the example of each adapter succeeds', async (t) => {
  const app = await aCompatApp(t, ADAPTER_NAMES);
  for (const target of exampleTargets()) assert.equal((await app.get(target)).statusCode, 200, target);
});

test('the check finds responses that clients could not read', () => {
  const check = (path: string | undefined, status: number, body: string, headers: Record<string, string> = {}) =>
    checkAdapterResponse(
      { method: 'GET', path },
      { status, headers: new Map(Object.entries({ 'x-request-id': 'a', ...headers })), body: Buffer.from(body) },
    );
  const own = '{"message":"a","code":"b","requestId":"c"}';
  assert.equal(check('/photon/api', 200, '{"type":"FeatureCollection","features":[]}'), undefined);
  assert.equal(check('/photon/api', 401, '{"message":"a"}'), undefined);
  assert.equal(check(undefined, 404, own), undefined);
  assert.match(check('/photon/api', 401, own) ?? '', /not the shape/);
  assert.match(check('/photon/api', 200, '{"type":"FeatureCollection","features":[{}]}') ?? '', /not the shape/);
  assert.match(check('/photon/api', 200, '{"type":') ?? '', /cannot be read/);
  assert.match(check('/photon/api', 429, '{"message":"a"}') ?? '', /without Retry-After/);
  assert.match(check('/photon/api', 500, '{"message":"a"}') ?? '', /status 500/);
});
