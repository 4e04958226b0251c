import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { formatFindings } from '../../../src/cli/commands/doctor-command.ts';
import type { Check, Verdict } from '../../../src/cli/doctor/check.ts';
import { examine, type Finding } from '../../../src/cli/doctor/examine.ts';
import { aContext, assertFindings } from './a-context.ts';

async function levels(context: TestContext, checks: readonly Check[]): Promise<string[]> {
  const findings = await examine(aContext(context), checks);
  return findings.map(({ area, level }) => `${area} ${level}`);
}

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

test('a check that never ends is a problem after 7 s, and the next ones still run', async (context) => {
  const checks: Check[] = [
    {
      area: 'a',
      examine: async function* () {
        yield await new Promise<Verdict>(() => {});
      },
    },
    { area: 'b', examine: () => [['ok', '']] },
  ];
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const found = levels(context, checks);
  context.mock.timers.tick(7000);
  assert.deepEqual(await found, ['a problem', 'b ok']);
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
      /^warning: --compat-open answers without a key, and --compat-from includes ::\/0: anyone/,
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
  { area: 'state', level: 'ok', message: 'it can be written' },
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
      'ok       state  it can be written',
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
      'ok       state',
      '  it can be written',
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
