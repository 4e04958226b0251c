/** Command lines that are refused: exit code, message, and nothing on standard output. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { embeddedIndexName } from 'toponym-gazetteer/datasets/embedded-index';
import { runCommand } from '../../../../test/support/command.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { worldIndex } from '../../../../test/support/world-index.ts';

/** A line is divided at its spaces. A list of words may contain spaces and empty words. */
type Case = readonly [line: string | readonly string[], message: string | RegExp];

/** A folder with an index of the world, which toponym.json names, a folder and a file. */
async function aFolder(context: TestContext): Promise<string> {
  const cwd = temporaryFolder(context);
  copyFileSync(await worldIndex(), join(cwd, 'w.toponym'));
  writeFileSync(join(cwd, 'toponym.json'), '{"index": "w.toponym"}');
  mkdirSync(join(cwd, 'folder'));
  writeFileSync(join(cwd, 'file'), 'old');
  return cwd;
}

async function assertRefused(cwd: string, code: number, cases: readonly Case[]): Promise<void> {
  const before = readdirSync(cwd);
  for (const [line, message] of cases) {
    const args = typeof line === 'string' ? line.split(' ') : line;
    const { stdout, stderr, code: got } = await runCommand(args, { cwd });
    assert.deepEqual([stdout, got], ['', code], `${line}: ${stderr}`);
    if (typeof message === 'string') assert.equal(stderr, `toponym: ${message}\n`, args.join(' '));
    else assert.match(stderr, message, args.join(' '));
  }
  assert.deepEqual(readdirSync(cwd), before, 'no file is left behind');
}

test('a usage error suggests what was meant and names the help of its command', async (context) => {
  const cases: [line: string, message: string, command: string][] = [
    ['qery paris', 'unknown command "qery"; did you mean query?', ''],
    ['--no-color serv', 'unknown command "serv"; did you mean serve?', ''],
    ['help qurey', 'unknown command "qurey"; did you mean query?', ''],
    ['help keys crate', 'unknown command "crate"; did you mean create?', ' keys'],
    ['help query paris', 'unknown command "paris"', ' query'],
    ['fly', 'unknown command "fly"', ''],
    ['keys crate --label x', 'unknown command "crate"; did you mean create?', ' keys'],
    ['query --hit-per-page 3 x', 'unknown option --hit-per-page; did you mean --hits-per-page?', ' query'],
    ['query x --no-colour', 'unknown option --no-colour; did you mean --no-color?', ' query'],
    ['query x --svg map.svg', 'unknown option --svg', ' query'],
    ['serve --prot=1', 'unknown option --prot; did you mean --port?', ' serve'],
    ['serve --redis-passwort=secret', 'unknown option --redis-passwort', ' serve'],
    ['doctor --prot 1', 'unknown option --prot; did you mean --port?', ' doctor'],
    ['query', 'the argument <text> is missing', ' query'],
    ['keys create', 'the option --label <text> is required', ' keys create'],
    ['get --index', 'the option --index <file> needs a value', ' get'],
  ];
  const withHelp = cases.map(([line, message, of]): Case => [line, `${message}\nSee: npx toponym${of} --help`]);
  await assertRefused(await aFolder(context), 2, [
    ...withHelp,
    [[], /^Usage: toponym /],
    ['get G2988507 G1', /^toponym: too many arguments for 'get'/],
  ]);
});

test('a flag for plain HTTP, or for HTTPS, leads to --behind-proxy', async (context) => {
  const explained = (flag: string): Case => [
    `serve ${flag} 0.0.0.0:80`,
    new RegExp(
      `^toponym: unknown option ${flag}: the service speaks HTTPS, .* --behind-proxy serves plain HTTP to it\\.\n`,
    ),
  ];
  await assertRefused(await aFolder(context), 2, [
    ...['--http', '--https', '--no-tls', '--insecure', '--http-port', '--ssl'].map(explained),
    ['serve --tls-crt x', /^toponym: unknown option --tls-crt; did you mean --tls-cert\?\n/],
    ['query x --http', /^toponym: unknown option --http\n/],
  ]);
});

