import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { worldIndex } from '../support/world-index.ts';

function unknown(flag: string, meant: string): string {
  return `unknown option ${flag}; did you mean ${meant}?`;
}

/** Returns a function that runs the program in a new folder, with the index of the world. */
async function inNewFolder(context: TestContext) {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'toponym.json'), JSON.stringify({ index: await worldIndex() }));
  return (...args: string[]) => runCommand(args, { cwd });
}

test('tests run commands without the TOPONYM_ variables of the environment', async (context) => {
  context.mock.property(process, 'env', { ...process.env, TOPONYM_THREADS: 'nonsense' });
  const run = await inNewFolder(context);
  const { stderr, code } = await run('get', 'G2988507');
  assert.deepEqual([code, stderr], [0, '']);
});

test('-h is --help and -V is --version', async () => {
  for (const command of [[], ['query']]) {
    const [short, long] = await Promise.all([runCommand([...command, '-h']), runCommand([...command, '--help'])]);
    assert.equal(short.code, 0);
    assert.equal(short.stdout, long.stdout);
  }
  assert.deepEqual(await runCommand(['-V']), await runCommand(['--version']));
  assert.match((await runCommand(['-V'])).stdout, /^\d+\.\d+\.\d+\n$/);
});

test('a usage error suggests what was meant and names the help of its command', async () => {
  for (const [args, message, command] of [
    [['qery', 'paris'], 'unknown command "qery"; did you mean query?', 'toponym'],
    [['--no-color', 'serv'], 'unknown command "serv"; did you mean serve?', 'toponym'],
    [['help', 'qurey'], 'unknown command "qurey"; did you mean query?', 'toponym'],
    [['fly'], 'unknown command "fly"', 'toponym'],
    [['keys', 'crate', '--label', 'x'], 'unknown command "crate"; did you mean create?', 'toponym keys'],
    [['query', '--hit-per-page', '3', 'x'], unknown('--hit-per-page', '--hits-per-page'), 'toponym query'],
    [['query', 'x', '--no-colour'], unknown('--no-colour', '--no-color'), 'toponym query'],
    [['serve', '--prot=1'], unknown('--prot', '--port'), 'toponym serve'],
    [['serve', '--redis-passwort=secret'], 'unknown option --redis-passwort', 'toponym serve'],
    [['query'], 'the argument <text> is missing', 'toponym query'],
    [['keys', 'create'], 'the option --label <text> is required', 'toponym keys create'],
    [['get', '--index'], 'the option --index <file> needs a value', 'toponym get'],
  ] as const) {
    const stderr = `toponym: ${message}\nSee: npx ${command} --help\n`;
    assert.deepEqual(await runCommand(args), { stdout: '', stderr, code: 2 }, args.join(' '));
  }
  const { stdout, stderr, code } = await runCommand([]);
  assert.deepEqual([stdout, code], ['', 2]);
  assert.match(stderr, /^Usage: toponym /);
});

test('a wrong value of a fixed list gets a suggestion', async (context) => {
  const run = await inNewFolder(context);
  for (const [args, ending] of [
    [['update', '--set', 'citis500'], 'got "citis500"; did you mean cities500?'],
    [['update', '--from', 'geoname'], '--from: must be geonames, got "geoname"; did you mean geonames?'],
    [['build', '--from', 'ndjsn', 'x', '--out', 'y'], 'got "ndjsn"; did you mean ndjson?'],
    [['reverse', '1,1', '--mode', 'contaning'], 'got "contaning"; did you mean containing?'],
    [['query', 'x', '--type', 'city,vilage'], 'got "vilage"; did you mean village?'],
    [['export', '--type', 'twon'], 'got "twon"; did you mean town?'],
    [['keys', 'copy', '--from', 'sqlit', '--to', 'redis'], 'got "sqlit"; did you mean sqlite?'],
    [['serve', '--log-level', 'wran'], 'got "wran"; did you mean warn?'],
    [['keys', 'list', '--redis-mode', 'clutser'], 'got "clutser"; did you mean cluster?'],
    [['reverse', '1,1', '--mode', 'zzz'], '--mode: must be nearest or containing, got "zzz".'],
  ] as const) {
    const { stdout, stderr, code } = await run(...args);
    assert.deepEqual([stdout, code], ['', 2], stderr);
    assert.ok(stderr.startsWith('toponym: --') && stderr.endsWith(`${ending}\n`), stderr);
  }
});

