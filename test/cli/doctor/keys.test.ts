import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { openSqliteKeys } from '../../../src/access/keys/sqlite-keys.ts';
import { judgeServer } from '../../../src/cli/doctor/keys.ts';
import { openStateFolder } from '../../../src/serve/state/state-folder.ts';
import { aContext, linesOf, textOf } from './a-context.ts';

const NOW = new Date('2026-06-01');
const nowMs = NOW.getTime();
const DAY_MS = 86_400_000;

test('keys are counted: valid, never used, expired, revoked', async (context) => {
  const doctor = aContext(context, { now: NOW });
  assert.deepEqual(await linesOf('keys', doctor), ['ok: none yet: the first start creates one']);
  openStateFolder(doctor.state.path);
  const store = openSqliteKeys(doctor.state.keysPath);
  const used = store.create({ label: 'used' }, nowMs);
  store.writeUses(new Map([[used.record.id, nowMs]]));
  store.create({ label: 'unused' }, nowMs);
  store.create({ label: 'expired', expiresAt: nowMs - DAY_MS }, nowMs - 2 * DAY_MS);
  store.revoke(store.create({ label: 'revoked' }, nowMs).record.id, nowMs);
  const path = doctor.state.keysPath;
  const expected = [`ok: ${path}: 2 valid keys (1 never used), 1 expired, 1 revoked`];
  assert.deepEqual(await linesOf('keys', doctor), expected, 'while the store is open');
  store.close();
  const before = readdirSync(doctor.state.path);
  assert.deepEqual(await linesOf('keys', doctor), expected, 'while it is closed');
  assert.deepEqual(readdirSync(doctor.state.path), before, 'nothing is created');
});

test('a key that ends soon is a warning, and no valid key is a problem', async (context) => {
  const doctor = aContext(context, { now: NOW });
  openStateFolder(doctor.state.path);
  const store = openSqliteKeys(doctor.state.keysPath);
  const { record } = store.create({ label: 'shop', expiresAt: nowMs + 5 * DAY_MS }, nowMs);
  assert.match(
    (await linesOf('keys', doctor))[1] ?? '',
    /^warning: key \S+ \(shop\) ends on 2026-06-06 -> Create a new key/,
  );
  store.revoke(record.id, nowMs);
  assert.match(await textOf('keys', doctor), /^problem: .*Every call is refused -> Create a key/);
  store.close();
});

test('a damaged key store is a problem and stays as it is', async (context) => {
  const doctor = aContext(context);
  openStateFolder(doctor.state.path);
  writeFileSync(doctor.state.keysPath, 'not a database at all'.repeat(100));
  assert.match(await textOf('keys', doctor), /^problem: key store .* is damaged.* -> Restore a backup/);
  assert.equal(readFileSync(doctor.state.keysPath, 'utf8'), 'not a database at all'.repeat(100));
});

test('a Redis server keeps its data, or has faults that lose keys', () => {
  const good = { redis_version: '7.2.4', tcp_port: '6379', role: 'master', maxmemory: '0', aof_enabled: '1' };
  const judge = (changes: Record<string, string>) =>
    [...judgeServer({ ...good, ...changes })].map(({ level, message }) => `${level}: ${message}`);
  const server = 'Redis 7.2.4 on port 6379';
  assert.deepEqual(judge({}), [`ok: ${server}: writable, keeps its data`]);
  assert.match(judge({ valkey_version: '8.1.0' })[0] ?? '', /^ok: Valkey 8\.1\.0 /);
  assert.match(judge({ maxmemory: '9', maxmemory_policy: 'noeviction' })[0] ?? '', /^ok: /);
  assert.deepEqual(judge({ role: 'slave', maxmemory: '9', maxmemory_policy: 'allkeys-lru', aof_enabled: '0' }), [
    `problem: ${server}: it is a replica and cannot be written`,
    `problem: ${server}: maxmemory-policy allkeys-lru`,
    `warning: ${server}: a crash loses the last changes (no appendonly)`,
  ]);
});
