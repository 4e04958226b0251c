import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { commandName } from '../src/program.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/toponym.js', import.meta.url));

test('commands to paste begin with npx only if the program is not in PATH', (context) => {
  const folder = temporaryFolder(context);
  const [installed, ofNpx] = [join(folder, 'bin'), join(folder, 'node_modules', '.bin')];
  for (const path of [installed, ofNpx]) {
    mkdirSync(path, { recursive: true });
    symlinkSync(PROGRAM, join(path, 'toponym'));
  }
  assert.equal(commandName(['/missing', installed].join(delimiter)), 'toponym');
  assert.equal(commandName(['', ofNpx].join(delimiter)), 'npx toponym');
  assert.equal(commandName(''), 'npx toponym');
});
