import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runCommand } from '../../../../../test/support/command.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { worldIndex } from '../../../../../test/support/world-index.ts';

/** Writes a table to a new folder, and returns functions that geocode it there and read files. */
function aTable(context: TestContext, content: string | Buffer, name = 'people.csv') {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, name), content);
  const run = async (...args: string[]) =>
    await runCommand(['geocode', name, '--index', await worldIndex(), ...args], { cwd });
  const lines = (file: string) => readFileSync(join(cwd, file), 'utf8').trimEnd().split('\n');
  return { cwd, run, lines };
}

test('every row stays, and rows without a sure place are reviewed with candidates', async (context) => {
  const { cwd, run, lines } = aTable(
    context,
    'who,city,country,id\n' +
      'Anna,Berlin,Germany,1\n' +
      'Bob,"Paris, Texas",US,2\n' +
      'Cleo,Springfield,us,3\n' +
      'Dan,,DE,4\n' +
      'Eve,Qwertzuiop,DE,5\n' +
      'Fay,Berlin\n' +
      'Gus,"Ber\nlin",DE,6\n' +
      'Hal,Berlin,DE,7,more,"a, ""b"""\n' +
      'Ivy,"Berlin,DE\n',
  );
  const { code, stdout, stderr } = await run('--out', 'out.csv', '--review', 'review.csv');
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^Reading people\.csv \(utf-8, delimiter ","\) with the columns city, country \(guessed/);
  assert.match(stdout, /^Rows +9 in \d+ s/);
  assert.match(stdout, /Bad rows +3 \(33\.3%\); the column problem says why\n +line 7: has 2 cells instead of 4\n/);
  const [headings, anna, bob, cleo, ...others] = lines('out.csv');
  assert.equal(
    headings,
    'who,city,country,id,toponym_id,label,lat,lng,confidence,matchCode,candidate_id,candidate_label,problem',
  );
  assert.match(anna!, /^Anna,Berlin,Germany,1,G2950159,"Berlin, Germany",52\.52437,13\.41053,0\.9\d*,exact,,,$/);
  assert.match(bob!, /^Bob,"Paris, Texas",US,2,G4717560,/);
  assert.match(cleo!, /^Cleo,Springfield,us,3,,,,,0\.\d+,ambiguous,G\d+,"Springfield, [^"]+, United States",$/);
  assert.deepEqual(others.toSpliced(4, 1), [
    'Dan,,DE,4,,,,,,,,,',
    'Eve,Qwertzuiop,DE,5,,,,,,,,,',
    'Fay,Berlin,,,,,,,,,,,has 2 cells instead of 4',
    'Gus,"Ber',
    'Hal,Berlin,DE,7,,,,,,,,,"has 6 cells instead of 4; the others: more,""a, """"b"""""""',
    '"Ivy,""Berlin,DE",,,,,,,,,,,,a quotation mark is never closed',
  ]);
  const review = lines('review.csv');
  assert.equal(review.length, 9); // one row has a line break
  assert.match(review[0]!, /^who,city,country,id,line,reason,candidate1_id,candidate1_label,candidate1_confidence,c/);
  assert.match(review[1]!, /^Cleo,Springfield,us,3,4,"the confidence is 0\.\d+, below 0\.9",G\d+,"Springfield, /);
  assert.match(review[2]!, /^Dan,,DE,4,5,no place is named,,/);
  assert.match(review[3]!, /^Eve,Qwertzuiop,DE,5,6,no place has such a name,,/);
  assert.match(review[4]!, /^Fay,Berlin,,,7,has 2 cells instead of 4,,/);
  assert.deepEqual(readdirSync(cwd).sort(), ['out.csv', 'people.csv', 'review.csv']);
});

test('the output has the permissions of the table, and a byte order mark if it is a file', async (context) => {
  const { cwd, run, lines } = aTable(context, '\ufeffcity;n\r\nBerlin;1\r\nSpringfield;2\r\nQwertzuiop;3\r\nbad\r\n');
  chmodSync(join(cwd, 'people.csv'), 0o640);
  const { stdout } = await run('--column', 'CITY', '--out', 'out.csv', '--review', 'review.csv');
  assert.match(lines('review.csv')[0]!, /^\ufeffcity;n;line;/);
  assert.equal(statSync(join(cwd, 'out.csv')).mode & 0o777, 0o640);
  const [headings, ...rows] = lines('out.csv');
  assert.equal(headings, '\ufeffcity;n;id;label;lat;lng;confidence;matchCode;candidate_id;candidate_label;problem');
  assert.match(rows[0]!, /^Berlin;1;G2950159;Berlin, Germany;52/);
  assert.match(rows[1]!, /^Springfield;2;;;;;0\.\d+;ambiguous;G\d+;Springfield, [^;]+;$/);
  assert.deepEqual(rows.slice(2), ['Qwertzuiop;3;;;;;;;;;', 'bad;;;;;;;;;;has 1 cell instead of 2']);
  assert.match(stdout, /Matched +1 [\s\S]*Doubtful +1 [\s\S]*Not found +1 [\s\S]*Bad rows +1 /);
});

test('a country column filters: its code is not the abbreviation of a state', async (context) => {
  const { run } = aTable(context, 'city,country\nParis,FR\nParis,Frankreich\nParis,US\n');
  const { stdout } = await run('--min-confidence', '0');
  const ids = stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split(',')[2]);
  assert.deepEqual(ids, ['G2988507', 'G2988507', 'G4717560']);
});

