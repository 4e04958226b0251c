import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeServer, parseInfo } from '../../../src/cli/doctor/redis-info.ts';
import { linesOf } from './a-context.ts';

const GOOD = {
  redis_version: '7.2.4',
  tcp_port: '6379',
  role: 'master',
  maxmemory: '0',
  maxmemory_policy: 'noeviction',
  used_memory: '1000000',
  rdb_last_bgsave_status: 'ok',
  aof_enabled: '1',
  aof_last_write_status: 'ok',
};

function linesWith(changes: Record<string, string>, savePoints = '3600 1'): string {
  const info = Object.entries({ ...GOOD, ...changes }).map(([name, value]) => `${name}:${value}\r\n`);
  return linesOf(judgeServer(parseInfo(`# Server\r\n${info.join('')}`), savePoints)).join('\n');
}

test('a master that keeps its data is ok', () => {
  assert.equal(linesWith({}), 'ok: Redis 7.2.4 on port 6379: master, writable, keeps its data');
  assert.match(linesWith({ valkey_version: '8.1.0' }), /^ok: Valkey 8\.1\.0 /);
});

test('each fault of a server is found, with what to do', () => {
  const faults: [Record<string, string>, RegExp][] = [
    [{ redis_version: '6.2.1' }, /^problem: .*too old -> Upgrade to Redis 7/],
    [
      { role: 'slave', master_host: '10.0.0.1', master_port: '6380' },
      /^problem: .*is a replica.* -> Name its master 10\.0\.0\.1:6380/,
    ],
    [
      { maxmemory: '9000000', maxmemory_policy: 'allkeys-lru' },
      /^problem: .*allkeys-lru -> Set maxmemory-policy noeviction/,
    ],
    [{ maxmemory: '1050000' }, /^warning: .*95% of its memory.* -> Raise maxmemory/],
    [{ maxmemory: '1000000' }, /^problem: .*100% of its memory/],
    [{ rdb_last_bgsave_status: 'err' }, /^problem: .*rdb_last_bgsave_status.* -> Check the disk/],
    [{ aof_last_write_status: 'err' }, /^problem: .*aof_last_write_status/],
    [{ aof_enabled: '0' }, /^warning: .*only snapshots.* -> Set appendonly yes/],
  ];
  for (const [changes, expected] of faults) {
    const lines = linesWith(changes);
    assert.match(lines, expected);
    assert.equal(lines.split('\n').length, 1, lines);
  }
  assert.match(linesWith({ aof_enabled: '0' }, ''), /^warning: .*only in memory/);
});
