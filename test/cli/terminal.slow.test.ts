/** Commands on a real pseudo-terminal: colours, widths, progress and Ctrl-C. */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { displayWidth } from '../../src/cli/print/display-width.ts';
import { serveIndex } from '../serve/remote/index-server.ts';
import { builtIndex } from '../support/built-index.ts';
import { python, runOnTerminal } from '../support/on-terminal.ts';
import { runToponym } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { skip } = python;
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches the start of escape sequences
const ESCAPE = /\u001b/;
const MATCH = '\u001b[1m\u001b[35mSpringf\u001b[39m\u001b[22mield';
const RED_NAME = '\u001b[1m\u001b[31mtoponym:\u001b[39m\u001b[22m';
const CLEAR_LINE = '\r\u001b[2K';

async function folderWithIndex(context: TestContext): Promise<string> {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'toponym.json'), JSON.stringify({ index: await builtIndex() }));
  return cwd;
}

test('query highlights the matched part of each name on a terminal', { skip }, async (context) => {
  const cwd = await folderWithIndex(context);
  const { stdout, code } = await runOnTerminal(['query', 'springf'], { cwd, columns: 120 });
  assert.equal(code, 0);
  assert.ok(stdout.includes(MATCH), stdout);
});

test('colours are off with --no-color before and after the command, NO_COLOR and TERM=dumb', {
  skip,
}, async (context) => {
  const cwd = await folderWithIndex(context);
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
    const { stdout } = await runOnTerminal(args, { cwd, env });
    assert.ok(stdout.length > 0);
    assert.doesNotMatch(stdout, ESCAPE, args.join(' '));
  }
});

test('standard output and standard error are judged separately', { skip }, async (context) => {
  const cwd = await folderWithIndex(context);
  const found = await runOnTerminal(['query', 'springf'], { cwd, streams: 'stderr' });
  assert.match(found.stdout, /^ID +PLACE/);
  assert.doesNotMatch(found.stdout, ESCAPE);
  const wrong = await runOnTerminal(['get', 'G1', '--json'], { cwd, streams: 'stderr' });
  assert.deepEqual(wrong, { stdout: '', stderr: `${RED_NAME} ObjectID does not exist: G1\n`, code: 1 });
  const forced = await runToponym(['query', 'springf'], { cwd, env: { FORCE_COLOR: '1' } });
  assert.ok(forced.stdout.includes(MATCH), forced.stdout);
});

test('help titles are bold on a terminal', { skip }, async () => {
  for (const args of [['--help'], ['keys', 'list', '--help']]) {
    const { stdout } = await runOnTerminal(args);
    for (const title of ['Usage:', 'Options:', 'Examples:']) assert.ok(stdout.includes(`\u001b[1m${title}\u001b[22m`));
  }
});

test('data cannot colour the terminal', { skip }, async (context) => {
  const cwd = temporaryFolder(context);
  const name = 'Ham\u001b[31mburg\u009b1m';
  writeFileSync(join(cwd, 'own.ndjson'), `${JSON.stringify({ id: 'X1', name, lat: 1, lng: 2, country: 'LI' })}\n`);
  await runToponym(['build', '--from', 'ndjson', 'own.ndjson', '--out', 'x.toponym'], { cwd });
  for (const args of [
    ['query', 'ham'],
    ['get', 'X1'],
    ['reverse', '1,2'],
  ]) {
    const { stdout } = await runOnTerminal([...args, '--index', 'x.toponym'], { cwd });
    const shown = stripVTControlCharacters(stdout);
    assert.ok(shown.includes('Ham\\x1b[31mburg\\x9b1m'), stdout);
    assert.ok(!stdout.includes('\u001b[31m'), stdout);
  }
});

