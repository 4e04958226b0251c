import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { openPartFiles } from '../../src/geocode/part-files.ts';

const RUN = { run: 'run', mode: 0o600 };

/** The paths of two files whose run stopped after a checkpoint at row 1. */
function interrupted(context: TestContext): [string, string] {
  const cwd = temporaryFolder(context);
  const paths: [string, string] = [join(cwd, 'a.csv'), join(cwd, 'b.csv')];
  using files = openPartFiles<number>(paths, RUN);
  files.write(0, 'one\n');
  files.write(1, 'two\n');
  files.save(1);
  files.write(0, 'torn');
  return paths;
}

test('the same run goes on at its checkpoint', (context) => {
  const paths = interrupted(context);
  using files = openPartFiles<number>(paths, RUN);
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
    using files = openPartFiles<number>(paths, RUN);
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
  {
    using other = openPartFiles<number>(paths, { ...RUN, run: 'other' });
    other.write(0, 'another text');
  }
  using files = openPartFiles<number>(paths, RUN);
  assert.equal(files.saved, undefined);
});

test('a run that fails while it renames its files leaves no checkpoint', (context) => {
  const paths = interrupted(context);
  {
    using files = openPartFiles<number>(paths, RUN);
    mkdirSync(paths[1]);
    assert.throws(() => files.finish(), { code: 'EISDIR' });
  }
  using files = openPartFiles<number>(paths, RUN);
  assert.equal(files.saved, undefined);
});

test('one run at a time writes a file, also in a folder with two names', (context) => {
  const cwd = temporaryFolder(context);
  mkdirSync(join(cwd, 'folder'));
  symlinkSync('folder', join(cwd, 'link'));
  const [out, review, other] = ['out.csv', 'review.csv', 'other.csv'].map((name) => join(cwd, 'folder', name));
  const open = (...paths: string[]) => openPartFiles(paths, RUN);
  {
    using first = open(out!, review!);
    first.write(0, 'first\n');
    const refusal = (path: string) => ({
      name: 'UsageError',
      message: `${path} is already being written by process ${process.pid}; wait until it ends, or name another file.`,
    });
    const linked = join(cwd, 'link', 'out.csv');
    assert.throws(() => open(linked), refusal(linked));
    assert.throws(() => open(other!, review!), refusal(review!));
    open(other!)[Symbol.dispose](); // the refused run has left it
    first.finish();
  }
  assert.equal(readFileSync(out!, 'utf8'), 'first\n');
  assert.deepEqual(readdirSync(join(cwd, 'folder')).sort(), ['other.csv.part', 'out.csv', 'review.csv']);
  open(out!)[Symbol.dispose]();
});

test('all files of a run have its permissions, whatever the umask', (context) => {
  const paths = interrupted(context);
  for (const mode of [0o600, 0o664]) {
    const before = process.umask(0o022);
    using files = openPartFiles<number>(paths, { run: 'run', mode });
    files.save(1);
    process.umask(before);
    const modes = ['.part', '.part.json'].map((end) => statSync(`${paths[0]}${end}`).mode & 0o777);
    assert.deepEqual(modes, [mode, mode & ~0o022]);
  }
});
