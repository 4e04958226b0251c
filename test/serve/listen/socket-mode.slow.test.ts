import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { smallIndex } from '../../support/index-version.ts';
import { refusedStart } from '../../support/running-service.ts';
import { startInProcess } from '../../support/service-in-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8);
}

test('behind a proxy the service speaks plain HTTP on a Unix socket, for its owner and group only', async (context) => {
  const socketPath = join(temporaryFolder(context), 'toponym.sock');
  const service = await startInProcess(context, { behindProxy: true, host: `unix:${socketPath}` });
  assert.equal(service.url, `unix:${socketPath}`);
  assert.equal(modeOf(socketPath), '660');
  const [response] = await once(request({ socketPath, path: '/healthz' }).end(), 'response');
  assert.equal(response.statusCode, 200);
  await text(response);
  const state = join(temporaryFolder(context), 'state');
  const args = ['--behind-proxy', '--host', `unix:${socketPath}`, '--state', state, '--index', await smallIndex()];
  const second = await refusedStart(args);
  assert.match(second.stderr, /^toponym: The Unix socket \S+ is in use by Toponym \S+, which serves already\.\n$/);
  await service.drain();
  assert.ok(!existsSync(socketPath));
});

test('socketMode sets the mode of the Unix socket, whatever the umask', async (context) => {
  const socketPath = join(temporaryFolder(context), 'toponym.sock');
  await startInProcess(context, { behindProxy: true, host: `unix:${socketPath}`, socketMode: 0o606 });
  assert.equal(modeOf(socketPath), '606');
});
