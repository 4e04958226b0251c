import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkStateFolder } from '../../../src/cli/doctor/state-folder.ts';
import { stateFolderAt } from '../../../src/serve/state/state-folder.ts';
import { aContext, levelsOf, linesOf } from './a-context.ts';

test('a missing state folder is ok if it can be created', (context) => {
  const doctor = aContext(context);
  assert.match(linesOf(checkStateFolder(doctor))[0] ?? '', /^ok: .* does not exist yet/);
});

test('a file instead of the state folder is a problem', (context) => {
  const doctor = aContext(context);
  writeFileSync(doctor.state.path, '');
  assert.match(linesOf(checkStateFolder(doctor))[0] ?? '', /^problem: .* is not a folder -> Name a folder/);
  const below = { ...doctor, state: stateFolderAt(join(doctor.state.path, 'state')) };
  assert.match(linesOf(checkStateFolder(below))[0] ?? '', /cannot be created in \S+: permission denied -> Create/);
});

test('a folder and secrets that others can use are reported with the command that closes them', (context) => {
  const doctor = aContext(context);
  mkdirSync(doctor.state.path, { mode: 0o700 });
  assert.deepEqual(levelsOf(checkStateFolder(doctor)), ['ok']);
  chmodSync(doctor.state.path, 0o755);
  assert.match(linesOf(checkStateFolder(doctor))[0] ?? '', /^warning: .*may list .* -> Run: chmod 700 /);
  chmodSync(doctor.state.path, 0o777);
  assert.match(linesOf(checkStateFolder(doctor))[0] ?? '', /^problem: .*may write to /);
  chmodSync(doctor.state.path, 0o700);
  writeFileSync(doctor.state.firstKeyPath, 'tpk_', { mode: 0o644 });
  assert.match(linesOf(checkStateFolder(doctor))[0] ?? '', /^problem: .*first-key\.txt -> Run: chmod 600 /);
});
