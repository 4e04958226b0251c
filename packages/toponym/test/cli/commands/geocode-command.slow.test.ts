import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { runCommand } from '../../../../../test/support/command.ts';
import { PROGRAM, testEnvironment } from '../../../../../test/support/environment.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { worldIndex } from '../../../../../test/support/world-index.ts';

test('a second run is refused, and one that was killed goes on without losing or repeating a row', async (context) => {
  const cwd = temporaryFolder(context);
  const cities = ['Berlin', 'Pariss', 'Springfield', 'Londn'];
  // every name is new, so that none is remembered
  const rows = Array.from(
    { length: 5000 },
    (_, i) => `${i},${cities[i % 4]} ${i.toString(36)},${i % 99 ? '' : '"a\nb"'}`,
  );
  writeFileSync(join(cwd, 'a.csv'), `n,city,note\n${rows.join('\n')}\n`);
  const options = ['--index', await worldIndex(), '--threads', '1'];
  const args = (out: string, review: string) => ['geocode', 'a.csv', ...options, '--out', out, '--review', review];
  const child = spawn(process.execPath, [PROGRAM, ...args('b.csv', 'b-review.csv')], { cwd, env: testEnvironment() });
  const ended = Promise.all([once(child, 'exit'), text(child.stderr)]);
  while (child.exitCode === null && !existsSync(join(cwd, 'b.csv.part.json'))) await setTimeout(5);
  child.kill('SIGSTOP'); // so that it does not end before it is killed
  const second = await runCommand(args('b.csv', 'other.csv'), { cwd });
  assert.equal(second.code, 2);
  assert.ok(second.stderr.includes(`b.csv is already being written by process ${child.pid};`), second.stderr);
  child.kill('SIGKILL');
  const [[, signal], errors] = await ended;
  assert.equal(signal, 'SIGKILL', `the run ended before it could be killed: ${errors}`);
  assert.ok(!existsSync(join(cwd, 'b.csv')));
  appendFileSync(join(cwd, 'b.csv.part'), '123,torn');
  const resumed = await runCommand(args('b.csv', 'b-review.csv'), { cwd });
  assert.match(resumed.stderr, /^Resuming after row [\d,]+, where this command was interrupted\.$/m);
  assert.match(resumed.stdout, /^Rows +5,000 in/);
  const whole = await runCommand(args('c.csv', 'c-review.csv'), { cwd });
  assert.doesNotMatch(whole.stderr, /Resuming/);
  for (const name of ['.csv', '-review.csv']) {
    assert.ok(readFileSync(join(cwd, `b${name}`)).equals(readFileSync(join(cwd, `c${name}`))), name);
  }
  assert.deepEqual(readdirSync(cwd).sort(), ['a.csv', 'b-review.csv', 'b.csv', 'c-review.csv', 'c.csv']);
});

test('a run does not go on with the files of another table', async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'a.csv'), 'city\nBerlin\n');
  writeFileSync(join(cwd, 'b.csv.part'), 'city,id\nTokyo,\n');
  writeFileSync(join(cwd, 'b.csv.part.json'), JSON.stringify({ run: 'other', lengths: [8], state: { rows: 1 } }));
  const { stdout, stderr } = await runCommand(['geocode', 'a.csv', '--index', await worldIndex(), '--out', 'b.csv'], {
    cwd,
  });
  assert.match(stdout, /^Rows +1 in/, stderr);
  assert.match(readFileSync(join(cwd, 'b.csv'), 'utf8'), /^city,id,[^\n]*\nBerlin,G2950159,[^\n]*\n$/);
});

test('a pipe gets no byte order mark, and a reader that closes it early ends the run', async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'a.csv'), `\ufeffcity\n${'Berlin\n'.repeat(100_000)}`);
  const command = `"$0" "$1" geocode a.csv --index "$2" | head -n 2`;
  const child = spawn('sh', ['-c', command, process.execPath, PROGRAM, await worldIndex()], {
    cwd,
    env: testEnvironment(),
  });
  const [output, [code]] = await Promise.all([buffer(child.stdout), once(child, 'exit')]);
  assert.equal(code, 0);
  assert.match(output.toString(), /^city,id,[^\n]*\nBerlin,G2950159,[^\n]*\n$/);
});
