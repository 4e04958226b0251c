import assert from 'node:assert/strict';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { listenWithMode } from '../../../src/serve/listen/socket-mode.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a socket is accessible to its owner only until its mode is set, and the umask is restored', async (context) => {
  const path = join(temporaryFolder(context), 'toponym.sock');
  const umask = process.umask();
  const server = createServer();
  context.after(() => server.close());
  let modeWhileListening = '';
  await listenWithMode({ path, mode: 0o666 }, async () => {
    server.listen(path);
    await once(server, 'listening');
    modeWhileListening = modeOf(path);
  });
  assert.deepEqual([modeWhileListening, modeOf(path)], ['700', '666']);
  assert.equal(process.umask(), umask);
});

function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8);
}
