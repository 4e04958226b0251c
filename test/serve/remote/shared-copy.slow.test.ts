/** Two services that share a state folder, and so the copy of an index at a URL. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { ensureCertificate } from '../../../src/serve/tls/certificate.ts';
import { wellServed } from '../../fetch/file-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runReplica, serveIndex } from './index-server.ts';

test('one of two services downloads each version, and both serve it', async (context) => {
  const server = await serveIndex(context);
  const state = path.join(temporaryFolder(context), 'state');
  await ensureCertificate(state, new Date());
  let sent = 0;
  const publish = async (version: string) => {
    const serve = wellServed(await server.build(version), `"${version}"`);
    server.respond((request, response) => {
      serve(request, response);
      if (response.statusCode === 200) sent++;
    });
  };
  await publish('one');
  const run = { state, args: ['--watch-seconds', '1'] };
  const services = await Promise.all([runReplica(context, server, run), runReplica(context, server, run)]);
  for (const service of services) assert.equal(await service.version(), 'one');
  assert.equal(sent, 1);
  await publish('two');
  for (const service of services) await service.logged('"data":"two"');
  for (const service of services) assert.equal(await service.version(), 'two');
  assert.equal(sent, 2);
});
