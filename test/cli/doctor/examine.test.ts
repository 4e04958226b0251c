import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { formatFindings } from '../../../src/cli/commands/doctor-command.ts';
import { type Check, examine, type Finding, type Verdict } from '../../../src/cli/doctor/examine.ts';
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
