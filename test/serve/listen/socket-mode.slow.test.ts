import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeVersion } from '../../support/index-version.ts';
import { runService } from '../../support/running-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The mode of the socket of a running service. */
async function socketModeOf(context: TestContext, args: readonly string[]): Promise<string> {
  const folder = temporaryFolder(context);
  const index = join(folder, 'data.toponym');
  const socket = join(folder, 'toponym.sock');
  await writeVersion(index, 'one', ['Alba']);
  await runService(context, { index, args: ['--behind-proxy', '--host', `unix:${socket}`, ...args] });
  return modeOf(socket);
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8);
}

test('a Unix socket is accessible to its owner and group only', async (context) => {
  assert.equal(await socketModeOf(context, []), '660');
});

test('--socket-mode sets the mode of the Unix socket, whatever the umask', async (context) => {
  assert.equal(await socketModeOf(context, ['--socket-mode', '0606']), '606');
});
