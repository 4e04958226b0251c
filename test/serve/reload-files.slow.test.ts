/** Files that become unreadable while the service runs. */
import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { writeVersion } from '../support/index-version.ts';
import { untilNoNotice, untilNotice } from '../support/readiness.ts';
import { runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('an index path that cannot be examined is reported, and the old data stay in use', {
  timeout: 60_000,
}, async (context) => {
  const index = path.join(temporaryFolder(context), 'data.toponym');
  await writeVersion(index, 'one', ['Alba']);
  const service = await runService(context, { index, args: ['--watch-seconds', '1', '--threads', '1'] });
  rmSync(index);
  symlinkSync('data.toponym', index);
  await Promise.race([service.logged('ELOOP'), service.ended()]);
  assert.equal(service.child.exitCode, null, service.log());
  assert.equal((await service.call('/api/1/query', { form: {} })).json().dataset.version, 'one');
  await untilNotice(service, /ELOOP.*'data\.toponym'/);
  rmSync(index);
  await writeVersion(index, 'two', ['Borea']);
  await service.logged('"data":"two"');
  await untilNoNotice(service);
});
