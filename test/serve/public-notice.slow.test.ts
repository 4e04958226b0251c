/** The public notice of `/readyz` about files that could not be reloaded. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeVersion } from '../support/index-version.ts';
import { untilNotice } from '../support/readiness.ts';
import { runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the notice names the refused overlay and shows none of its content', {
  timeout: 60_000,
}, async (context) => {
  const folder = temporaryFolder(context);
  const index = join(folder, 'data.toponym');
  const overlay = join(folder, 'overlay.ndjson');
  await writeVersion(index, 'one', ['Alba']);
  writeFileSync(overlay, '');
  const args = ['--threads', '1', '--watch-seconds', '0', '--overlay', overlay];
  const service = await runService(context, { index, args });
  writeFileSync(overlay, 'password=hunter2\n');
  service.child.kill('SIGHUP');
  assert.equal(await untilNotice(service, /./), 'overlay overlay.ndjson not reloaded; the log says why');
  await service.logged('not JSON');
});
