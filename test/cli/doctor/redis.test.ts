import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeServer } from '../../../src/cli/doctor/redis.ts';

const GOOD = { redis_version: '7.2.4', tcp_port: '6379', role: 'master', maxmemory: '0', aof_enabled: '1' };

/** The level and the message of each verdict, without the name of the server. */
function verdictsOf(info: Readonly<Record<string, string>>, saves = ''): string[] {
  const server = 'Redis 7.2.4 on port 6379: ';
  return judgeServer({ ...GOOD, ...info }, saves).map(([level, message]) => `${level}: ${message.replace(server, '')}`);
}

test('a server that keeps what is written is good', () => {
  assert.deepEqual(verdictsOf({}), ['ok: master, writable, keeps its data']);
});

test('a server that refuses to write because its disk failed is a problem', () => {
  for (const name of ['rdb_last_bgsave_status', 'aof_last_write_status']) {
    assert.deepEqual(verdictsOf({ [name]: 'ok' }), verdictsOf({}));
    assert.deepEqual(verdictsOf({ [name]: 'err' }), [`problem: it could not write its data to disk (${name})`]);
  }
});

test('a server with snapshots only, and one without any file, are warnings', () => {
  const [snapshots] = verdictsOf({ aof_enabled: '0' }, '3600 1');
  assert.equal(snapshots, 'warning: it writes only snapshots (no appendonly), so that a crash loses the last changes');
  const [memory] = verdictsOf({ aof_enabled: '0' });
  assert.equal(memory, 'warning: its data is only in memory (no appendonly, no save)');
});
