import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Command } from 'commander';
import { addSettings, redisSettings, resolveSettings } from '../../../src/cli/settings/read-settings.ts';
import { flagFor, SERVE_SETTINGS, SETTINGS, variableFor } from '../../../src/cli/settings/settings.ts';
import { UsageError } from '../../../src/errors/errors.ts';
import type { ServeOptions } from '../../../src/serve/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Given {
  readonly flags?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  readonly file?: unknown;
}

function settings(context: TestContext, { flags = {}, env = {}, file }: Given) {
  const workingFolder = temporaryFolder(context);
  if (file !== undefined) {
    writeFileSync(join(workingFolder, 'toponym.json'), typeof file === 'string' ? file : JSON.stringify(file));
  }
  return resolveSettings({ flags, env, workingFolder });
}

test('by default the service listens on 127.0.0.1:8443 with its state in ./state', (context) => {
  const { host, port, state, index, behindProxy, serviceName, logLevel, ipDatabase } = settings(context, {});
  assert.deepEqual(
    { host, port, state, index, behindProxy, serviceName, logLevel, ipDatabase },
    {
      host: '127.0.0.1',
      port: 8443,
      state: 'state',
      index: undefined,
      behindProxy: false,
      serviceName: 'Service',
      logLevel: 'warn',
      ipDatabase: undefined,
    },
  );
});

test('flags override the environment, which overrides the file, which overrides the defaults', (context) => {
  const flags = { port: '1' };
  const env = { TOPONYM_PORT: '2', TOPONYM_THREADS: '2' };
  const file = { port: 3, threads: 3, host: '127.0.0.3' };
  const { port, threads, host, state } = settings(context, { flags, env, file });
  assert.deepEqual({ port, threads, host, state }, { port: 1, threads: 2, host: '127.0.0.3', state: 'state' });
});

test('every setting has one flag, one variable and one key in the file', () => {
  assert.equal(flagFor('tlsCert'), '--tls-cert');
  assert.equal(variableFor('tlsCert'), 'TOPONYM_TLS_CERT');
  const flags = Object.keys(SETTINGS).map(flagFor);
  assert.equal(new Set(flags).size, flags.length);
});

test('flags of the command line arrive as values of the options that the service gets', (context) => {
  const rows = [
    ['--hsts-seconds 60', 'hstsSeconds', 60],
    ['--allow-shrunken-data', 'allowShrunkenData', true],
    ['--drain-seconds 61', 'drainSeconds', 61],
    ['--calls-per-minute 600', 'callsPerMinute', 600],
    ['--drain-grace-seconds 62', 'drainGraceSeconds', 62],
    ['--socket-mode 0600', 'socketMode', 0o600],
  ] as const;
  for (const [line, key, value] of rows) {
    const command = addSettings(new Command('serve').exitOverride(), SERVE_SETTINGS);
    const flags = command.parse(line.split(' '), { from: 'user' }).opts();
    const { [key]: option }: Pick<ServeOptions, typeof key> = settings(context, { flags });
    assert.equal(option, value, line);
  }
});

test('an IPv6 address may have brackets', (context) => {
  const { host, metricsHost } = settings(context, { flags: { host: '[::1]' }, env: { TOPONYM_METRICS_HOST: '[::]' } });
  assert.deepEqual([host, metricsHost], ['::1', '::']);
  assert.equal(settings(context, { flags: { host: '[localhost]' } }).host, '[localhost]');
});

test('an empty variable counts as not set', (context) => {
  assert.equal(settings(context, { env: { TOPONYM_PORT: '' } }).port, 8443);
});

test('a list is a repeated flag, comma-separated text, or a list in the file', (context) => {
  const expected = ['a.mmdb', 'b.mmdb'];
  assert.deepEqual(settings(context, { flags: { ipDatabase: expected } }).ipDatabase, expected);
  assert.deepEqual(settings(context, { flags: { ipDatabase: ['a.mmdb, b.mmdb'] } }).ipDatabase, expected);
  assert.deepEqual(settings(context, { env: { TOPONYM_IP_DATABASE: 'a.mmdb,b.mmdb' } }).ipDatabase, expected);
  assert.deepEqual(settings(context, { file: { ipDatabase: expected } }).ipDatabase, expected);
});

test('a variable can turn off a switch that the file turns on', (context) => {
  const { behindProxy } = settings(context, { env: { TOPONYM_BEHIND_PROXY: 'false' }, file: { behindProxy: true } });
  assert.equal(behindProxy, false);
});

