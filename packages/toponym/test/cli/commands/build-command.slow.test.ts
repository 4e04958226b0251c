import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openEngine } from 'toponym-engine/open-engine';
import { runCommand } from '../../../../../test/support/command.ts';
import { waitUntil } from '../../../../../test/support/deadline.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { ByteReader } from '../../../../../web/static/byte-reader.ts';
import { readIndex } from '../../../../../web/static/read-index.ts';
import { writeOsm } from '../../../../gazetteer/test/sources/osm/write-osm.ts';

const FIXTURES = fileURLToPath(new URL('../../../../../test/fixtures/sources', import.meta.url));
const GEONAMES = join(FIXTURES, 'geonames');
/** Without a table of divisions, all divisions of the world are read. */
const DIVISIONS = join(GEONAMES, 'admin1CodesASCII.txt');
const OWN = join(FIXTURES, 'own.ndjson');
const EXTRACT = writeOsm({
  nodes: [
    { id: 1, lat: 47.2, lng: 9.5, tags: { place: 'village', name: 'Nordheim', 'name:fr': 'Nordville' } },
    { id: 2, lat: 47.3, lng: 9.5, tags: { place: 'island', name: 'No place' } },
  ],
});

test('sources of all formats are built into one index, with a total report and one per source', async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'li.osm.pbf'), EXTRACT);
  const from = ['--from', 'geonames', GEONAMES, '--from', 'osm', 'li.osm.pbf', '--from', 'ndjson', OWN];
  const built = await runCommand(['build', ...from, '--country', 'li', '--out', 'all.toponym', '--json'], { cwd });
  assert.equal(built.code, 0, built.stderr);
  assert.match(built.stderr, /^Building all\.toponym: reading place ids$/m);
  const { out, seconds, bytes, ...report } = JSON.parse(built.stdout);
  assert.equal(out, join(cwd, 'all.toponym'));
  assert.ok(seconds >= 0 && bytes > 0);
  assert.equal(report.version, 'geonames-LI-2025-06-15+osm-li-2023-11-14+own-2026-11-15');
  assert.equal(report.attribution.length, 3);
  assert.deepEqual([report.rowsRead, report.rowsKept, report.places, report.names], [8, 6, 6, 25]);
  assert.deepEqual(report.rejected['not a populated place'], {
    count: 2,
    samples: ['LI.txt:4: feature class "H"', 'li.osm.pbf:N2: place=island'],
  });
  assert.deepEqual(
    report.sources.map((source: { rowsRead: number; rowsKept: number }) => [source.rowsRead, source.rowsKept]),
    [
      [4, 3],
      [2, 1],
      [2, 2],
    ],
  );
  const found = await runCommand(['query', 'nordville', '--index', 'all.toponym', '--json'], { cwd });
  assert.equal(JSON.parse(found.stdout).hits[0].objectID, 'N1');
  const own = await runCommand(['query', 'unterwald oberland', '--index', 'all.toponym', '--json'], { cwd });
  assert.equal(JSON.parse(own.stdout).hits[0].objectID, 'X2');
});

test('a source given twice adds no places, and its ids are rejected the second time', async (context) => {
  const cwd = temporaryFolder(context);
  const twice = ['--from', 'ndjson', OWN, '--from', 'geonames', GEONAMES, '--from', 'ndjson', OWN];
  const built = await runCommand(['build', ...twice, '--out', 'x.toponym', '--json'], { cwd });
  const report = JSON.parse(built.stdout);
  assert.equal(report.places, 5);
  assert.equal(report.rejected['id already used by an earlier source'].count, 2);
});

