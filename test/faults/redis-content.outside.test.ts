import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyText } from 'toponym-access/keys/key-text';
import { KeySearch } from '../../faults/key-search.ts';
import { runScenario } from '../../faults/run-scenario.ts';
import type { FaultRun } from '../../faults/scenario.ts';
import { waitUntil } from '../support/deadline.ts';
import { redisProgram, startRedis, startRedisCluster } from '../support/redis.ts';

const { skip } = redisProgram;

/** Where a key is found at the end of a scenario that writes it into Redis. */
async function placesFound(write: (run: FaultRun, key: string) => Promise<unknown>): Promise<string[]> {
  const key = createKeyText();
  const keySearch = new KeySearch();
  keySearch.addKey(key);
  const run = async (faultRun: FaultRun) => {
    await write(faultRun, key);
    return [];
  };
  const scenario = { name: 'writes-a-key', promise: 'None.', run };
  const { checks } = await runScenario(scenario, { scale: 'short', seed: 1, keySearch, print: () => {} });
  assert.deepEqual(checks, []);
  return keySearch.found;
}

test('a key in a Redis of a scenario is found in names and in values of every type', { skip }, async () => {
  const commands: ((key: string) => string[])[] = [
    (key) => ['SET', key, '1'],
    (key) => ['SET', 'x', key],
    (key) => ['HSET', 'x', 'field', key],
    (key) => ['HSET', 'x', key, '1'],
    (key) => ['RPUSH', 'x', key],
    (key) => ['SADD', 'x', key],
    (key) => ['ZADD', 'x', '1', key],
    (key) => ['XADD', 'x', '*', 'field', key],
  ];
  for (const command of commands) {
    const found = await placesFound(async (run, key) => await (await startRedis(run)).cli(...command(key)));
    assert.deepEqual(found, ['redis'], command('KEY').join(' '));
  }
});

test('masters and replicas of a cluster are searched, and servers that do not run are not', { skip }, async () => {
  const found = await placesFound(async (run, key) => {
    const cluster = await startRedisCluster(run);
    const master = await cluster.masterOf('x');
    await master.cli('SET', 'x', key);
    await waitUntil('the replica has the key', async () => {
      const sizes = await Promise.all(cluster.servers.map((server) => server.cli('DBSIZE')));
      return sizes.filter((size) => size === '1').length === 2;
    });
  });
  assert.deepEqual(found, ['redis', 'redis']);
  const none = await placesFound(async (run, key) => {
    const redis = await startRedis(run);
    await redis.cli('SET', 'x', key);
    await redis.kill();
  });
  assert.deepEqual(none, []);
});
