import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../../../test/support/command.ts';
import { PROGRAM } from '../../../../test/support/environment.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';

test('a randomly changed index is refused, or runs every query without an exception', () => {
  const runner = fileURLToPath(new URL('./fuzz-run.ts', import.meta.url));
  // a child process with a timeout detects endless loops
  const run = spawnSync(process.execPath, [runner, '1', '100'], { encoding: 'utf8', timeout: 120_000 });
  const lastLine = run.stdout.trimEnd().split('\n').at(-1) ?? '';
  assert.equal(run.status, 0, `at ${lastLine}: ${run.stderr}`);
  const { count, refused } = JSON.parse(lastLine);
  assert.equal(count, 100);
  assert.ok(refused > 25 && refused < 100, `${refused} of 100 refused`);
});

test('anything except a regular file is refused immediately', async (context) => {
  const folder = temporaryFolder(context);
  const paths = { folder: join(folder, 'folder'), pipe: join(folder, 'pipe'), socket: join(folder, 'socket') };
  mkdirSync(paths.folder);
  execFileSync('mkfifo', [paths.pipe]);
  const server = createServer().listen(paths.socket);
  context.after(() => server.close());
  await once(server, 'listening');
  for (const kind of ['folder', 'socket'] as const) {
    const { stderr, code } = await runCommand(['inspect', paths[kind]]);
    assert.deepEqual([code, stderr], [1, `toponym: ${paths[kind]}: a ${kind}, not an index file\n`]);
  }
  // a child process with a timeout, because reading these never ends
  for (const [kind, path] of Object.entries({ pipe: paths.pipe, device: '/dev/zero' })) {
    const run = spawnSync(process.execPath, [PROGRAM, 'inspect', path], { encoding: 'utf8', timeout: 60_000 });
    assert.deepEqual([run.status, run.stderr], [1, `toponym: ${path}: a ${kind}, not an index file\n`]);
  }
});
