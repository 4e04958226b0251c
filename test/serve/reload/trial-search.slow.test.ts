import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { forgeSection } from '../../support/forged-index.ts';
import { writeVersion } from '../../support/index-version.ts';
import { untilNotice } from '../../support/readiness.ts';
import { runService } from '../../support/running-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NAMES = ['Alba', 'Borea', 'Cora'];

test('a forged index does not reach the worker threads', { timeout: 60_000 }, async (context) => {
  const index = join(temporaryFolder(context), 'data.toponym');
  await writeVersion(index, 'one', NAMES);
  const service = await runService(context, { index, args: ['--threads', '2'] });
  await writeVersion(index, 'two', NAMES);
  // passes every structural check, but no search finds anything
  forgeSection(index, 'nameTrieTails', (bytes) => bytes.fill(1));
  service.child.kill('SIGHUP');
  await untilNotice(service, /^index data\.toponym not reloaded;/);
  const nearest = await service.call('/api/1/reverse?aroundLatLng=47,2');
  assert.equal(nearest.status, 200);
  assert.equal(nearest.json().dataset.version, 'one');
  assert.doesNotMatch(service.log(), /a thread failed|a request failed/);
});
