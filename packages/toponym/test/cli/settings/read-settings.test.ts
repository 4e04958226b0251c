import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Command } from 'commander';
import { parseCidr } from 'toponym-access/address';
import { UsageError } from 'toponym-files/errors/errors';
import type { ServeOptions } from 'toponym-server/serve/serve';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { addSettings, redisSettings, resolveSettings } from '../../../src/cli/settings/read-settings.ts';
import { flagFor, SERVE_SETTINGS, SETTINGS, variableFor } from '../../../src/cli/settings/settings.ts';

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

test('values of flags, variables and the file', (context) => {
  const files = ['a.mmdb', 'b.mmdb'];
  const cases: [given: Given, expected: Partial<ReturnType<typeof settings>>][] = [
    [
      { flags: { host: '[::1]' }, env: { TOPONYM_METRICS_HOST: '[::]' } },
      { host: '::1', metricsHost: '::' },
    ],
    [{ flags: { host: '[localhost]' } }, { host: '[localhost]' }],
    [{ env: { TOPONYM_PORT: '' } }, { port: 8443 }], // as if not set
    // a list is a repeated flag, comma-separated text, or a list in the file
    [{ flags: { ipDatabase: files } }, { ipDatabase: files }],
    [{ flags: { ipDatabase: ['a.mmdb, b.mmdb'] } }, { ipDatabase: files }],
    [{ env: { TOPONYM_IP_DATABASE: 'a.mmdb,b.mmdb' } }, { ipDatabase: files }],
    [{ file: { ipDatabase: files } }, { ipDatabase: files }],
    [{ file: { compat: ['photon'] } }, { compat: ['photon'] }],
    [{ env: { TOPONYM_COMPAT: 'photon' } }, { compat: ['photon'] }],
    [
      { file: { compatListen: 'http://localhost' }, flags: { compatFrom: ['10.0.0.0/8'] } },
      { compatListen: { host: 'localhost', port: 80 }, compatFrom: [parseCidr('10.0.0.0/8')!] },
    ],
    [{ env: { TOPONYM_COMPAT_HOSTS: 'Geocoder.lan, b' } }, { compatHosts: ['geocoder.lan', 'b'] }],
    [{ env: { TOPONYM_COMPAT_LISTEN: 'http://[::]:2322' } }, { compatListen: { host: '::', port: 2322 } }],
    [{ env: { TOPONYM_BEHIND_PROXY: 'false' }, file: { behindProxy: true } }, { behindProxy: false }],
    [{ env: { TOPONYM_INDEX: 'HTTP://localhost:8080/x' } }, { index: 'http://localhost:8080/x' }],
    ...['world.toponym', './a://b', 'https://user:pass@example.com/world.toponym?signature=x'].map(
      (index): [Given, { index: string }] => [{ env: { TOPONYM_INDEX: index } }, { index }],
    ),
  ];
  for (const [given, expected] of cases) assert.partialDeepStrictEqual(settings(context, given), expected);
});

test('an invalid value is refused with its source and the valid values, even if another source overrides it', (context) => {
  const range = 'must be an integer from 0 to 65535';
  const index = 'environment variable TOPONYM_INDEX: ';
  const httpsOnly = /: a URL must be https \(http is for loopback addresses only\), got /;
  const indexRule = /: must be a file, or a URL such as https:\/\/example\.com\/world\.toponym, got /;
  for (const [given, message] of [
    [{ flags: { port: '99999' } }, `--port: ${range}, got "99999".`],
    [{ env: { TOPONYM_PORT: 'a://b:80' } }, `environment variable TOPONYM_PORT: ${range}, got "a://b:80".`],
    [{ file: { port: 1.5 } }, /^port in .*toponym\.json: .*got "1\.5"\.$/],
    [{ file: { port: null } }, /^port in .*toponym\.json: .*got null\.$/],
    [
      { flags: { port: '1' }, env: { TOPONYM_PORT: '2' }, file: { port: 'many' } },
      /^port in .*toponym\.json: must be an integer from 0 to 65535, got "many"\.$/,
    ],
    [
      { flags: { socketMode: '06600' } },
      '--socket-mode: must be three octal digits, with or without a leading zero, such as 660 or 0660, got "06600".',
    ],
    [{ env: { TOPONYM_INDEX: 'http://example.com/x?key=secret' } }, httpsOnly],
    [{ env: { TOPONYM_INDEX: 'file:///srv/world.toponym' } }, httpsOnly],
    [{ env: { TOPONYM_INDEX: 'https://user:secret@example.com/folder/' } }, indexRule],
    [{ env: { TOPONYM_INDEX: 'https://[secret?secret' } }, indexRule],
    [
      { env: { TOPONYM_INDEX: 'http://user:secret@example.com/x?key=secret' } },
      `${index}a URL must be https (http is for loopback addresses only), got "http://…@example.com/x?…".`,
    ],
    ...[
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
    ].map((flags): [Given, RegExp] => [{ flags }, /^--[a-z-]+: must .*, got "/]),
  ] as [Given, string | RegExp][]) {
    assertRefused(() => settings(context, given), message);
  }
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

test('invalid JSON is refused with the reason, and without its content', (context) => {
  const cases: readonly [file: string, reason: string][] = [
    ['{"redisPassword": s3cret}', "Unexpected token 's'."],
    ['{\n  "redisPassword": "s3cret",\n  "port": ten\n}', "Unexpected token 'e'."], // `t` may begin `true`
    ['{"redisPassword": "s3cret" "port": 1}', '(line 1 column 28).'],
    ['{"redisPassword": "s3c\nret"}', '(line 1 column 23).'],
    ['{"redisPassword": "s3cret",\n}', '(line 2 column 1).'],
    ['{"redisPassword": "s3cret"} x', '(line 1 column 29).'],
    ['', 'Unexpected end of JSON input.'],
  ];
  for (const [file, reason] of cases) {
    assertRefused(
      () => settings(context, { file }),
      new RegExp(`^\\S+toponym\\.json is not valid JSON: [^"]*${RegExp.escape(reason)}$`),
    );
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
