import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { formatFindings } from '../../../src/cli/commands/doctor-command.ts';
import { type Check, examine, type Finding, type Verdict } from '../../../src/cli/doctor/examine.ts';
import { judgeCluster, judgeServer } from '../../../src/cli/doctor/redis.ts';
import { waitUntil } from '../../support/deadline.ts';
import { aContext, assertFindings } from './a-context.ts';

async function levels(context: TestContext, checks: readonly Check[]): Promise<string[]> {
  const findings = await examine(aContext(context), checks);
  return findings.map(({ area, level }) => `${area} ${level}`);
}

test('findings are in the order of the checks, though remote checks run first', async (context) => {
  const order: string[] = [];
  const check = (area: string, isRemote?: true): Check => ({
    area,
    ...(isRemote && { isRemote }),
    examine: () => [['ok', String(order.push(area))]],
  });
  const checks = [check('a'), check('b', true), check('c')];
  assert.deepEqual(await levels(context, checks), ['a ok', 'b ok', 'c ok']);
  assert.deepEqual(order, ['b', 'a', 'c']);
});

test('a check that throws is a problem after its earlier findings, and the others still run', async (context) => {
  function* failing(): Generator<Verdict> {
    yield ['ok', ''];
    throw new Error('broken');
  }
  const checks: Check[] = [
    { area: 'a', examine: failing },
    { area: 'b', examine: () => [['ok', '']] },
  ];
  assert.deepEqual(await levels(context, checks), ['a ok', 'a problem', 'b ok']);
});

test('servers that never answer are waited for at the same time, for 7 s', async (context) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  context.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const flags = { port: String(port), redis: `redis://127.0.0.1:${port}`, ipDatabase: 'none' };
  const doctor = aContext(context, { flags, env: { TOPONYM_INDEX: `http://127.0.0.1:${port}/a.toponym` } });
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const found = examine(doctor);
  await waitUntil('the index server, Redis and the port are asked', () => sockets.length === 3);
  context.mock.timers.tick(7000);
  const problems = (await found).filter(({ level }) => level === 'problem').map(({ area }) => area);
  assert.deepEqual(problems, ['index server', 'Redis', 'port']);
});

test('settings that serve accepts, refuses and warns of', async (context) => {
  await assertFindings(context, 'settings', [
    [{}, 'ok: the service accepts them'],
    [
      { flags: { proxyProtocol: 'true' } },
      /^problem: --proxy-protocol needs --trusted-proxies.* -> Correct the setting/,
    ],
    [{ flags: { compatFrom: '10.0.0.0/8' } }, /^problem: --compat-from needs --compat-listen/],
    [
      {
        flags: {
          port: '0',
          compat: 'photon',
          compatListen: 'http://127.0.0.1:0',
          compatOpen: 'true',
          compatFrom: '::/0',
        },
      },
      /^warning: --compat-open answers without a key, and --compat-from includes 0:0:0:0:0:0:0:0\/0: anyone/,
    ],
    [
      { flags: { port: '2399', compat: 'photon', compatListen: 'http://127.0.0.1:2399' } },
      /^problem: --compat-listen has the same port as --port, 2399: .* -> Correct the setting/,
    ],
    [{ flags: { tlsCert: 'a.pem' } }, /^problem: --tls-cert and --tls-key belong together/],
    [
      { flags: { behindProxy: 'true', metricsHost: '127.0.0.2' } },
      /^warning: --metrics-host 127\.0\.0\.2 has no effect.*\nwarning: every client seems to have the address of the proxy/,
    ],
  ]);
  const flags = { redisMode: 'cluster' };
  await assertFindings(context, 'Redis', [
    [{ flags }, /^problem: --redis-mode needs --redis.* -> Correct the setting/],
  ]);
});

const FINDINGS: readonly Finding[] = [
  { area: 'clock', level: 'ok', message: 'it shows 2026-11-17' },
  {
    area: 'index',
    level: 'warning',
    message: 'the data is of 2023-03-05, 1,353 days old, which is too old',
    advice: 'Run "toponym update", which builds an index from the newest data, and serve it.',
  },
];

test('long messages and advice continue below their start', () => {
  assert.equal(
    String(formatFindings(FINDINGS, 60)),
    [
      'ok       clock  it shows 2026-11-17',
      'warning  index  the data is of 2023-03-05, 1,353 days old,',
      '                which is too old',
      '                -> Run "toponym update", which builds an',
      '                   index from the newest data, and serve it.',
      '',
      'Found no problems and 1 warning.',
    ].join('\n'),
  );
});

test('on a narrow terminal each message goes below its level and area', () => {
  assert.equal(
    String(formatFindings(FINDINGS, 40)),
    [
      'ok       clock',
      '  it shows 2026-11-17',
      'warning  index',
      '  the data is of 2023-03-05, 1,353 days',
      '  old, which is too old',
      '  -> Run "toponym update", which builds',
      '     an index from the newest data, and',
      '     serve it.',
      '',
      'Found no problems and 1 warning.',
    ].join('\n'),
  );
});

test('levels are coloured by their severity', () => {
  const findings: readonly Finding[] = [...FINDINGS, { area: 'port', level: 'problem', message: 'm', advice: 'a' }];
  const styles = formatFindings(findings, 80).spans.flatMap(({ text, style }) =>
    /^(ok|warning|problem)$/.test(text) ? [style] : [],
  );
  assert.deepEqual(styles, ['ok', 'warning', 'problem']);
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
