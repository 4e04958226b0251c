import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from '../../../src/cli/print/text-width.ts';
import { runCommand } from '../../support/command.ts';
import { worldIndex } from '../../support/world-index.ts';

test('explain says how the query was understood, and why each hit is above the next', async () => {
  const args = ['explain', 'springfield', 'il', '--index', await worldIndex()];
  const { stdout, stderr, code } = await runCommand(args, { env: { LC_ALL: 'C.UTF-8' } });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^“springfield il”\nSome words are the name, the others are its region\.\n/);
  assert.match(stdout, /^ 1 {2}Springfield, Illinois, United States +█+ +0\.59$/m);
  const plain = await runCommand(args, { env: { LC_ALL: 'C' } });
  assert.match(plain.stdout, /^ 1 {2}Springfield, Illinois, United States +#+ +0\.59$/m);
});

test('explain --json prints the response of the API with the ranking information', async () => {
  const given = ['paris', '--type', 'city', '--around-lat-lng', '33.6,-95.5', '--index', await worldIndex(), '--json'];
  const explained = JSON.parse((await runCommand(['explain', ...given])).stdout);
  const queried = JSON.parse((await runCommand(['query', ...given, '--get-ranking-info'])).stdout);
  assert.deepEqual({ ...explained, processingTimeMS: 0 }, { ...queried, processingTimeMS: 0 });
  assert.equal(typeof explained.hits[0]._rankingInfo.criteria.score, 'number');
});

test('a wrong flag value is refused, as by query', async () => {
  const { stderr, code } = await runCommand(['explain', 'x', '--type', 'metropolis']);
  assert.equal(code, 2);
  assert.match(stderr, /^toponym: --type: must be one of city, town,.*got "metropolis"\.\n$/);
});

test('in a terminal, no line is wider than 40, 80 or 120 columns', async () => {
  const args = ['explain', 'san', 'jose', '--index', await worldIndex()];
  for (const columns of [40, 80, 120]) {
    const { stdout } = await runCommand(args, { columns });
    const widths = stripVTControlCharacters(stdout).split('\n').map(displayWidth);
    assert.ok(widths.length > 30, stdout);
    const widest = Math.max(...widths);
    assert.ok(widest <= columns && widest > columns * 0.9, `${columns}: the widest line has ${widest} columns`);
  }
});
