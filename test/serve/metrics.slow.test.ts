import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import path from 'node:path';
import { test } from 'node:test';
import { waitUntil } from '../support/deadline.ts';
import { writeVersion } from '../support/index-version.ts';
import { untilNotice } from '../support/readiness.ts';
import { runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('metrics show memory, connections, cache, data and reloads', { timeout: 60_000 }, async (context) => {
  const index = path.join(temporaryFolder(context), 'data.toponym');
  await writeVersion(index, 'one', ['Alba', 'Borea']);
  const writtenSeconds = statSync(index).mtimeMs / 1000;
  const args = ['--threads', '2', '--watch-seconds', '0', '--metrics-port', '0'];
  const service = await runService(context, { index, args });
  /** Values by name and labels in the Prometheus text format. */
  const metrics = async () => {
    const text = await (await fetch(service.ready.metricsUrl ?? '')).text();
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
    );
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  context.after(() => agent.destroy());
  for (let i = 0; i < 3; i++) await service.call('/api/1/query', { form: { query: 'alba' }, agent });

  const first = await metrics();
  assert.equal(first.toponym_cache_hits_total, 2);
  assert.equal(first.toponym_cache_misses_total, 1);
  assert.equal(first.toponym_connections, 1);
  assert.equal(first.toponym_shed_requests_total, 0);
  assert.equal(first['toponym_data_info{version="one"}'], 1);
  assert.equal(first.toponym_data_places, 2);
  assert.ok(Math.abs((first.toponym_index_written_timestamp_seconds ?? 0) - writtenSeconds) < 0.01);
  assert.ok((first.process_resident_memory_bytes ?? 0) > 20_000_000);
  assert.ok((first.toponym_event_loop_delay_seconds ?? -1) >= 0);
  assert.equal(first['toponym_reloads_total{result="ok"}'], 0);
  assert.equal(first.toponym_ready, 1);
  assert.equal(first[`toponym_build_info{version="${service.ready.version}"}`], 1);
  assert.equal(first.toponym_data_timestamp_seconds, undefined, 'the version "one" has no date');
  const { validToDate } = new X509Certificate(readFileSync(path.join(service.state, 'tls', 'cert.pem')));
  assert.equal(first.toponym_certificate_expiry_timestamp_seconds, validToDate.getTime() / 1000);
  assert.ok((first.toponym_memory_limit_bytes ?? 0) > (first.process_resident_memory_bytes ?? 0));
  assert.ok((first.process_max_fds ?? 0) > (first.process_open_fds ?? 0));
  assert.ok((first.process_open_fds ?? 0) > 10);
  assert.ok((first.process_cpu_seconds_total ?? 0) > 0.1);
  assert.ok(Math.abs((first.process_start_time_seconds ?? 0) - Date.now() / 1000) < 60);

  await writeVersion(index, 'two-2026-01-02', ['Alba', 'Borea', 'Cora']);
  service.child.kill('SIGHUP');
  await service.logged('"msg":"reloaded"');
  writeFileSync(index, 'not an index');
  service.child.kill('SIGHUP');
  await untilNotice(service, /^index .* not reloaded/);
  let second = await metrics();
  await waitUntil('metrics count the failed reload', async () => {
    second = await metrics();
    return second['toponym_reloads_total{result="failed"}'] !== 0;
  });
  assert.equal(second['toponym_reloads_total{result="failed"}'], 1);
  assert.equal(second['toponym_reloads_total{result="ok"}'], 1);
  assert.equal(second['toponym_data_info{version="two-2026-01-02"}'], 1);
  assert.equal(second['toponym_data_info{version="one"}'], undefined);
  assert.equal(second.toponym_data_timestamp_seconds, Date.parse('2026-01-02') / 1000);
  assert.equal(second.toponym_reload_problem, 1);
});