test('a key is created, listed without the key itself, and revoked', async (context) => {
  const run = await inNewFolder(context);
  const result = await run(
    'keys',
    'create',
    '--label',
    'Web shop',
    '--max-records',
    '5',
    '--per-minute',
    'unlimited',
    '--expires',
    '2099-12-31',
    '--origin',
    'https://example.com',
    '--json',
  );
  const { key, createdAt, ...created } = JSON.parse(result.stdout);
  assert.match(key, /^tpk_[0-9A-Za-z]{36}$/);
  assert.deepEqual(created, {
    id: created.id,
    label: 'Web shop',
    maxRecords: 5,
    perMinute: 'unlimited',
    perDay: null,
    allowedOrigins: ['https://example.com'],
    allowedCidrs: [],
    expiresAt: '2099-12-31T00:00:00.000Z',
    revokedAt: null,
    lastUsedAt: null,
  });
  const listed = await run('keys', 'list', '--json');
  assert.deepEqual(JSON.parse(listed.stdout), [{ ...created, createdAt }]);
  assert.ok(!listed.stdout.includes(key));
  assert.match((await run('keys', 'list')).stdout, /Web shop/);
  const revoked = JSON.parse((await run('keys', 'revoke', created.id, '--json')).stdout);
  assert.notEqual(revoked.revokedAt, null);
});

test('query, reverse and get print the response of the API with --json', async (context) => {
  const run = await inNewFolder(context);
  const found = JSON.parse((await run('query', 'paris', '--hits-per-page', '2', '--countries', 'fr', '--json')).stdout);
  assert.equal(found.hits[0].objectID, 'G2988507');
  assert.equal(found.hitsPerPage, 2);
  const nearest = JSON.parse((await run('reverse', '-33.87,151.21', '--type', 'city', '--json')).stdout);
  assert.equal(nearest.hits[0].name, 'Sydney');
  const containing = JSON.parse((await run('reverse', '54.36,10.11', '--mode', 'containing', '--json')).stdout);
  assert.deepEqual([containing.hits[0].name, containing.hits[0].inside, containing.pointCountry], ['Kiel', true, 'de']);
  const record = JSON.parse((await run('get', 'G2988507', '--json')).stdout);
  assert.equal(record.name, 'Paris');
  assert.ok(Object.keys(record.names).length > 0);
});

test('query and reverse accept an argument of several words', async (context) => {
  const run = await inNewFolder(context);
  const firstOf = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout).hits[0].objectID;
  assert.equal(await firstOf('query', 'paris', 'texas'), 'G4717560');
  for (const point of [['-33.87,', '151.21'], ['-33.87', '151.21'], ['-33.87, 151.21']]) {
    assert.equal(await firstOf('reverse', '--type', 'city', ...point), 'G2147714', point.join('|'));
  }
  assert.match((await run('get', 'G2988507', 'G1')).stderr, /^toponym: too many arguments for 'get'/);
});

test('query, reverse and get print tables and facts without --json', async (context) => {
  const run = await inNewFolder(context);
  assert.match(
    (await run('query', 'sydney')).stdout,
    /^ID +PLACE +TYPE +POPULATION +CONFIDENCE +MATCH +LAT,LNG\nG2147714 +Sydney, New South Wales, Australia.* 0\.9\d\d +exact /,
  );
  assert.match((await run('reverse', '-33.87,151.21')).stdout, /DISTANCE\nG2147714 +Sydney.* \d+ m\n/);
  assert.match(
    (await run('reverse', '54.36,10.11', '--mode', 'containing')).stdout,
    /DISTANCE +INSIDE\nG2891122 +Kiel, Germany .* [\d.]+ km +yes\nG\d+ .* no\n/,
  );
  assert.match((await run('get', 'G2988507')).stdout, /^ID +G2988507\nPlace +Paris, France\n/);
});

