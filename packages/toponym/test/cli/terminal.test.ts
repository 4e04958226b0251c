/** Commands whose output is a terminal: colours, widths and progress. */
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type CommandRun, runCommand } from '../../../../test/support/command.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { worldIndex } from '../../../../test/support/world-index.ts';
import { displayWidth } from '../../src/cli/print/text-width.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches the start of escape sequences
const ESCAPE = /\u001b/;
const MATCH = '\u001b[1m\u001b[35mSpringf\u001b[39m\u001b[22mield';
const RED_NAME = '\u001b[1m\u001b[31mtoponym:\u001b[39m\u001b[22m';
const CLEAR_LINE = '\r\u001b[2K';

/** Runs a command with the index of the world on a terminal, by default of 80 columns. */
async function onTerminal(args: readonly string[], { env, ...run }: CommandRun = {}) {
  return await runCommand(args, { columns: 80, ...run, env: { TOPONYM_INDEX: await worldIndex(), ...env } });
}

test('colours are off with --no-color before and after the command, NO_COLOR and TERM=dumb', async () => {
  for (const [args, env] of [
    [['--no-color', 'query', 'springf'], {}],
    [['query', '--no-color', 'springf'], {}],
    [['query', 'springf', '--no-color'], { FORCE_COLOR: '1' }],
    [['query', 'springf'], { NO_COLOR: '1' }],
    [['query', 'springf'], { TERM: 'dumb' }],
    [['query', 'springf', '--json'], { FORCE_COLOR: '1' }],
    [['--no-color', '--help'], {}],
    [['serv', '--no-color'], {}],
    [['--no-color', 'serve', '--port', 'x'], {}],
  ] as const) {
    const { stdout, stderr } = await onTerminal(args, { env });
    assert.ok(stdout.length + stderr.length > 0);
    assert.doesNotMatch(stdout + stderr, ESCAPE, args.join(' '));
  }
});

test('standard output and standard error are judged separately', async () => {
  const found = await onTerminal(['query', 'springf'], { streams: 'stderr' });
  assert.match(found.stdout, /^ID +PLACE/);
  assert.doesNotMatch(found.stdout, ESCAPE);
  const wrong = await onTerminal(['get', 'G1', '--json'], { streams: 'stderr' });
  assert.deepEqual(wrong, { stdout: '', stderr: `${RED_NAME} ObjectID does not exist: G1\n`, code: 1 });
  const forced = await runCommand(['query', 'springf', '--index', await worldIndex()], { env: { FORCE_COLOR: '1' } });
  assert.ok(forced.stdout.includes(MATCH), forced.stdout);
});

test('help titles are bold on a terminal', async () => {
  for (const args of [['--help'], ['keys', 'list', '--help']]) {
    const { stdout } = await onTerminal(args);
    for (const title of ['Usage:', 'Options:', 'Examples:']) assert.ok(stdout.includes(`\u001b[1m${title}\u001b[22m`));
  }
});

test('output fits terminals of 40, 80 and 120 columns, without trailing spaces', async (context) => {
  const cwd = temporaryFolder(context);
  copyFileSync(await worldIndex(), join(cwd, 'w.toponym'));
  const place = { id: 'X1', name: '東京', lat: 1, lng: 2, country: 'LI' };
  writeFileSync(join(cwd, 'own.ndjson'), `${JSON.stringify(place)}\n{"id":"${'x'.repeat(20)} ${'y '.repeat(40)}"}\n`);
  const label = 'A label that is rather long: 東京のキー, for the import of places';
  const origins = ['https://example.com', 'https://www.example.com', 'https://other.example.org'];
  await runCommand(['keys', 'create', '--label', label, '--origin', ...origins], { cwd });
  for (const columns of [40, 80, 120]) {
    for (const args of [
      ['query', 'saint-germain'],
      ['query', '東京', '--language', 'ja'],
      ['reverse', '54.36,10.11', '--mode', 'containing'],
      ['get', 'G1850147'],
      ['explain', 'san', 'jose'],
      ['keys', 'list'],
      ['keys', 'audit'],
      ['inspect', 'w.toponym'],
      ['build', '--from', 'ndjson', 'own.ndjson', '--out', 'o.toponym'],
      ['serve', '--help'],
    ]) {
      const { stdout } = await onTerminal(args, { cwd, columns });
      for (const line of stripVTControlCharacters(stdout).split('\n')) {
        // a path stays whole so that it can be copied
        const hasLongPath = line.split(' ').some((word) => word.includes('/') && displayWidth(word) > columns - 24);
        assert.ok(displayWidth(line) <= columns || hasLongPath, `${columns} ${args}: ${line}`);
        assert.equal(line, line.trimEnd(), `${columns} ${args}`);
      }
    }
  }
});

test('a build shows its progress and clears it at the end, also if it fails', async (context) => {
  const cwd = temporaryFolder(context);
  // the first progress appears after 10,000 rows
  const row = (i: number) => JSON.stringify({ id: `X${i}`, name: 'A', lat: 1, lng: 2, country: 'LI' });
  const packed = gzipSync(Array.from({ length: 11_000 }, (_, i) => row(i)).join('\n'));
  writeFileSync(join(cwd, 'cut.ndjson.gz'), packed.subarray(0, -20));
  writeFileSync(join(cwd, 'one.ndjson'), row(1));
  const build = (file: string) => onTerminal(['build', '--from', 'ndjson', file, '--out', 'x.toponym'], { cwd });
  const failed = await build('cut.ndjson.gz');
  assert.equal(failed.code, 2);
  const [progress = '', message = ''] = failed.stderr.split(`${CLEAR_LINE}${RED_NAME}`);
  assert.match(progress, /reading rows/);
  assert.match(message, /^ --from .*cut\.ndjson\.gz.*\n$/);
  const built = await build('one.ndjson');
  assert.match(built.stderr, /writing/);
  assert.ok(built.stderr.endsWith(CLEAR_LINE), JSON.stringify(built.stderr.slice(-200)));
  assert.ok(built.stdout.startsWith('\u001b[2mWrote\u001b[22m'), built.stdout);
});
