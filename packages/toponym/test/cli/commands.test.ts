import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCommand } from '../../../../test/support/command.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { worldIndex } from '../../../../test/support/world-index.ts';

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
});

test('query, reverse and get print tables and facts without --json', async (context) => {
  const run = await inNewFolder(context);
  assert.match(
    (await run('query', 'sydney')).stdout,
    /^ID +PLACE +TYPE +POPULATION +CONFIDENCE +MATCH +LAT,LNG\nG2147714 +Sydney, New South Wales, Australia.* 0\.9\d\d +exact /,
  );
  assert.match(
    (await run('reverse', '54.36,10.11', '--mode', 'containing', '--hits-per-page', '2')).stdout,
    /DISTANCE +INSIDE\nG2891122 +Kiel, Germany .* [\d.]+ km +yes\nG\d+ .* no\n/,
  );
  assert.match((await run('get', 'G2988507')).stdout, /^ID +G2988507\nPlace +Paris, France\n/);
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

test('completion --json has the script', async () => {
  const json = JSON.parse((await runCommand(['completion', 'bash', '--json'])).stdout);
  const plain = await runCommand(['completion', 'bash']);
  assert.deepEqual(json, { shell: 'bash', script: plain.stdout });
});
