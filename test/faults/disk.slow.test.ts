/**
 * Disks that are full or read-only. A volume of 64 KiB is mounted in a separate namespace, which
 * ends with the test; if the system does not allow that, the tests are skipped.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder.ts';

const WRITE_ONCE = fileURLToPath(new URL('./write-once.ts', import.meta.url));

/** Runs shell commands in a volume with an index of 8 KiB; `write N` writes one of N bytes. */
function inSmallVolume(folder: string, commands: string) {
  const script = [
    'set -e',
    `mount -t tmpfs -o size=64k tmpfs "${folder}"`,
    `cd "${folder}"`,
    `write() { "${process.execPath}" "${WRITE_ONCE}" "${folder}/a.toponym" "$1"; }`,
    'write 8192',
    'set +e',
    commands,
  ].join('\n');
  return spawnSync('unshare', ['--map-root-user', '--mount', 'bash', '-c', script], { encoding: 'utf8' });
}

const canMount = spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0;
const skip = canMount ? false : 'this system does not let the test mount a small volume';

test('on a full disk the error says so, and only the old index remains', { skip }, (t) => {
  const { stdout, stderr } = inSmallVolume(temporaryFolder(t), 'write 100000; ls -A; stat -c %s a.toponym');
  assert.match(stderr, /ENOSPC: no space left on device/);
  assert.deepEqual(stdout.trim().split('\n'), ['a.toponym', '8192']);
});

test('on a read-only disk the error says so, and the old index remains', { skip }, (t) => {
  const commands = 'mount -o remount,bind,ro "$PWD"; write 9000; ls -A; stat -c %s a.toponym';
  const { stdout, stderr } = inSmallVolume(temporaryFolder(t), commands);
  assert.match(stderr, /EROFS: read-only file system, open '.*\.tmp'/);
  assert.deepEqual(stdout.trim().split('\n'), ['a.toponym', '8192']);
});
