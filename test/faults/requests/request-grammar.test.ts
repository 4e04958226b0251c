import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPTIONS } from 'toponym-engine/options';
import { listedChoices, randomChoices } from '../../../faults/requests/choices.ts';
import { generateRequest } from '../../../faults/requests/request-grammar.ts';

const KEYS = { unlimited: 'unlimited', limited: 'limited', revoked: 'revoked' };

function textsOf(seed: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    return generateRequest(randomChoices(seed, i), KEYS).bytes.toString('latin1');
  });
}

test('the same seed generates the same requests, another seed others', () => {
  assert.deepEqual(textsOf(7, 50), textsOf(7, 50));
  assert.notDeepEqual(textsOf(7, 50), textsOf(8, 50));
});

test('without choices the request is the simplest', () => {
  const { bytes, isComplete, path } = generateRequest(listedChoices([]), KEYS);
  assert.ok(isComplete);
  assert.equal(path, '/api/1/query');
  assert.match(bytes.toString(), /^POST \/api\/1\/query HTTP\/1\.1\r\nHost: a\r\nX-Service-Key: unlimited\r\n/);
  assert.match(bytes.toString(), /\r\n\r\nquery=par&hitsPerPage=1$/);
});

test('the requests use every option, endpoint and key, bad framing, and bodies of both types', () => {
  const requests = Array.from({ length: 5000 }, (_, i) => generateRequest(randomChoices(1, i), KEYS));
  const all = requests.map(({ bytes }) => bytes.toString('latin1')).join('\n');
  const parts = [...Object.keys(OPTIONS), ...Object.values(KEYS), '/api/1/query', '/api/1/id', '/api/1/reverse'];
  for (const part of [...parts, 'application/json', 'Transfer-Encoding: chunked', 'GET ', 'Expect: '])
    assert.ok(all.includes(part), part);
  const incomplete = requests.filter(({ isComplete }) => !isComplete).length;
  assert.ok(incomplete > 50 && incomplete < 500, `${incomplete} incomplete requests`);
});
