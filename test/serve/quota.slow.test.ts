/** Daily quotas of a running service without Redis. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSqliteKeys } from '../../src/access/sqlite/sqlite-keys.ts';
import { waitUntil } from '../support/deadline.ts';
import { withinOneDay } from '../support/one-day.ts';
import { createKey, type RunningService, runService } from '../support/running-service.ts';

const PARIS = { form: { objectID: 'G2988507' } };

async function statuses(service: RunningService, key: string, calls: number): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < calls; i++) found.push((await service.call('/api/1/id', { ...PARIS, key })).status);
  return found;
}

/** The calls of today in the key store. */
function writtenCalls(context: TestContext, { state }: RunningService): () => number | undefined {
  const store = openSqliteKeys(join(state, 'keys.sqlite'));
  context.after(() => store.close());
  return () => store.quotaCounts()[0]?.calls;
}

test('threads share a quota, and neither a restart nor the loss of the process resets it', async (context) => {
  await withinOneDay(async () => {
    const first = await runService(context, { args: ['--threads', '2'] });
    const { key } = await createKey(first, ['--per-day', '12']);
    assert.deepEqual(await statuses(first, key, 4), [200, 200, 200, 200]);
    first.child.kill('SIGTERM');
    assert.deepEqual(await first.ended(), [0, null]);
    const calls = writtenCalls(context, first);
    assert.equal(calls(), 4, 'the counts are on disk when the service has stopped');

    const second = await runService(context, { state: first.state, args: ['--threads', '2'] });
    assert.deepEqual(await statuses(second, key, 4), [200, 200, 200, 200]);
    await waitUntil('the counts are on disk', () => calls() === 8);
    second.child.kill('SIGKILL');
    assert.deepEqual(await second.ended(), [null, 'SIGKILL']);

    const third = await runService(context, { state: first.state, args: ['--threads', '2'] });
    assert.deepEqual(await statuses(third, key, 6), [200, 200, 200, 200, 429, 429]);
    const refused = await third.call('/api/1/id', { ...PARIS, key });
    assert.equal(refused.json().code, 'quota_exceeded');
    assert.ok(Number(refused.headers['retry-after']) <= 86_400);
    assert.equal(refused.headers['ratelimit-policy'], '"day";q=12;w=86400');
    assert.equal((await third.call('/api/1/id', PARIS)).status, 200, 'other keys are not affected');
  });
});
