import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import path from 'node:path';
import { test } from 'node:test';
import { writeVersion } from '../support/index-version.ts';
import { startInProcess } from '../support/service-in-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('metrics show memory, connections, cache, data and reloads', async (context) => {
  const indexPath = path.join(temporaryFolder(context), 'data.toponym');
  await writeVersion(indexPath, 'one', ['Alba', 'Borea']);
  const writtenSeconds = statSync(indexPath).mtimeMs / 1000;
  const service = await startInProcess(context, { indexPath, threads: 2, metricsPort: 0 });
  /** Values by name and labels in the Prometheus text format. */
  const metrics = async () => {
    const text = await (await fetch(service.metricsUrl ?? '')).text();
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
  assert.equal(first['toponym_data_threads{version="one"}'], 2);
  assert.equal(first.toponym_data_places, 2);
  assert.ok(Math.abs((first.toponym_index_written_timestamp_seconds ?? 0) - writtenSeconds) < 0.01);
  assert.ok((first.process_resident_memory_bytes ?? 0) > 20_000_000);
  assert.ok((first.toponym_event_loop_delay_seconds ?? -1) >= 0);
  assert.equal(first['toponym_reloads_total{result="ok"}'], 0);
  assert.equal(first.toponym_ready, 1);
  assert.equal(first[`toponym_build_info{version="test"}`], 1);
  assert.equal(first.toponym_data_timestamp_seconds, undefined, 'the version "one" has no date');
  const { validToDate } = new X509Certificate(readFileSync(path.join(service.state, 'tls', 'cert.pem')));
  assert.equal(first.toponym_certificate_expiry_timestamp_seconds, validToDate.getTime() / 1000);
  assert.ok((first.toponym_memory_limit_bytes ?? 0) > (first.process_resident_memory_bytes ?? 0));
  assert.ok((first.process_max_fds ?? 0) > (first.process_open_fds ?? 0));
  assert.ok((first.process_open_fds ?? 0) > 10);
  assert.ok((first.process_cpu_seconds_total ?? 0) > 0.1);
  assert.ok((first.process_start_time_seconds ?? 0) <= Date.now() / 1000);

  await writeVersion(indexPath, 'two-2026-01-02', ['Alba', 'Borea', 'Cora']);
  await service.reload();
  writeFileSync(indexPath, 'not an index');
  await service.reload();
  const second = await metrics();
  assert.equal(second['toponym_reloads_total{result="failed"}'], 1);
  assert.equal(second['toponym_reloads_total{result="ok"}'], 1);
  assert.equal(second['toponym_data_info{version="two-2026-01-02"}'], 1);
  assert.equal(second['toponym_data_info{version="one"}'], undefined);
  assert.equal(second['toponym_data_threads{version="two-2026-01-02"}'], 2);
  assert.equal(second['toponym_data_threads{version="one"}'], undefined);
  assert.equal(second.toponym_data_timestamp_seconds, Date.parse('2026-01-02') / 1000);
  assert.equal(second.toponym_reload_problem, 1);
});