test('output fits terminals of 40, 80 and 120 columns, without trailing spaces', { skip }, async (context) => {
  const cwd = await folderWithIndex(context);
  copyFileSync(await builtIndex(), join(cwd, 'w.toponym'));
  const place = { id: 'X1', name: '東京', lat: 1, lng: 2, country: 'LI' };
  writeFileSync(join(cwd, 'own.ndjson'), `${JSON.stringify(place)}\n{"id":"${'x'.repeat(20)} ${'y '.repeat(40)}"}\n`);
  const label = 'A label that is rather long: 東京のキー, for the import of places';
  const origins = ['https://example.com', 'https://www.example.com', 'https://other.example.org'];
  await runToponym(['keys', 'create', '--label', label, '--origin', ...origins], { cwd });
  for (const columns of [40, 80, 120]) {
    for (const args of [
      ['query', 'saint-germain'],
      ['query', '東京', '--language', 'ja'],
      ['reverse', '54.36,10.11', '--mode', 'containing'],
      ['get', 'G1850147'],
      ['keys', 'list'],
      ['keys', 'audit'],
      ['doctor'],
      ['inspect', 'w.toponym'],
      ['build', '--from', 'ndjson', 'own.ndjson', '--out', 'o.toponym'],
      ['serve', '--help'],
    ]) {
      const { stdout } = await runOnTerminal(args, { cwd, columns });
      const shown = stripVTControlCharacters(stdout.slice(stdout.lastIndexOf(CLEAR_LINE) + 1));
      for (const line of shown.replace('\r', '').split('\n')) {
        // a path stays whole so that it can be copied
        const hasLongPath = line.split(' ').some((word) => word.includes('/') && displayWidth(word) > columns - 24);
        assert.ok(displayWidth(line) <= columns || hasLongPath, `${columns} ${args}: ${line}`);
        assert.equal(line, line.trimEnd(), `${columns} ${args}`);
      }
    }
  }
});

test('the first use of the embedded places shows a bar, which Ctrl-C clears', { skip }, async (context) => {
  const cwd = temporaryFolder(context);
  const env = { XDG_CACHE_HOME: cwd };
  for (const args of [['query', 'paris'], ['serve']]) {
    const { stdout, code } = await runOnTerminal(args, { cwd, env, interruptAfter: 'indexing names' });
    assert.match(stdout, /^Indexing the embedded places\. This is done once; later starts use the index\.\n\r/);
    assert.ok(stdout.endsWith(`^C${CLEAR_LINE}`), JSON.stringify(stdout.slice(-200)));
    assert.equal(code, args[0] === 'serve' ? 0 : 130);
  }
});

test('the download of an index at a URL shows a bar, which Ctrl-C clears', { skip }, async (context) => {
  const server = await serveIndex(context);
  server.respond((_request, response) => {
    response.writeHead(200, { 'content-length': 50e6, etag: '"one"' });
    const timer = setInterval(() => response.write(Buffer.alloc(100_000)), 20);
    response.on('close', () => clearInterval(timer));
  });
  const args = ['serve', '--state', join(temporaryFolder(context), 'state'), '--index', server.url.href];
  const { stdout, code } = await runOnTerminal(args, { env: server.env, interruptAfter: ' left' });
  assert.match(
    stripVTControlCharacters(stdout),
    /\rdownloading {2}░+ {3}\d% {2}\d\.\d of 50\.0 MB {2}\d+\.\d MB\/s {2}.* left/,
  );
  assert.ok(stdout.endsWith(`^C${CLEAR_LINE}`), JSON.stringify(stdout.slice(-200)));
  assert.equal(code, 0);
});

test('Ctrl-C clears the bar of a build, and a failed build clears it too', { skip }, async (context) => {
  const cwd = temporaryFolder(context);
  const line = (i: number) => JSON.stringify({ id: `X${i}`, name: `Place ${i}`, lat: i / 2000, lng: 2, country: 'LI' });
  writeFileSync(join(cwd, 'many.ndjson'), Array.from({ length: 100_000 }, (_, i) => line(i)).join('\n'));
  const build = ['build', '--from', 'ndjson', 'many.ndjson', '--out', 'x.toponym'];
  const stopped = await runOnTerminal(build, { cwd, interruptAfter: 'reading rows' });
  assert.equal(stopped.code, 130);
  assert.ok(stopped.stdout.endsWith(`^C${CLEAR_LINE}`), JSON.stringify(stopped.stdout.slice(-200)));
  const packed = gzipSync(readFileSync(join(cwd, 'many.ndjson')));
  writeFileSync(join(cwd, 'cut.ndjson.gz'), packed.subarray(0, packed.length / 2));
  const failed = await runOnTerminal(['build', '--from', 'ndjson', 'cut.ndjson.gz', '--out', 'x.toponym'], { cwd });
  assert.equal(failed.code, 2);
  const [bar = '', message = ''] = failed.stdout.split(`${CLEAR_LINE}${RED_NAME}`);
  assert.match(bar, /reading rows/);
  assert.match(message, /^ --from .*cut\.ndjson\.gz.*\n$/);
  const built = await runOnTerminal(build, { cwd });
  assert.ok(built.stdout.includes(`${CLEAR_LINE}\u001b[2mWrote\u001b[22m`), JSON.stringify(built.stdout.slice(0, 900)));
});
