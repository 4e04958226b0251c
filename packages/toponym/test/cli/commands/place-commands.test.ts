/** What `query`, `reverse` and `get` print on a terminal and elsewhere: hits, age of the data, errors. */
import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { type CommandRun, runCommand } from '../../../../../test/support/command.ts';
import { writeVersion } from '../../../../../test/support/index-version.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { worldIndex } from '../../../../../test/support/world-index.ts';

test('on a terminal, old data is named once a week; in a pipe and with --json never', async (context) => {
  const folder = temporaryFolder(context);
  const [old, young] = [join(folder, 'old.toponym'), join(folder, 'young.toponym')];
  await writeVersion(old, 'mine-2020-01-01', ['Alba']);
  await writeVersion(young, `mine-${new Date().toISOString().slice(0, 10)}`, ['Alba']);
  const env = { NO_COLOR: '1', XDG_CACHE_HOME: folder, LOCALAPPDATA: folder };
  const lastLine = async (...args: string[]) =>
    (await runCommand(args, { columns: 80, env })).stdout.trimEnd().split('\n').at(-1) ?? '';
  const line = /^Data: mine of 1 January 2020 \(\d[\d.]* years old\), 1 place$/;
  assert.equal(await lastLine('query', 'alba', '--index', young), '1 of 1');
  for (const args of [['--json'], []]) {
    const run: CommandRun = args.length === 0 ? { env } : { columns: 80, env };
    const { stdout, stderr } = await runCommand(['query', 'alba', '--index', old, ...args], run);
    assert.doesNotMatch(stdout + stderr, /Data:/);
  }
  assert.match(await lastLine('query', 'alba', '--index', old), line);
  assert.equal(await lastLine('query', 'alba', '--index', old), '1 of 1');
  const eightDaysAgo = Date.now() / 1000 - 8 * 86_400;
  utimesSync(join(folder, 'toponym', 'old-data-noted'), eightDaysAgo, eightDaysAgo);
  assert.match(await lastLine('reverse', '47,2', '--index', old), line);
  assert.equal(await lastLine('reverse', '47,2', '--index', old), '1 of 1');
});

test('on a terminal of 80 columns, query prints a table of at most ten hits; a pipe gets all columns of 20', async () => {
  const index = ['--index', await worldIndex()];
  const onTerminal = async (...args: string[]) =>
    stripVTControlCharacters((await runCommand([...args, ...index], { columns: 80 })).stdout).split('\n');
  const [head = '', ...lines] = await onTerminal('query', '', '--language', 'en');
  assert.match(head, /^ID +PLACE +TYPE +POPULATION +CONFIDENCE$/);
  assert.ok(lines.length <= 16, lines.join('\n'));
  assert.equal(lines.filter((line) => /^[CG]\d+ /.test(line)).length, 10);
  assert.deepEqual(lines.slice(10, 13), ['', '10 of 58', 'More: --hits-per-page 20']);
  const all = await onTerminal('query', '', '--hits-per-page', '20');
  assert.equal(all.filter((line) => /^[CG]\d+ /.test(line)).length, 20);
  assert.ok(!all.some((line) => line.startsWith('More:')));
  const piped = (await runCommand(['query', '', ...index])).stdout.split('\n');
  assert.match(piped[0] ?? '', /^ID +PLACE +TYPE +POPULATION +CONFIDENCE +MATCH +LAT,LNG$/);
  assert.equal(piped.filter((line) => /^[CG]\d+ /.test(line)).length, 20);
  const json = await runCommand(['query', '', ...index, '--json'], { columns: 80 });
  assert.equal(JSON.parse(json.stdout).hits.length, 20);
});

test('reverse prints one place unless more are asked for, and with --json as many as the API', async () => {
  const index = ['--index', await worldIndex()];
  const place = /^[CG]\d+ /gm;
  const printed = async (...args: string[]) =>
    (await runCommand(['reverse', '-33.87,151.21', ...args, ...index])).stdout;
  assert.match(await printed(), /DISTANCE\nG2147714 +Sydney.* \d+ m\n\n1 of 58\n$/);
  assert.equal((await printed('--mode', 'containing')).match(place)?.length, 1);
  assert.equal((await printed('--hits-per-page', '3')).match(place)?.length, 3);
  assert.equal(JSON.parse(await printed('--json')).hits.length, 20);
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

test('an unknown language is accepted', async () => {
  const index = ['--index', await worldIndex()];
  assert.equal((await runCommand(['query', 'paris', '--language', 'xx', ...index])).code, 0);
});