test('a country column does not widen --country', async (context) => {
  const { run, lines } = aTable(context, 'city,country\nBerlin,DE\nParis,FR\nParis,\n');
  const { stdout } = await run('--country', 'de,us', '--min-confidence', '0', '--review', 'review.csv');
  assert.match(stdout, /\nBerlin,DE,G2950159,[^\n]*\nParis,FR,{9}\nParis,,G4717560,[^\n]*\n$/);
  assert.match(lines('review.csv')[1]!, /^Paris,FR,3,FR is not a country of --country,/);
});

test('NDJSON keeps its fields and gets new ones', async (context) => {
  const rows = ['{"city":"Berlin","more":{"n":[1]}}', 'no JSON', '{"city":{}}', '{"city":"Qwertzuiop"}'];
  const { run, lines } = aTable(context, rows.join('\n'), 'a.ndjson');
  const { stdout, stderr, code } = await run('--review', 'review.ndjson', '--json');
  assert.equal(code, 0, stderr);
  const [first, ...others] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { confidence, ...place } = first;
  assert.ok(confidence > 0.9);
  assert.deepEqual(place, {
    city: 'Berlin',
    more: { n: [1] },
    id: 'G2950159',
    label: 'Berlin, Germany',
    lat: 52.52437,
    lng: 13.41053,
    matchCode: 'exact',
    candidate_id: null,
    candidate_label: null,
    problem: null,
  });
  assert.deepEqual(
    others.map(({ row, city, problem }) => [row ?? city, problem]),
    [
      ['no JSON', 'is not a JSON object'],
      [{}, 'has a list or an object instead of text'],
      ['Qwertzuiop', null],
    ],
  );
  assert.deepEqual(
    lines('review.ndjson').map((line) => JSON.parse(line)),
    [
      { row: 'no JSON', line: 2, reason: 'is not a JSON object' },
      { city: {}, line: 3, reason: 'has a list or an object instead of text' },
      { city: 'Qwertzuiop', line: 4, reason: 'no place has such a name' },
    ],
  );
  const report = JSON.parse(stderr.trimEnd().split('\n').at(-1)!);
  assert.deepEqual([report.rows, report.matched, report.notFound, report.bad], [4, 1, 1, 2]);
});

