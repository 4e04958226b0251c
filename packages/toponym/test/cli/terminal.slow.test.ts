/** The program on a real pseudo-terminal. What it prints there is tested in terminal.test.ts. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { builtIndex } from '../../../../test/support/built-index.ts';
import { runCommand } from '../../../../test/support/command.ts';
import { python, runOnTerminal } from '../../../../test/support/on-terminal.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { worldIndex } from '../../../../test/support/world-index.ts';
import { serveIndex } from '../../../gazetteer/test/datasets/mirror/index-server.ts';

const { skip } = python;
const CLEAR_LINE = '\r\u001b[2K';

test('the program prints on a terminal what it prints inside the tests', { skip }, async () => {
  const env = { TOPONYM_INDEX: await worldIndex() };
  const query = ['query', 'springf'];
  const { stdout, code } = await runCommand(query, { env, columns: 50 });
  assert.deepEqual(await runOnTerminal(query, { env, columns: 50 }), { stdout, stderr: '', code });
  const get = ['get', 'G1', '--json'];
  const options = { env, columns: 50, streams: 'stderr' } as const;
  assert.deepEqual(await runOnTerminal(get, options), await runCommand(get, options));
});

test('the first use of the embedded places shows its progress until Ctrl-C', { skip }, async (context) => {
  const cwd = temporaryFolder(context);
  const env = { XDG_CACHE_HOME: cwd };
  const { stdout, code } = await runOnTerminal(['query', 'paris'], { cwd, env, interruptAfter: 'reading' });
  assert.match(stdout, /^Indexing the embedded places\. This is done once; later starts use the index\.\n\r/);
  assert.equal(code, 130);
});

test('the download of an index at a URL shows its progress, which Ctrl-C clears', { skip }, async (context) => {
  const server = await serveIndex(context);
  server.respond((_request, response) => {
    response.writeHead(200, { 'content-length': 50e6, etag: '"one"' });
    const timer = setInterval(() => response.write(Buffer.alloc(10_000)), 20);
    response.on('close', () => clearInterval(timer));
  });
  const args = ['serve', '--state', join(temporaryFolder(context), 'state'), '--index', server.url.href];
  const { stdout, code } = await runOnTerminal(args, { env: server.env, interruptAfter: ' left' });
  assert.match(stripVTControlCharacters(stdout), /\rdownloading \d+%, .* left, \d+\.\d of 50\.0 MB, \d+\.\d MB\/s/);
  assert.ok(stdout.endsWith(`^C${CLEAR_LINE}`), JSON.stringify(stdout.slice(-200)));
  assert.equal(code, 0);
});

test('Ctrl-C ends a build while it reads and sorts, and an export to a file, with one line of progress', {
  skip,
}, async (context) => {
  const cwd = temporaryFolder(context);
  const row = (i: number) => `{"id":"X${i}","name":"A${i % 5000}","lat":1,"lng":2,"country":"LI"}\n`;
  writeFileSync(join(cwd, 'many.ndjson'), Array.from({ length: 100_000 }, (_, i) => row(i)).join(''));
  const build = ['build', '--from', 'ndjson', 'many.ndjson', '--out', 'x.toponym'];
  const exportAll = ['export', '--index', await builtIndex(), '--out', 'all.ndjson'];
  for (const [args, interruptAfter] of [
    [build, 'reading rows'],
    [build, 'sorting'],
    [exportAll, 'Exporting'],
  ] as const) {
    const { stdout, code } = await runOnTerminal(args, { cwd, interruptAfter });
    assert.equal(code, 130, interruptAfter);
    assert.ok(!stdout.includes('\n'), JSON.stringify(stdout));
  }
});