test('the places of an index become another index, with the changes of an overlay or beside other sources', async (context) => {
  const cwd = temporaryFolder(context);
  const run = async (...args: string[]) => await runCommand(['build', ...args, '--json'], { cwd });
  await run('--from', 'ndjson', OWN, '--out', 'own.toponym');
  const again = await run('--from', 'index', 'own.toponym', '--out', 'again.toponym');
  assert.equal(again.code, 0, again.stderr);
  const bytesOf = (name: string) => readFileSync(join(cwd, name));
  assert.ok(bytesOf('again.toponym').equals(bytesOf('own.toponym')));
  writeFileSync(join(cwd, 'fixes.ndjson'), '{"hide":"X2"}\n{"addName":"X1","name":"Wasserstadt"}\n');
  const changed = await run(
    '--from',
    'index',
    'own.toponym',
    '--from',
    'overlay',
    'fixes.ndjson',
    '--out',
    'c.toponym',
  );
  assert.equal(changed.code, 0, changed.stderr);
  const report = JSON.parse(changed.stdout);
  assert.match(report.version, /^own-2026-11-15\+overlay-[0-9a-f]{8}$/);
  assert.deepEqual([report.rowsRead, report.places, report.rejected['hidden by the overlay'].samples], [2, 1, ['X2']]);
  const served = await runCommand(
    ['query', 'wasserstadt', '--index', 'own.toponym', '--overlay', 'fixes.ndjson', '--json'],
    { cwd },
  );
  assert.equal(JSON.parse(served.stdout).hits[0].objectID, 'X1', served.stderr);
  const mixed = await run('--from', 'index', 'own.toponym', '--from', 'geonames', GEONAMES, '--out', 'm.toponym');
  assert.deepEqual([mixed.code, JSON.parse(mixed.stdout).places], [0, 5]);
});

test('an overlay without an index, and one that cannot be applied, build nothing', async (context) => {
  const cwd = temporaryFolder(context);
  await runCommand(['build', '--from', 'ndjson', OWN, '--out', 'own.toponym'], { cwd });
  writeFileSync(join(cwd, 'wrong.ndjson'), '{"hide":"X1"}\n{"hide":"X77"}\n');
  writeFileSync(join(cwd, 'all.ndjson'), '{"hide":"X1"}\n{"hide":"X2"}\n');
  const INDEX = ['--from', 'index', 'own.toponym'];
  for (const [from, code, message] of [
    [['--from', 'overlay', 'wrong.ndjson'], 2, /^toponym: --from overlay: must be one file and follow one index/],
    [[...INDEX, '--from', 'overlay', 'wrong.ndjson', 'all.ndjson'], 2, /--from overlay: must be one file/],
    [[...INDEX, '--from', 'overlay', 'wrong.ndjson'], 2, /wrong\.ndjson:2: hide: place X77 does not exist/],
    [[...INDEX, '--from', 'overlay', 'none.ndjson'], 2, /none\.ndjson cannot be read: no such file or directory/],
    [['--from', 'index', 'wrong.ndjson'], 2, /wrong\.ndjson: .*magic bytes/],
    [[...INDEX, '--from', 'overlay', 'all.ndjson'], 1, /no places found.*\n.*own\.toponym is an index/],
  ] as const) {
    const { code: got, stderr } = await runCommand(['build', ...from, '--out', 'out.toponym'], { cwd });
    assert.equal(got, code, stderr);
    assert.match(stderr, message);
    assert.ok(!existsSync(join(cwd, 'out.toponym')));
  }
});

