/**
 * The tests that depend on users, file modes and outside programs, run again as a user without rights,
 * with a strict umask, in a folder that only he can enter, and without programs that a slim image lacks.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  globSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { builtIndex } from '../support/built-index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A user id without a name. */
const USER = 54_321;
const MISSING = ['git', 'openssl', 'python3', 'setpriv', 'unshare'];
/** What the tests contain; of slow ones only those that change modes, or skip tests. */
const DEPENDENT = /skipUser|skipUnprivileged|chmodSync|outsideProgram|operatorName/;
const HAS_MODE = /0o[0-7]{3}/;
/** What the copy lacks, as a slim image or a downloaded archive does. */
const NOT_COPIED = new Set(['.git', 'node_modules', 'state']);

test('tests pass for a user without rights, in his private folder, with few programs', {
  skip: process.getuid?.() === 0 ? false : 'only root can become another user',
}, async (context) => {
  const folder = join(openFolder(context), 'home');
  mkdirSync(folder, { mode: 0o700 });
  const clone = copyOfClone(folder, await builtIndex());
  const files = globSync('{packages/*/test,test}/**/!(*.outside).test.ts', { cwd: ROOT }).filter((file) => {
    const content = readFileSync(join(ROOT, file), 'utf8');
    return DEPENDENT.test(content) || (!file.endsWith('.slow.test.ts') && HAS_MODE.test(content));
  });
  assert.ok(files.length > 15, `${files.length} test files`);
  giveTo(USER, folder);
  const { NODE_TEST_CONTEXT: _nested, TOPONYM_TEST_RUN: _run, ...inherited } = process.env;
  const env = { ...inherited, HOME: folder, PATH: fewPrograms(context), XDG_CONFIG_HOME: join(folder, '.config') };
  const words = ['-c', 'umask 077; exec "$0" "$@"', process.execPath, 'scripts/test.ts', ...files];
  const child = spawn('/bin/sh', words, { cwd: clone, uid: USER, gid: USER, env, stdio: ['ignore', 'pipe', 'pipe'] });
  context.after(() => child.kill());
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  assert.equal(code, 0, `${output.slice(-10_000)}${errors}`);
  assert.match(output, /^\d+ passed, 0 failed, \d+ skipped$/m);
});

/** A copy of the clone; its packages and the index are the same files in folders of its own, so that caches can be written. */
function copyOfClone(folder: string, index: string): string {
  const clone = join(folder, 'clone');
  cpSync(ROOT, clone, { recursive: true, filter: (source) => !NOT_COPIED.has(basename(source)) });
  for (const packages of ['node_modules', 'web/node_modules']) {
    const names = readdirSync(join(ROOT, packages)).filter((name) => name !== '.cache');
    const target = join(clone, packages);
    mkdirSync(target);
    const { status, stderr } = spawnSync('cp', ['-al', ...names, target], {
      cwd: join(ROOT, packages),
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  }
  const linked = join(clone, relative(ROOT, index));
  mkdirSync(dirname(linked), { recursive: true });
  linkSync(index, linked);
  return clone;
}

/** Gives the folder and everything in it to the user, but for files that the clone shares. */
function giveTo(uid: number, folder: string): void {
  chownSync(folder, uid, uid);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || (entry.isFile() && !relative(folder, path).includes('node_modules')))
      chownSync(path, uid, uid);
  }
}

/** A folder for PATH with all programs of this machine but those that are missing elsewhere. */
function fewPrograms(context: TestContext): string {
  const programs = openFolder(context);
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of globSync('*', { cwd: folder })) {
      if (MISSING.includes(name)) continue;
      try {
        symlinkSync(join(folder, name), join(programs, name));
      } catch {
        // an earlier folder of PATH has it
      }
    }
  return programs;
}

/** A temporary folder that every user may enter. */
function openFolder(context: TestContext): string {
  const folder = temporaryFolder(context);
  chmodSync(folder, 0o755);
  return folder;
}