test('NDJSON stays as it is written, and a field of a row is not replaced', async (context) => {
  const rows = ['{"city":"Berlin"}', '{ "city": "Berlin", "big": 9007199254740993, "n": 1.0, "ID": 7 } ', '{}'];
  const { run } = aTable(context, rows.join('\n'), 'a.ndjson');
  const written = (await run()).stdout.split('\n');
  assert.match(
    written[0]!,
    /^\{"city":"Berlin","id":"G2950159","label":"Berlin, Germany",.*"matchCode":"exact","candidate_id":null,.*\}$/,
  );
  const expected =
    /^\{ "city": "Berlin", "big": 9007199254740993, "n": 1\.0, "ID": 7 ,"toponym_id":"G2950159","label":/;
  assert.match(written[1]!, expected);
  assert.match(written[2]!, /^\{"id":null,"label":null,(?:"\w+":null,?){7}\}$/);
});

test('coordinates find the places that contain them', async (context) => {
  const table = 'n\tBreite\tLänge\n1\t52,52\t13,4\n2\t52°31′N\t13°24′E\n3\t152\t13\n4\t\t\n5\t0\t0\n';
  const { run, lines } = aTable(context, gzipSync(table), 'photos.tsv.gz');
  const { stdout, stderr, code } = await run('--reverse', '--review', 'review.tsv');
  assert.equal(code, 0, stderr);
  assert.deepEqual(stdout.split('\n').slice(0, 2), [
    'n\tBreite\tLänge\tid\tlabel\tlat\tlng\tdistance\tinside\tcandidate_id\tcandidate_label\tproblem',
    '1\t52,52\t13,4\tG2950159\tBerlin, Germany\t52.52437\t13.41053\t862\ttrue\t\t\t',
  ]);
  assert.match(stdout.split('\n')[2]!, /^2\t52°31′N\t13°24′E\tG2950159\t/);
  const reasons = lines('review.tsv')
    .slice(1)
    .map((line) => line.split('\t')[4]);
  assert.deepEqual(reasons, [
    '"must have a latitude from -90 to 90 and a longitude from -180 to 180, got ""152"" and ""13"" (swapped?)"',
    'no point is given',
    'the point is in no country, perhaps at sea',
  ]);
});

test('rows come back in order from several threads, and repeated rows have the same place', async (context) => {
  const cities = ['Berlin', 'Springfield', 'Qwertzuiop', 'Tokyo'];
  const rows = Array.from({ length: 3000 }, (_, i) => `${i},${cities[i % 4]}`);
  const { run } = aTable(context, `n,city\n${rows.join('\n')}\n`);
  const { stdout } = await run('--threads', '3');
  const written = stdout.trimEnd().split('\n').slice(1);
  assert.deepEqual(
    written.map((row) => row.split(',').slice(0, 2).join()),
    rows,
  );
  assert.equal(new Set(written.map((row) => row.replace(/^\d+/, ''))).size, 4);
});

test('odd texts are bad rows, not errors', async (context) => {
  const texts = ['x'.repeat(600), 'a\0b', '%', '-', '"', '😀', '١٢٣', `"${'"'.repeat(400)}"`];
  const { run } = aTable(context, `city,n\n${texts.map((text, i) => `${text},${i}\n`).join('')}`);
  const { code, stderr } = await run('--json');
  assert.equal(code, 0, stderr);
  const report = JSON.parse(stderr.trimEnd().split('\n').at(-1)!);
  assert.equal(report.rows, texts.length);
  assert.equal('rowsPerMinute' in report, report.seconds >= 5);
  assert.deepEqual(report.badRows, [
    'line 2: has a name or coordinates of more than 512 bytes',
    'line 3: has characters that are not Unicode text',
    'line 6: a quotation mark is never closed',
  ]);
});

const WRONG_USE: readonly (readonly [args: readonly string[], message: string])[] = [
  [['--column', 'nope'], '--column: there is no "nope". The columns are: "city".'],
  [['--reverse'], 'No heading looks like coordinates. Name them with --column. The columns are: "city".'],
  [['--min-confidence', '2'], '--min-confidence: must be a number from 0 to 1, got "2".'],
  [['--country', 'XX'], '--country: must be an ISO 3166-1 alpha-2 code such as FR, got "XX".'],
  [['--language', '?'], '--language: must be a language tag such as fr or zh-TW, got "?".'],
  [['--out', 'a.csv', '--review', 'a.csv'], '--review: must not be the file of --out.'],
  [['--out', 'people.csv'], 'cannot be written: it is also an input'],
  [['--review', 'no/where.csv'], '--review'],
];

test('wrong use is refused before anything is written', async (context) => {
  const { cwd, run } = aTable(context, 'city\nBerlin\n');
  for (const [args, message] of WRONG_USE) {
    const { code, stderr } = await run(...args);
    assert.equal(code, 2, `${args}: ${stderr}`);
    assert.ok(stderr.includes(message), stderr);
  }
  writeFileSync(join(cwd, 'x.png'), Buffer.alloc(100));
  const binary = await runCommand(['geocode', 'x.png'], { cwd });
  assert.equal(binary.code, 2);
  assert.match(binary.stderr, /^toponym: x\.png: is no table \(/);
  rmSync(join(cwd, 'x.png'));
  const missing = await runCommand(['geocode', 'missing.csv'], { cwd });
  assert.equal(missing.stderr, 'toponym: The table missing.csv cannot be read: no such file or directory.\n');
  const folder = await runCommand(['geocode', '.'], { cwd });
  assert.equal(folder.stderr, 'toponym: The table . cannot be read: a folder, not a file.\n');
  assert.deepEqual(readdirSync(cwd), ['people.csv']);
});