test('an invalid value is refused with its source and the valid values', (context) => {
  const range = 'must be an integer from 0 to 65535';
  assertRefused(() => settings(context, { flags: { port: '99999' } }), `--port: ${range}, got "99999".`);
  assertRefused(
    () => settings(context, { env: { TOPONYM_PORT: 'tcp://10.0.0.1:80' } }),
    `environment variable TOPONYM_PORT: ${range}, got "tcp://10.0.0.1:80".`,
  );
  assertRefused(
    () => settings(context, { flags: { socketMode: '06600' } }),
    '--socket-mode: must be three octal digits, with or without a leading zero, such as 660 or 0660, got "06600".',
  );
  assertRefused(() => settings(context, { file: { port: 1.5 } }), /^port in .*toponym\.json: .*got "1\.5"\.$/);
  assertRefused(() => settings(context, { file: { port: null } }), /^port in .*toponym\.json: .*got null\.$/);
});

test('an invalid value is refused even if another source overrides it', (context) => {
  assertRefused(
    () => settings(context, { flags: { port: '1' }, env: { TOPONYM_PORT: '2' }, file: { port: 'many' } }),
    /^port in .*toponym\.json: must be an integer from 0 to 65535, got "many"\.$/,
  );
  assertRefused(
    () => settings(context, { flags: { logLevel: 'info' }, env: { TOPONYM_LOG_LEVEL: 'loud' } }),
    /^environment variable TOPONYM_LOG_LEVEL: must be one of .*, got "loud"\.$/,
  );
});

test('invalid values are refused for every kind of setting', (context) => {
  for (const flags of [
    { threads: '0' },
    { logLevel: 'loud' },
    { trustedProxies: ['10.0.0.0/33'] },
    { serviceName: 'Two Words' },
    { serviceName: 'Line\r\nBreak' },
    { host: '' },
    { behindProxy: 'maybe' },
    { port: '' },
    { port: '-1' },
    { drainSeconds: '1e3' },
    { callsPerMinute: '0' },
    { callsPerMinute: '10001' },
    { callsPerMinute: 'unlimited' },
  ]) {
    assert.throws(() => settings(context, { flags }), UsageError, JSON.stringify(flags));
  }
});

test('an index is a file, or a URL that may be downloaded from', (context) => {
  const parse = (index: string) => settings(context, { env: { TOPONYM_INDEX: index } }).index;
  for (const index of ['world.toponym', './a://b', 'https://user:pass@example.com/world.toponym?signature=x']) {
    assert.equal(parse(index), index);
  }
  assert.equal(parse('HTTP://localhost:8080/x'), 'http://localhost:8080/x');
  for (const [index, message] of [
    [
      'http://example.com/x?key=secret',
      'environment variable TOPONYM_INDEX: a URL must be https (http is for loopback addresses only)',
    ],
    [
      'file:///srv/world.toponym',
      'environment variable TOPONYM_INDEX: a URL must be https (http is for loopback addresses only)',
    ],
    [
      'https://user:secret@example.com/folder/',
      'environment variable TOPONYM_INDEX: must be a file, or a URL such as https://example.com/world.t',
    ],
    [
      'https://[secret?secret',
      'environment variable TOPONYM_INDEX: must be a file, or a URL such as https://example.com/world.toponym',
    ],
  ] as const) {
    assert.throws(
      () => parse(index),
      (error: Error) => error instanceof UsageError && error.message.startsWith(message),
    );
  }
  assert.throws(() => parse('http://user:secret@example.com/x?key=secret'), /got "http:\/\/…@example\.com\/x\?…"\.$/);
});

test('an index URL with a password is refused as a flag, which every user of the machine can read', (context) => {
  const index = 'https://user:p@ss@example.com/world.toponym';
  assertRefused(
    () => settings(context, { flags: { index } }),
    '--index: a password on the command line can be read by every user of the machine; put the URL into TOPONYM_INDEX or the configuration file.',
  );
  assert.equal(settings(context, { file: { index } }).index, new URL(index).href);
  for (const allowed of ['https://example.com/a:b@c.toponym', 'https://user@example.com/a.toponym', 'a:b@c.toponym']) {
    assert.equal(settings(context, { flags: { index: allowed } }).index, allowed);
  }
});

test('an unknown key in the file is refused with the closest key or the list of known keys', (context) => {
  assertRefused(() => settings(context, { file: { prot: 1 } }), /unknown setting "prot"; did you mean port\?$/);
  assertRefused(
    () => settings(context, { file: { colour: 1 } }),
    /unknown setting "colour"\. Known settings: host, port, /,
  );
});

