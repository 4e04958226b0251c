import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCommand } from '../../../../../test/support/command.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { createProgress } from '../../../src/cli/print/progress.ts';
import { hasColor, joinLines, joinText, renderText, styled } from '../../../src/cli/print/styled-text.ts';

const TERMINAL = { isTTY: true };
const PIPE = { isTTY: false };
/**
 * The sequence that clears the screen (7-bit and 8-bit), a bell, line breaks, and characters that
 * change the direction of text.
 */
const HOSTILE = 'A\u001b[2Jb\u009b2Jc\u0007\nd\re\u007ff\u202eg\u2066h\u200fi\u2028j';
const SHOWN = 'A\\x1b[2Jb\\x9b2Jc\\x07\\nd\\re\\x7ff\\u202eg\\u2066h\\u200fi\\u2028j';
// biome-ignore lint/suspicious/noControlCharactersInRegex: asserts their absence
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

test('a terminal gets colours and a pipe does not, unless NO_COLOR, FORCE_COLOR or TERM decides', () => {
  for (const [env, onTerminal, onPipe] of [
    [{}, true, false],
    [{ NO_COLOR: '1' }, false, false],
    [{ NO_COLOR: '0' }, false, false],
    [{ NO_COLOR: '' }, true, false],
    [{ FORCE_COLOR: '1' }, true, true],
    [{ FORCE_COLOR: '0' }, false, false],
    [{ FORCE_COLOR: 'false' }, false, false],
    [{ FORCE_COLOR: '' }, true, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false, false],
    [{ TERM: 'dumb' }, false, false],
    [{ TERM: 'dumb', FORCE_COLOR: '1' }, true, true],
  ] as const) {
    const got = [hasColor({ isTTY: true }, env), hasColor({ isTTY: false }, env)];
    assert.deepEqual(got, [onTerminal, onPipe], JSON.stringify(env));
  }
});

test('styles appear on a terminal and nowhere else', (context) => {
  context.mock.property(process, 'env', { TERM: 'xterm' });
  const text = joinLines([joinText([styled('problem', 'toponym:'), ' failed']), 'plain']);
  assert.equal(renderText(text, TERMINAL), '\u001b[1m\u001b[31mtoponym:\u001b[39m\u001b[22m failed\nplain');
  assert.equal(renderText(text, PIPE), 'toponym: failed\nplain');
  assert.equal(String(text), 'toponym: failed\nplain');
});

test('data cannot send an escape sequence, not even that of a style', (context) => {
  context.mock.property(process, 'env', { TERM: 'xterm' });
  const hostile = '\u001b[31mred\u001b[39m\u009b2J\u0007';
  const shown = '\\x1b[31mred\\x1b[39m\\x9b2J\\x07';
  assert.equal(renderText(hostile, TERMINAL), shown);
  assert.equal(renderText(styled('faint', hostile), TERMINAL), `\u001b[2m${shown}\u001b[22m`);
});

/** Runs commands in a folder with an index whose names, credits and external ids are hostile. */
async function withHostileIndex(context: TestContext) {
  const cwd = temporaryFolder(context);
  const place = {
    id: 'X1',
    name: HOSTILE,
    names: { fr: [`${HOSTILE} fr`] },
    lat: 1,
    lng: 2,
    country: 'LI',
    admin1: HOSTILE,
  };
  const lines = [
    { dataset: { version: 'v1', attribution: [HOSTILE] } },
    place,
    { ...place, id: 'X2', name: `${HOSTILE} 2`, country: 'AT', admin1: `${HOSTILE} 2` },
    { ...place, id: HOSTILE },
    { [HOSTILE]: 1 },
  ];
  writeFileSync(join(cwd, 'own.ndjson'), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n${HOSTILE}\n`);
  const run = async (...args: string[]) => {
    const result = await runCommand(args, { cwd });
    assert.doesNotMatch(result.stdout, CONTROLS, args.join(' '));
    assert.doesNotMatch(result.stderr, CONTROLS, args.join(' '));
    return result;
  };
  const built = await run('build', '--from', 'ndjson', 'own.ndjson', '--out', 'x.toponym');
  return { cwd, run, built };
}

test('control characters in files and names are printed as escapes', async (context) => {
  const { cwd, run, built } = await withHostileIndex(context);
  assert.match(built.stdout, /^Places {5}2$/m);
  assert.ok(built.stdout.includes(`Credit     ${SHOWN}\n`), built.stdout);
  assert.ok(built.stdout.includes('is not valid JSON: A\\x1b[2Jb\\x9b2Jc\\x07\n'), built.stdout);
  const index = ['--index', 'x.toponym'];
  const found = await run('query', 'a', ...index);
  assert.ok(found.stdout.includes(`X1  ${SHOWN}, Liechtenstein`), found.stdout);
  assert.equal(found.stdout.trimEnd().split('\n').length, 5, found.stdout);
  const record = await run('get', 'X1', ...index);
  assert.ok(record.stdout.includes(`Names fr     ${SHOWN} fr\n`), record.stdout);
  const inspected = await run('inspect', 'x.toponym');
  assert.ok(inspected.stdout.includes(`Source   ${SHOWN}\n`), inspected.stdout);
  const json = await run('query', 'a', ...index, '--json');
  assert.equal(JSON.parse(json.stdout).hits[0].name, HOSTILE);
  const exported = await run('export', ...index);
  assert.equal(JSON.parse(exported.stdout.split('\n')[3] ?? '').name, HOSTILE);
  writeFileSync(join(cwd, 'fixes.ndjson'), `{"change":"X1","${HOSTILE.replace('\n', '')}":1}\nnot JSON \u001b[2J`);
  const overlaid = await run('query', 'a', ...index, '--overlay', 'fixes.ndjson');
  assert.equal(overlaid.code, 2);
  assert.match(overlaid.stderr, /fixes\.ndjson:1: .*\n.*fixes\.ndjson:2: not JSON/);
});

test('control characters in file names are escaped in errors and progress', async (context) => {
  const { run } = await withHostileIndex(context);
  const missing = await run('inspect', 'no\u001b[2J.toponym');
  assert.match(missing.stderr, /no\\x1b\[2J\.toponym/);
  const written: string[] = [];
  const stream = { isTTY: false, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  createProgress('Building a\u001b[2J', { stream }).show({ stage: 'reading b\u001b[2J', done: 0 });
  assert.deepEqual(written, ['Building a\\x1b[2J: reading b\\x1b[2J\n']);
});
