import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openPartFiles } from '../../src/geocode/part-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The paths of two files whose run stopped after a checkpoint at row 1. */
function interrupted(context: TestContext): [string, string] {
  const cwd = temporaryFolder(context);
  const paths: [string, string] = [join(cwd, 'a.csv'), join(cwd, 'b.csv')];
  const files = openPartFiles<number>(paths, 'run');
  files.write(0, 'one\n');
  files.write(1, 'two\n');
  files.save(1);
  files.write(0, 'torn');
  return paths;
}

test('the same run goes on at its checkpoint', (context) => {
  const paths = interrupted(context);
  const files = openPartFiles<number>(paths, 'run');
  assert.equal(files.saved, 1);
  files.write(0, 'more\n');
  files.finish();
  assert.deepEqual(
    paths.map((path) => readFileSync(path, 'utf8')),
    ['one\nmore\n', 'two\n'],
  );
  assert.ok(!existsSync(`${paths[0]}.part.json`));
});

test('a run whose parts are missing begins again', (context) => {
  for (const missing of [[0], [1], [0, 1]]) {
    const paths = interrupted(context);
    for (const i of missing) rmSync(`${paths[i]}.part`);
    const files = openPartFiles<number>(paths, 'run');
    assert.equal(files.saved, undefined);
    files.finish();
    assert.deepEqual(
      paths.map((path) => readFileSync(path, 'utf8')),
      ['', ''],
    );
  }
});

test('a run that begins again makes the checkpoint of another one invalid', (context) => {
  const paths = interrupted(context);
  openPartFiles<number>(paths, 'other').write(0, 'another text');
  assert.equal(openPartFiles<number>(paths, 'run').saved, undefined);
});

test('a run that fails while it renames its files leaves no checkpoint', (context) => {
  const paths = interrupted(context);
  const files = openPartFiles<number>(paths, 'run');
  mkdirSync(paths[1]);
  assert.throws(() => files.finish(), { code: 'EISDIR' });
  assert.equal(openPartFiles<number>(paths, 'run').saved, undefined);
});
