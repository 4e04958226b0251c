import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { RedisKeyReader } from '../../src/keys/redis-key-reader.ts';
import type { RedisKeys } from '../../src/keys/redis-keys.ts';
import { RedisGuard } from '../../src/redis/redis-guard.ts';

test('a problem ends only when the changes have been read', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  context.mock.method(performance, 'eventLoopUtilization', () => ({ idle: 0, active: 0, utilization: 0 }));
  const store = {
    connection: {
      guard: (probe: () => Promise<unknown>) => new RedisGuard({ probe, renew: () => {}, onChange: () => {} }),
    },
    copyFrom: async () => ({ added: 0, revoked: 0 }),
    revision: async (): Promise<number> => 2,
    readChanges: async (): Promise<unknown> => {
      throw new Error('READONLY');
    },
  };
  const reader = new RedisKeyReader({
    store: store as unknown as RedisKeys,
    firstKeys: { revision: 1, isComplete: true, rows: [] },
    log: { warn: assert.fail, error: assert.fail },
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
  store.readChanges = async () => ({ revision: 2, isComplete: true, rows: [], secret: 'secret' });
  await waitSeconds(5);
  assert.equal(reader.problem, '');
});
