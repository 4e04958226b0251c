import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { openSqliteKeys } from '../../../src/access/keys/sqlite-keys.ts';
import { judgeCluster, judgeServer } from '../../../src/cli/doctor/redis.ts';
import { openStateFolder } from '../../../src/serve/state/state-folder.ts';
import { aContext, textOf } from './a-context.ts';

const NOW = new Date('2026-06-01');
const nowMs = NOW.getTime();
const DAY_MS = 86_400_000;

test('keys are counted; one that ends soon is a warning, and no valid key a problem; nothing is changed', async (context) => {
  const doctor = aContext(context, { now: NOW });
  const { path, keysPath } = doctor.state;
  assert.equal(await textOf('keys', doctor), 'ok: none yet: the first start creates one');
  openStateFolder(path);
  const store = openSqliteKeys(keysPath);
  const used = store.create({ label: 'used' }, nowMs).record;
  store.writeUses(new Map([[used.id, nowMs]]));
  const ending = store.create({ label: 'shop', expiresAt: nowMs + 5 * DAY_MS }, nowMs).record;
  store.create({ label: 'expired', expiresAt: nowMs - DAY_MS }, nowMs - 2 * DAY_MS);
  store.revoke(store.create({ label: 'revoked' }, nowMs).record.id, nowMs);
  const [counts, warning] = (await textOf('keys', doctor)).split('\n');
  assert.equal(counts, `ok: ${keysPath}: 2 valid keys (1 never used), 1 expired, 1 revoked`, 'while the store is open');
  assert.match(warning ?? '', /^warning: key \S+ \(shop\) ends on 2026-06-06 -> Create a new key/);
  for (const { id } of [used, ending]) store.revoke(id, nowMs);
  store.close();
  const before = readdirSync(path);
  assert.match(await textOf('keys', doctor), /^problem: .* 0 valid keys .*Every call is refused -> Create a key/);
  assert.deepEqual(readdirSync(path), before);
  const damaged = 'not a database at all'.repeat(100);
  writeFileSync(keysPath, damaged);
  assert.match(await textOf('keys', doctor), /^problem: key store .* is damaged.* -> Restore a backup/);
  assert.equal(readFileSync(keysPath, 'utf8'), damaged);
});

test('a Redis server keeps its data, or has faults, each with its remedy', () => {
  const good = { redis_version: '7.2.4', tcp_port: '6379', role: 'master', maxmemory: '0', aof_enabled: '1' };
  const full = (maxmemory: string) => ({ maxmemory, maxmemory_policy: 'noeviction', used_memory: '1000000' });
  const cases: [changes: Record<string, string>, saves: string, expected: RegExp][] = [
    [{}, '', /^ok: Redis 7\.2\.4 on port 6379: master, writable, keeps its data$/],
    [{ valkey_version: '8.1.0' }, '', /^ok: Valkey 8\.1\.0 /],
    [full('9000000'), '', /^ok: /],
    [{ redis_version: '6.2.1' }, '', /^problem: Redis 6\.2\.1 on .*too old -> Upgrade to Redis 7/],
    [{ role: 'slave', master_host: 'a', master_port: '1' }, '', /^problem: .*is a replica.* -> Name its master a:1 /],
    [{ ...full('1000000'), maxmemory_policy: 'allkeys-lru' }, '', /^problem: .*allkeys-lru -> Set maxmemory-policy/],
    [full('1050000'), '', /^warning: .*95% of its memory.* -> Raise maxmemory/],
    [full('1000000'), '', /^problem: .*100% of its memory/],
    [{ rdb_last_bgsave_status: 'err' }, '', /^problem: .*\(rdb_last_bgsave_status\) -> Check the disk/],
    [{ aof_last_write_status: 'err' }, '', /^problem: .*\(aof_last_write_status\) -> Check the disk/],
    [{ aof_enabled: '0' }, '', /^warning: .*only in memory.* -> Set appendonly yes/],
    [{ aof_enabled: '0' }, '3600 1', /^warning: .*only snapshots.* -> Set appendonly yes/],
  ];
  for (const [changes, saves, expected] of cases) {
    const [[level, message, remedy] = [], ...others] = judgeServer({ ...good, ...changes }, saves);
    assert.match(`${level}: ${message}${remedy === undefined ? '' : ` -> ${remedy}`}`, expected);
    assert.deepEqual(others, []);
  }
  const faults = judgeServer({ ...good, role: 'slave', aof_enabled: '0' }, '');
  assert.deepEqual(
    faults.map(([level]) => level),
    ['problem', 'warning'],
  );
});

test('a cluster without some of its slots is a problem', () => {
  const judge = (state: string, slots: number) =>
    judgeCluster(`cluster_state:${state}\r\ncluster_slots_ok:${slots}\r\ncluster_size:3\r\n`);
  assert.deepEqual(judge('ok', 16_384).slice(0, 2), ['ok', 'cluster state ok, 16384 of 16384 slots served, 3 masters']);
  assert.equal(judge('fail', 9)[0], 'problem');
  assert.deepEqual(judgeCluster('NOPERM'), [
    'warning',
    'the cluster could not be examined: NOPERM',
    'Allow CLUSTER INFO.',
  ]);
});