test('a wrong value is refused in one sentence, with a suggestion if one is close', async (context) => {
  const country = '--country: must be an ISO 3166-1 alpha-2 code such as FR, got';
  await assertRefused(await aFolder(context), 2, [
    ['update --set citis500', /^toponym: --set: .*got "citis500"; did you mean cities500\?\n$/],
    ['update --from geoname', '--from: must be geonames, got "geoname"; did you mean geonames?'],
    ['update --country AND', `${country} "AND"; did you mean AD?`],
    ['build --from osm x --country ZZ --out y', `${country} "ZZ".`],
    ['build --from ndjsn x --out y', /^toponym: --from: .*got "ndjsn"; did you mean ndjson\?\n$/],
    ['build --from geonames --out y', '--from geonames: name at least one file.'],
    ['build --from ndjson x --from osm --out y', '--from osm: name at least one file.'],
    ['build --from geonames missing.txt --out y', /^toponym: --from .*missing\.txt/],
    ['export --type twon', /got "twon"; did you mean town\?\n$/],
    ['export --type metropolis', /^toponym: --type: must be one of city, .*, got "metropolis"\.\n$/],
    ['export --country LI,FRA', `${country} "FRA"; did you mean FR?`],
    ['export --out missing/a', /^toponym: --out .*missing.a cannot be written: no such file or directory/],
    ['keys copy --from sqlit --to redis', /^toponym: --from: .*got "sqlit"; did you mean sqlite\?\n$/],
    ['keys list --redis-mode clutser', /^toponym: --redis-mode: .*got "clutser"; did you mean cluster\?\n$/],
    ['serve --log-level wran', /^toponym: --log-level: .*got "wran"; did you mean warn\?\n$/],
    ['completion tcsh', 'shell: must be one of bash, zsh, fish, got "tcsh".'],
    ['reverse 1,1 --mode contaning', /got "contaning"; did you mean containing\?\n$/],
    ['reverse 1,1 --mode zzz', '--mode: must be nearest or containing, got "zzz".'],
    ['reverse 91,0', 'lat,lng: latitude must be between -90 and 90, got "91,0".'],
    ['query x --type city,vilage', /got "vilage"; did you mean village\?\n$/],
    ['query x --hits-per-page 0', '--hits-per-page: must be an integer of at least 1, got "0".'],
    [
      ['query', 'x', '--around-lat-lng', 'hitsPerPage, got type'],
      '--around-lat-lng: must be latitude and longitude in decimal degrees such as 48.8566,2.3522, got "hitsPerPage, got type".',
    ],
    [
      'query x --inside-bounding-box 47,4,48,5,40,1,41,2',
      '--inside-bounding-box: must be one box of four numbers, got 8 numbers: "47,4,48,5,40,1,41,2".',
    ],
    [
      'query x --around-radius 1',
      '--around-radius: needs a point to measure from; add --around-lat-lng or --around-lat-lng-via-ip.',
    ],
    [`query ${'x'.repeat(513)}`, 'text: must not be longer than 512 bytes of UTF-8, got 513.'],
    [['get', ''], 'id: must be the objectID of a record such as G2988507, got "".'],
    [
      'query x --language xx-yy-z123456789',
      /^toponym: --language: must be a language tag such as fr or zh-TW, got "xx/,
    ],
    ['export --out folder', /^toponym: --out .* cannot be written: it is a folder; name a file in it\.\n$/],
    [
      'export --out w.toponym',
      /^toponym: --out .* cannot be written: it is also an input \(\S+\); name another file\.\n$/,
    ],
    ['query x --index a.toponym', /^toponym: The index \S+a\.toponym cannot be read: no such file or directory\.\n$/],
    [
      'serve --index a.toponym --state folder',
      /^toponym: The index \S+a\.toponym cannot be read: no such file or directory\.\n$/,
    ],
  ]);
});

test('commands other than serve refuse the URL of an index', async (context) => {
  const url = 'https://user@example.com/world.toponym?key=secret';
  const message =
    'The index must be a file, got https://example.com/world.toponym: only "toponym serve" takes a URL. Download the file first.';
  const lines = ['query paris --index', 'reverse 1,2 --index', 'get G1 --index', 'export --index', 'inspect'];
  const cases = lines.map((line): Case => [`${line} ${url}`, message]);
  await assertRefused(await aFolder(context), 2, cases);
});

test('what does not exist, or has no places, exits with 1', async (context) => {
  const cwd = await aFolder(context);
  const none = (places: string) => `the index has no places${places}; nothing was written.`;
  await assertRefused(cwd, 1, [
    ['get G1', 'ObjectID does not exist: G1'],
    [
      ['get', 'new york'],
      "ObjectID does not exist: new york; to find a place by its name: npx toponym query 'new york'",
    ],
    ['serve --index file --state folder', /^toponym: .*file: not a Toponym index.*\n$/],
    ['export --country AQ', none(' in AQ')],
    ['export --country aq,BV --out file', none(' in AQ, BV')],
    ['export --country AQ --type town,village', none(' of type town, village in AQ')],
  ]);
  assert.equal(readFileSync(join(cwd, 'file'), 'utf8'), 'old');
});

test('an export does not replace the embedded index that it reads', async (context) => {
  const cwd = await aFolder(context);
  const path = join(cwd, 'toponym', embeddedIndexName());
  mkdirSync(join(cwd, 'toponym'));
  copyFileSync(join(cwd, 'w.toponym'), path);
  const env = { XDG_CACHE_HOME: cwd, TOPONYM_INDEX: 'embedded' };
  const { code, stderr } = await runCommand(['export', '--out', path], { cwd, env });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /^toponym: --out \S+ cannot be written: it is also an input \(\S+\); name another file\.\n$/);
  assert.deepEqual(readFileSync(path), readFileSync(join(cwd, 'w.toponym')));
});