test('a configuration file that is not a JSON object is refused by name', (context) => {
  for (const file of ['{', '[]', '1', 'null', '', 'hello\nthere\n']) {
    assertRefused(() => settings(context, { file }), /^.*toponym\.json.*$/);
  }
});

test('invalid JSON is refused with its line and column, and without its content', (context) => {
  const cases: readonly [string, number, number][] = [
    ['{"redisPassword": s3cret}', 1, 19],
    ['{\n  "redisPassword": "s3cret",\n  "port": ten\n}', 3, 12], // `t` may begin `true`
    ['{"redisPassword": "s3cret" "port": 1}', 1, 28],
    ['{"redisPassword": "s3c\nret"}', 1, 23],
    ['{"redisPassword": "s3cret",\n}', 2, 1],
    ['{"redisPassword": "s3cret"', 1, 27],
    ['{"redisPassword": "s3cret"} x', 1, 29],
    ['', 1, 1],
  ];
  for (const [file, line, column] of cases) {
    const message = new RegExp(`^\\S+toponym\\.json is not valid JSON at line ${line}, column ${column}\\.$`);
    assertRefused(() => settings(context, { file }), message);
  }
});

test('a toponym.json that is a broken link is refused', (context) => {
  for (const target of ['missing.json', 'toponym.json']) {
    const workingFolder = temporaryFolder(context);
    symlinkSync(target, join(workingFolder, 'toponym.json'));
    assertRefused(
      () => resolveSettings({ flags: {}, env: {}, workingFolder }),
      /^The configuration file \S+toponym\.json cannot be read: (no such file or directory|too many symbolic links)/,
    );
  }
});

test('long and deeply nested values are shown shortened', (context) => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  assertRefused(
    () => settings(context, { file: `{"port": ${deep}}` }),
    /^port in \S+: must be a string, .*, got \[+…\]+\.$/,
  );
  assertRefused(() => settings(context, { file: `{"port": [${'0,'.repeat(1000)}0]}` }), /got \[0,0,[0,]{1,130}…\.$/);
  assertRefused(() => settings(context, { flags: { port: 'x'.repeat(10_000) } }), /^--port: .*, got "x{100,130}…\.$/);
  assertRefused(() => settings(context, { file: { port: { a: [1, 'b', null] } } }), /got \{"a":\[1,"b",null\]\}\.$/);
  assertRefused(
    () => settings(context, { file: { redisPassword: { a: 's3cret' } } }),
    /got a value that is not shown\.$/,
  );
});

test('--config names another file, which must exist', (context) => {
  const folder = temporaryFolder(context);
  const named = join(folder, 'other', 'settings.json');
  assertRefused(() => settings(context, { flags: { config: named } }), /settings\.json cannot be read/);
  mkdirSync(join(folder, 'other'));
  writeFileSync(named, '{"port": 4}');
  assert.equal(settings(context, { flags: { config: named }, file: { port: 5 } }).port, 4);
  assert.equal(settings(context, { env: { TOPONYM_CONFIG: named } }).port, 4);
});

function assertRefused(action: () => unknown, message: string | RegExp): void {
  assert.throws(action, (error) => {
    assert.ok(error instanceof UsageError);
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
    return true;
  });
}

test('settings of Redis that cannot work are refused with the reason, and without the password', (context) => {
  const refusals: [Record<string, string>, RegExp][] = [
    [{ redis: 'redis://me:secret@127.0.0.1' }, /a password on the command line can be read by every user/],
    [{ redis: 'http://127.0.0.1' }, /must be URLs such as redis:/],
    [{ redis: 'redis://a,redis://b' }, /one server has one URL/],
    [{ redisMode: 'cluster' }, /--redis-mode needs --redis/],
    [{ redis: 'redis://a', redisMode: 'ring' }, /must be standalone, cluster or sentinel:NAME, got "ring"/],
    [{ redis: 'redis://a', redisCa: 'ca.pem' }, /--redis-ca needs rediss:/],
    [{ redis: 'redis://a', redisPrefix: '{x}' }, /--redis-prefix: must be/],
    [{ redis: 'redis://a', redisPasswordFile: '/nowhere' }, /\/nowhere cannot be read/],
  ];
  const workingFolder = temporaryFolder(context);
  for (const [flags, reason] of refusals) {
    assert.throws(
      () => redisSettings(resolveSettings({ flags, env: {}, workingFolder })),
      (error) => error instanceof UsageError && reason.test(error.message) && !error.message.includes('secret'),
      String(reason),
    );
  }
});
