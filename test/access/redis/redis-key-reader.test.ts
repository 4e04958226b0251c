import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { RedisConnection } from '../../../src/access/redis/redis-connection.ts';
import { RedisKeyReader } from '../../../src/access/redis/redis-key-reader.ts';
import type { RedisKeys } from '../../../src/access/redis/redis-keys.ts';

test('a problem ends only when the changes have been read', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  context.mock.method(performance, 'eventLoopUtilization', () => ({ idle: 0, active: 0, utilization: 0 }));
  const store = {
    revision: async (): Promise<number> => 2,
    readChanges: async (): Promise<unknown> => {
      throw new Error('READONLY');
    },
  };
  const reader = new RedisKeyReader({
    store: store as unknown as RedisKeys,
    connection: { renew: () => {} } as unknown as RedisConnection,
    firstKeys: { revision: 1, isComplete: true, rows: [] },
    onDamage: assert.fail,
    onRevokedAgain: () => assert.fail(),
    onChange: () => {},
  });
  context.after(() => reader.close());
  const waitSeconds = async (seconds: number) => {
    for (let step = 0; step < 100 * seconds; step++) {
      context.mock.timers.tick(10);
      await nextTick();
    }
  };
  await waitSeconds(5);
  assert.match(reader.problem, /READONLY/);
  store.readChanges = async () => ({ revision: 2, isComplete: true, rows: [] });
  await waitSeconds(5);
  assert.equal(reader.problem, '');
});
