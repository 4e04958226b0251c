/** What `query` and `reverse` say about the age of the data, on a terminal and elsewhere. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CommandRun, runCommand } from '../../support/command.ts';
import { writeVersion } from '../../support/index-version.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ON_TERMINAL: CommandRun = { columns: 80, env: { NO_COLOR: '1' } };

test('on a terminal, old data are named in a last line; in a pipe and with --json they are not', async (context) => {
  const folder = temporaryFolder(context);
  const [old, young] = [join(folder, 'old.toponym'), join(folder, 'young.toponym')];
  await writeVersion(old, 'mine-2020-01-01', ['Alba']);
  await writeVersion(young, `mine-${new Date().toISOString().slice(0, 10)}`, ['Alba']);
  const lastLine = async (...args: string[]) =>
    (await runCommand(args, ON_TERMINAL)).stdout.trimEnd().split('\n').at(-1) ?? '';
  const line = /^Data: mine of 1 January 2020 \(\d[\d.]* years old\), 1 place$/;
  assert.match(await lastLine('query', 'alba', '--index', old), line);
  assert.match(await lastLine('reverse', '47,2', '--index', old), line);
  assert.equal(await lastLine('query', 'alba', '--index', young), '1 of 1');
  const json = await runCommand(['query', 'alba', '--index', old, '--json'], ON_TERMINAL);
  const piped = await runCommand(['query', 'alba', '--index', old]);
  for (const { stdout, stderr } of [json, piped]) assert.doesNotMatch(stdout + stderr, /Data:/);
});

test('a hostile data version cannot control the terminal', async (context) => {
  const index = join(temporaryFolder(context), 'a.toponym');
  await writeVersion(index, '\u001b[31mred-2020-01-01', ['Alba']);
  const { stdout } = await runCommand(['query', 'alba', '--index', index], ON_TERMINAL);
  assert.ok(stdout.includes('Data: \\x1b[31mred of 1 January 2020'), stdout);
});