test('an invalid option is reported in one sentence', async (context) => {
  const run = await inNewFolder(context);
  for (const [args, message] of [
    [['reverse', '91,0'], 'lat,lng: latitude must be between -90 and 90, got "91,0".'],
    [['query', 'x', '--hits-per-page', '0'], '--hits-per-page: must be an integer of at least 1, got "0".'],
    [
      ['query', 'x', '--around-lat-lng', 'hitsPerPage, got type'],
      '--around-lat-lng: must be latitude and longitude in decimal degrees such as 48.8566,2.3522, got "hitsPerPage, got type".',
    ],
    [
      ['query', 'x', '--inside-bounding-box', '47,4,48,5,40,1,41,2'],
      '--inside-bounding-box: must be one box of four numbers, got 8 numbers: "47,4,48,5,40,1,41,2".',
    ],
    [
      ['query', 'x', '--around-radius', '1'],
      '--around-radius: needs a point to measure from; add --around-lat-lng or --around-lat-lng-via-ip.',
    ],
    [['query', 'x'.repeat(513)], 'text: must not be longer than 512 bytes of UTF-8, got 513.'],
    [['get', ''], 'id: must be the objectID of a record such as G2988507, got "".'],
  ] as const) {
    assert.deepEqual(await run(...args), { stdout: '', stderr: `toponym: ${message}\n`, code: 2 });
  }
});

test('build indexes a GeoNames dump and reports rejected rows, and inspect reads the index', async (context) => {
  const cwd = temporaryFolder(context);
  const row = '1|Ham|Ham|Hammo|50|4|P|PPL|BE||||||1200||10|Europe/Brussels|2024-01-02';
  writeFileSync(join(cwd, 'BE.txt'), `${row.replaceAll('|', '\t')}\nnot a row\n`);
  writeFileSync(join(cwd, 'admin1CodesASCII.txt'), ''); // without a table, all divisions of the world are read
  const from = ['--from', 'geonames', 'BE.txt', 'admin1CodesASCII.txt'];
  const built = await runCommand(['build', ...from, '--out', 'be.toponym', '--json'], { cwd });
  assert.equal(built.code, 0, built.stderr);
  const report = JSON.parse(built.stdout);
  assert.deepEqual([report.rowsRead, report.rowsKept, report.places], [2, 1, 1]);
  assert.equal(Object.values(report.rejected as Record<string, { count: number }>)[0]?.count, 1);
  const found = await runCommand(['query', 'ham', '--index', 'be.toponym', '--json'], { cwd });
  assert.equal(JSON.parse(found.stdout).hits[0].objectID, 'G1');
  const inspected = JSON.parse((await runCommand(['inspect', 'be.toponym', '--json'], { cwd })).stdout);
  assert.deepEqual([inspected.places, inspected.byType.village, inspected.byCountry], [1, 1, { BE: 1 }]);
});

test('build refuses unknown formats and unreadable files', async (context) => {
  const cwd = temporaryFolder(context);
  for (const from of [['csv', 'x.csv'], ['geonames'], ['geonames', 'missing.txt']]) {
    const { code, stderr } = await runCommand(['build', '--from', ...from, '--out', 'x.toponym'], { cwd });
    assert.equal(code, 2, stderr);
    assert.match(stderr, /^toponym: --from/);
  }
});

test('commands other than serve refuse the URL of an index', async () => {
  const url = 'https://user@example.com/world.toponym?key=secret';
  const commands = [
    ['query', 'paris', '--index', url],
    ['reverse', '1,2', '--index', url],
    ['get', 'G1', '--index', url],
    ['export', '--index', url],
    ['inspect', url],
  ];
  for (const args of commands) {
    const { code, stderr } = await runCommand(args);
    const got = 'The index must be a file, got https://example.com/world.toponym: only "toponym serve" takes a URL.';
    assert.deepEqual({ code, stderr }, { code: 2, stderr: `toponym: ${got} Download the file first.\n` });
  }
});