test('a damaged source is reported in one sentence with file and position, and no index is written', async (context) => {
  const cwd = temporaryFolder(context);
  const packed = gzipSync(readFileSync(OWN));
  writeFileSync(join(cwd, 'cut.osm.pbf'), EXTRACT.subarray(0, EXTRACT.length - 5));
  writeFileSync(join(cwd, 'cut.ndjson.gz'), packed.subarray(0, packed.length - 12));
  writeFileSync(join(cwd, 'cut.zip'), 'PK\x03\x04');
  const damaged: [string[], RegExp][] = [
    [['osm', 'cut.osm.pbf'], /^toponym: --from cut\.osm\.pbf: block \d at byte \d+: the file is truncated\.$/m],
    [['ndjson', 'cut.ndjson.gz'], /^toponym: --from cut\.ndjson\.gz:\d+: the gzip data is damaged or truncated .*\.$/m],
    [['geonames', 'cut.zip'], /^toponym: --from cut\.zip: the archive has no directory: .*\.$/m],
    [['osm', 'cut.osm.pbf', '--from', 'csv'], /^toponym: --from /m],
  ];
  for (const [from, message] of damaged) {
    const { code, stderr } = await runCommand(['build', '--from', ...from, '--out', 'x.toponym'], { cwd });
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /^\s+at /m);
  }
  assert.ok(!existsSync(join(cwd, 'x.toponym')));
});

const PAGE = '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>\n<body>nginx</body></html>\n';
const CSV = 'id,name,lat,lng\n1,Vaduz,47.14,9.52\n2,Schaan,47.17,9.51\n';

