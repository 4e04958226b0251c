/** An IP database that changes while the service runs. */
import assert from 'node:assert/strict';
import { renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { waitUntil } from '../../../../../test/support/deadline.ts';
import { anMmdb } from '../../../../../test/support/mmdb.ts';
import { noticeOf, untilNoNotice, untilReloadProblem } from '../../../../../test/support/readiness.ts';
import { startInProcess } from '../../../../../test/support/service-in-process.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';

test('a database that is cut off stays in use, and log, metric and /readyz say so; a good one replaces it', async (context) => {
  const path = join(temporaryFolder(context), 'city.mmdb');
  const write = (latitude: number, to = path) => writeFileSync(to, anMmdb({ latitude, longitude: 2 }));
  write(1);
  const service = await startInProcess(context, { ipDatabase: [path], watchSeconds: 0.02, metricsPort: 0 });
  const located = async () => {
    const response = await service.call('/api/1/query', { form: { aroundLatLngViaIP: '8.8.8.8' } });
    return response.json().aroundLatLng;
  };
  assert.equal(await located(), '1,2');
  truncateSync(path, 60);
  await service.reload(); // the watch would wait 10 s for the rest of the file
  assert.equal(await noticeOf(service), 'IP database not reloaded; the log says why');
  await untilReloadProblem(service, true);
  await service.logged('IP database not reloaded: the old one stays in use');
  assert.match(service.log(), /city\.mmdb is not a usable MaxMind DB file \(it has no metadata\)/);
  assert.equal(await located(), '1,2');
  write(3);
  await untilNoNotice(service);
  await untilReloadProblem(service, false);
  const metrics = await (await fetch(service.metricsUrl ?? '')).text();
  for (const result of ['ok', 'failed']) assert.match(metrics, new RegExp(`reloads_total{result="${result}"} [1-9]`));
  assert.equal(await located(), '3,2');
  write(5, `${path}.new`);
  renameSync(`${path}.new`, path);
  await waitUntil('the file that replaces it is in use', async () => (await located()) === '5,2');
});
