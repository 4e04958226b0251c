/** What `query`, `reverse` and `get` print on a terminal and elsewhere: hits, age of the data, errors. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CommandRun, runCommand } from '../../support/command.ts';
import { writeVersion } from '../../support/index-version.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { worldIndex } from '../../support/world-index.ts';

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

test('distances are in metres below one kilometre, and in kilometres above', async (context) => {
  const index = join(temporaryFolder(context), 'a.toponym');
  await writeVersion(index, 'v1', ['Alba']);
  const distanceFrom = async (point: string) =>
    / (\S+ k?m)$/m.exec((await runCommand(['reverse', point, '--index', index])).stdout)?.[1];
  const { hits } = JSON.parse((await runCommand(['reverse', '0,0', '--index', index, '--json'])).stdout);
  const { lat, lng } = hits[0]._geoloc;
  assert.equal(await distanceFrom(`${lat + 0.008},${lng}`), '890 m');
  assert.equal(await distanceFrom(`${lat + 0.036},${lng}`), '4.0 km');
  assert.equal(await distanceFrom(`${lat + 1.8},${lng}`), '200 km');
});

test('get with a name in place of an id names the command that finds it', async () => {
  const index = await worldIndex();
  const { code, stderr } = await runCommand(['get', 'new york', '--index', index]);
  assert.equal(code, 1);
  const advice = "to find a place by its name: toponym query 'new york'";
  assert.equal(stderr, `toponym: ObjectID does not exist: new york; ${advice}\n`);
  const unknown = await runCommand(['get', 'G1', '--index', index]);
  assert.equal(unknown.stderr, 'toponym: ObjectID does not exist: G1\n');
});

test('a malformed language tag is refused, and an unknown one is not', async () => {
  const index = await worldIndex();
  const query = (tag: string) => runCommand(['query', 'paris', '--language', tag, '--index', index]);
  const { code, stderr } = await query('xx-yy-zz12345678901');
  const rule = '--language: must be a language tag such as fr or zh-TW, got "xx-yy-zz12345678901".';
  assert.deepEqual([code, stderr], [2, `toponym: ${rule}\n`]);
  assert.equal((await query('xx')).code, 0);
});

test('a missing file is named without the words of the system call', async (context) => {
  const cwd = temporaryFolder(context);
  const { code, stderr } = await runCommand(['query', 'paris', '--index', 'a.toponym'], { cwd });
  const path = join(cwd, 'a.toponym');
  assert.deepEqual([code, stderr], [2, `toponym: The index ${path} cannot be read: no such file or directory.\n`]);
});