test('files without a usable place exit with 1, a guess at their format, and no index', async (context) => {
  const cwd = temporaryFolder(context);
  const files: Record<string, string | Uint8Array> = {
    'page.txt': PAGE,
    'page.txt.gz': gzipSync(PAGE),
    'table.csv': CSV,
    'empty.txt': '',
    'list.json': '[{"id":"X1","name":"Vaduz"}]\n',
    'own.ndjson': readFileSync(OWN),
    'islands.osm.pbf': writeOsm({ nodes: [{ id: 2, lat: 47.3, lng: 9.5, tags: { place: 'island', name: 'Isle' } }] }),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  writeFileSync(join(cwd, 'x.toponym'), 'the index of yesterday');
  const together = [
    ...['geonames', 'page.txt.gz', 'page.txt', DIVISIONS, '--from', 'ndjson', 'table.csv', 'list.json'],
    ...['--from', 'geonames', 'own.ndjson', 'empty.txt', DIVISIONS, '--from', 'osm', 'islands.osm.pbf'],
  ];
  const cases: [string[], RegExp[]][] = [
    [
      ['geonames', 'table.csv', DIVISIONS],
      [/^Rejected {3}3: short row\n {13}table\.csv:1: [\s\S]*table\.csv looks like comma-separated values \(CSV\)/m],
    ],
    [
      together,
      [
        /page\.txt looks like a web page \(HTML\)\. --from geonames reads .*cities500\.zip/,
        /page\.txt\.gz looks like a web page \(HTML\)/,
        /table\.csv looks like .*\(CSV\), list\.json looks like a JSON array\. --from ndjson reads one JSON object per line/,
        /own\.ndjson looks like NDJSON/,
        /empty\.txt is empty/,
        /islands\.osm\.pbf .*OpenStreetMap.*place=/,
      ],
    ],
  ];
  for (const [from, messages] of cases) {
    const { code, stdout, stderr } = await runCommand(['build', '--from', ...from, '--out', 'x.toponym'], { cwd });
    assert.equal(code, 1, `${from}: ${stdout}${stderr}`);
    assert.match(stderr, /^toponym: no places found; .*x\.toponym was not written\.$/m);
    for (const message of messages) assert.match(stderr, message);
    assert.doesNotMatch(stderr, /^\s+at /m);
    assert.equal(stdout, '');
  }
  assert.equal(readFileSync(join(cwd, 'x.toponym'), 'utf8'), 'the index of yesterday');
});

test('an unwritable output file is refused before any source is read', async (context) => {
  const cwd = temporaryFolder(context);
  mkdirSync(join(cwd, 'folder'));
  writeFileSync(join(cwd, 'file'), '');
  const server = createServer().listen(join(cwd, 'socket'));
  context.after(() => server.close());
  await once(server, 'listening');
  for (const [out, message] of [
    ['missing/x.toponym', /^toponym: --out .*missing.x\.toponym cannot be written: no such file or directory/],
    ['file/x.toponym', /^toponym: --out .*file.x\.toponym cannot be written: .*file is not a folder\.\n$/],
    ['folder', /^toponym: --out .*folder cannot be written: it is a folder; name a file in it\.\n$/],
    ['socket', /^toponym: --out .*socket cannot be written: it is not a regular file\.\n$/],
  ] as const) {
    const { code, stderr } = await runCommand(['build', '--from', 'ndjson', 'none.ndjson', '--out', out], { cwd });
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
});

test('a build never replaces one of its sources, even through a link', async (context) => {
  const cwd = temporaryFolder(context);
  const sources = join(cwd, 'sources');
  mkdirSync(sources);
  copyFileSync(OWN, join(cwd, 'own.ndjson'));
  symlinkSync('own.ndjson', join(cwd, 'link'));
  linkSync(join(cwd, 'own.ndjson'), join(cwd, 'hard'));
  for (const name of readdirSync(GEONAMES)) copyFileSync(join(GEONAMES, name), join(sources, name));
  for (const [from, out] of [
    [['ndjson', 'own.ndjson'], 'own.ndjson'],
    [['geonames', GEONAMES, '--from', 'ndjson', 'own.ndjson'], 'own.ndjson'],
    [['ndjson', 'own.ndjson'], 'link'],
    [['ndjson', 'own.ndjson'], 'hard'],
    [['ndjson', 'link'], 'own.ndjson'],
    [['geonames', 'sources'], 'sources/LI.txt'],
  ] as const) {
    const before = readFileSync(join(cwd, out));
    const { code, stderr } = await runCommand(['build', '--from', ...from, '--out', out], { cwd });
    assert.equal(code, 2, stderr);
    assert.match(stderr, /^toponym: --out \S+ cannot be written: it is also an input \(\S+\); name another file\.\n$/);
    assert.deepEqual(readFileSync(join(cwd, out)), before);
  }
});

test('an index may be in the folder of its sources; its report has counts, credits, reasons of rejection and samples', async (context) => {
  const cwd = temporaryFolder(context);
  for (const name of readdirSync(GEONAMES)) copyFileSync(join(GEONAMES, name), join(cwd, name));
  for (const _round of [1, 2]) {
    const { stdout, stderr, code } = await runCommand(['build', '--from', 'geonames', '.', '--out', 'x.toponym'], {
      cwd,
    });
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^Wrote {6}.*x\.toponym \(0\.0 MB\) in [\d.]+ s\nData {7}GeoNames LI of 15 June 2025 \(.* old\)\nCredit {5}GeoNames/,
    );
    assert.match(stdout, /\nRows read {2}4\nRows kept {2}3\nMerged {5}0 by a shared id, 0 by name\nPlaces {5}3\n/);
    assert.match(stdout, /\nRejected {3}1: not a populated place\n +LI\.txt:4: feature class "H"\n$/);
  }
});

test('filters leave out places and names, and say how many', async (context) => {
  const cwd = temporaryFolder(context);
  const filters = ['--countries', 'li', '--min-population', '1000', '--languages', 'en'];
  const args = ['build', '--from', 'ndjson', OWN, '--from', 'geonames', GEONAMES, ...filters, '--out', 'x.toponym'];
  const built = await runCommand([...args, '--json'], { cwd });
  assert.equal(built.code, 0, built.stderr);
  const { places, rowsKept, rejected } = JSON.parse(built.stdout);
  assert.deepEqual([places, rowsKept], [2, 2]);
  assert.deepEqual(rejected['population unknown or below --min-population'], { count: 3, samples: [] });
  const { stdout } = await runCommand(['export', '--index', 'x.toponym'], { cwd });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { name, names } = lines.find(({ id }) => id === 'X1');
  assert.deepEqual([name, names], ['Seestadt', { en: ['Laketown'], und: [{ value: 'SEE', kind: 'code' }] }]);
});

test('filters that leave no place, and wrong values, are errors that name the flag', async (context) => {
  const cwd = temporaryFolder(context);
  for (const [filter, code, message] of [
    [['--countries', 'FR'], 1, /^toponym: no place matches the filters; .*x\.toponym was not written\.$/m],
    [['--countries', 'FRA'], 2, /^toponym: --countries: must be .* got "FRA"; did you mean FR\?$/m],
    [['--min-population', '15k'], 2, /^toponym: --min-population: must be .* 15000, got "15k"\.$/m],
    [['--languages', 'de-AT'], 2, /^toponym: --languages: must be codes such as de,en .*, got "de-AT"\.$/m],
    [['--languages', 'de,'], 2, /^toponym: --languages: .*, got ""\.$/m],
  ] as const) {
    const built = await runCommand(['build', '--from', 'ndjson', OWN, ...filter, '--out', 'x.toponym'], { cwd });
    assert.equal(built.code, code, built.stderr);
    assert.match(built.stderr, message);
  }
  assert.ok(!existsSync(join(cwd, 'x.toponym')));
});

test('--static writes a folder with a packed index and a page with credits, and keeps a page that is there', async (context) => {
  const cwd = temporaryFolder(context);
  const args = ['build', '--from', 'ndjson', OWN, '--static', 'public/places', '--json'];
  const built = await runCommand(args, { cwd });
  assert.equal(built.code, 0, built.stderr);
  const folder = join(cwd, 'public', 'places');
  const { static: site } = JSON.parse(built.stdout);
  assert.equal(site.folder, folder);
  assert.deepEqual(site.files.toSorted(), readdirSync(folder).toSorted());
  const packed = readFileSync(join(folder, 'places.toponym'));
  assert.equal(packed.length, site.indexBytes);
  const unpacked = await readIndex(new ByteReader(new Blob([gunzipSync(packed)]).stream()));
  assert.equal(openEngine(unpacked).get('X1')?.record.name, 'Seestadt');
  assert.match(readFileSync(join(folder, 'index.html'), 'utf8'), /Places: <span>Example Survey, CC0<\/span>/);
  const { stderr } = await runCommand(['query', 'seestadt', '--index', join(folder, 'places.toponym')], { cwd });
  assert.match(stderr, /places\.toponym: a compressed index, which only browsers read\. Build one with --out\n$/);
  writeFileSync(join(folder, 'index.html'), 'my page');
  const again = await runCommand([...args, '--out', 'own.toponym'], { cwd });
  assert.equal(again.code, 0, again.stderr);
  assert.equal(readFileSync(join(folder, 'index.html'), 'utf8'), 'my page');
  assert.ok(existsSync(join(cwd, 'own.toponym')));
});

test('--static replaces the index once, by the packed one', async (context) => {
  const cwd = temporaryFolder(context);
  const seen: string[] = [];
  const watcher = watch(cwd, (_, name) => seen.push(name ?? ''));
  context.after(() => watcher.close());
  const { code, stderr } = await runCommand(['build', '--from', 'ndjson', OWN, '--static', '.'], { cwd });
  assert.equal(code, 0, stderr);
  writeFileSync(join(cwd, 'end'), '');
  await waitUntil('all changes are reported', () => seen.includes('end'));
  assert.equal(seen.filter((name) => name === 'places.toponym').length, 1);
});

test('a build without an output, and a folder that cannot be written, are errors', async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'file'), '');
  for (const [flags, message] of [
    [[], /^toponym: name the index file to write: --out FILE, or a folder for a static host: --static FOLDER\.$/m],
    [['--static', 'file'], /^toponym: --static .*file cannot be written: file already exists\.$/m],
    [['--static', 'file/x'], /^toponym: --static .*x cannot be written: not a directory\.$/m],
  ] as const) {
    const { code, stderr } = await runCommand(['build', '--from', 'ndjson', OWN, ...flags], { cwd });
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
});
