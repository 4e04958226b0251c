/** What `query` and `reverse` say about the age of the data, on a real pseudo-terminal and elsewhere. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { PROGRAM, testEnvironment } from '../../support/environment.ts';
import { writeVersion } from '../../support/index-version.ts';
import { outsideProgram } from '../../support/outside-programs.ts';
import { runToponym } from '../../support/running-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { path: python, skip } = outsideProgram('python3');
/** Runs a command on a terminal of its own and prints what it wrote there. */
const ON_TERMINAL = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)';

test('on a terminal, old data are named in a last line; in a pipe and with --json they are not', {
  skip,
}, async (context) => {
  const cwd = temporaryFolder(context);
  const env = { ...testEnvironment(), NO_COLOR: '1' };
  const onTerminal = (...args: string[]) => {
    const command = [process.execPath, PROGRAM, ...args];
    const output = execFileSync(python, ['-c', ON_TERMINAL, ...command], { cwd, env, encoding: 'utf8' });
    return stripVTControlCharacters(output).replaceAll('\r', '').trimEnd().split('\n');
  };
  const [old, young] = [join(cwd, 'old.toponym'), join(cwd, 'young.toponym')];
  await writeVersion(old, 'mine-2020-01-01', ['Alba']);
  await writeVersion(young, `mine-${new Date().toISOString().slice(0, 10)}`, ['Alba']);
  const line = /^Data: mine of 1 January 2020 \(\d[\d.]* years old\), 1 place$/;
  assert.match(onTerminal('query', 'alba', '--index', old).at(-1) ?? '', line);
  assert.match(onTerminal('reverse', '47,2', '--index', old).at(-1) ?? '', line);
  assert.equal(onTerminal('query', 'alba', '--index', young).at(-1), '1 of 1');
  assert.doesNotMatch(onTerminal('query', 'alba', '--index', old, '--json').join('\n'), /Data:/);
  const piped = await runToponym(['query', 'alba', '--index', old], { cwd });
  assert.doesNotMatch(piped.stdout + piped.stderr, /Data:/);
});

test('a hostile data version cannot control the terminal', { skip }, async (context) => {
  const cwd = temporaryFolder(context);
  const index = join(cwd, 'a.toponym');
  await writeVersion(index, '\u001b[31mred-2020-01-01', ['Alba']);
  const command = [process.execPath, PROGRAM, 'query', 'alba', '--index', index];
  const output = execFileSync(python, ['-c', ON_TERMINAL, ...command], {
    cwd,
    env: { ...testEnvironment(), NO_COLOR: '1' },
    encoding: 'utf8',
  });
  assert.ok(output.includes('Data: \\x1b[31mred of 1 January 2020'), output);
});
