/** The metrics of a running service, and the listener that serves them. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { connect } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { waitUntil, withDeadline } from '../../../../../test/support/deadline.ts';
import { writeVersion } from '../../../../../test/support/index-version.ts';
import { startInProcess } from '../../../../../test/support/service-in-process.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { startMetricsServer } from '../../../src/serve/metrics/metrics-server.ts';
import type { WorkerConfig } from '../../../src/serve/threads/worker-messages.ts';
import { WorkerPool } from '../../../src/serve/threads/worker-pool.ts';

test('metrics show memory, connections, cache, data and reloads', async (context) => {
  const indexPath = path.join(temporaryFolder(context), 'data.toponym');
  await writeVersion(indexPath, 'one', ['Alba', 'Borea']);
  const writtenSeconds = statSync(indexPath).mtimeMs / 1000;
  const service = await startInProcess(context, { index: indexPath, threads: 2, metricsPort: 0 });
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
  let second = await metrics();
  // a thread of a busy machine answers late, and its last known metrics are shown until then
  await waitUntil('both threads show the new data', async () => {
    second = await metrics();
    return second['toponym_data_info{version="two-2026-01-02"}'] === 1 && second.toponym_reload_problem === 1;
  });
  assert.equal(second['toponym_reloads_total{result="failed"}'], 1);
  assert.equal(second['toponym_reloads_total{result="ok"}'], 1);
  assert.equal(second['toponym_data_info{version="two-2026-01-02"}'], 1);
  assert.equal(second['toponym_data_info{version="one"}'], undefined);
  assert.equal(second['toponym_data_threads{version="two-2026-01-02"}'], 2);
  assert.equal(second['toponym_data_threads{version="one"}'], undefined);
  assert.equal(second.toponym_data_timestamp_seconds, Date.parse('2026-01-02') / 1000);
  assert.equal(second.toponym_reload_problem, 1);
});

test('the metrics listener closes a connection that sends no request within seconds', async (context) => {
  const server = await startMetricsServer({
    host: '127.0.0.1',
    port: 0,
    collect: async () => [],
    health: { liveness: () => assert.fail(), readiness: () => assert.fail() },
    log: pino({ level: 'silent' }),
  });
  context.after(() => server.close());
  const startedMs = performance.now();
  const sockets = ['', 'GET /healthz HTTP/1.1\r\n'].map((bytes) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(bytes);
    return socket.resume();
  });
  await withDeadline('the connections are closed', Promise.all(sockets.map((socket) => once(socket, 'close'))));
  const seconds = (performance.now() - startedMs) / 1000;
  // 3 s on a quiet machine, so a busy one has 15 times as long; without the limit, Node.js closes them after 60 s
  assert.ok(seconds < 50, `${seconds} s`);
});

const COUNTING_WORKER = new URL('../../../../../test/fixtures/serve/counting-worker.ts', import.meta.url);

async function aPool(context: TestContext) {
  const starts = new Int32Array(new SharedArrayBuffer(4));
  const pool = new WorkerPool(pino({ level: 'silent' }), COUNTING_WORKER);
  context.after(() => pool.terminate());
  pool.createThreads(2);
  await pool.start({
    workerConfig: { rateBuffer: starts.buffer } as unknown as WorkerConfig,
    keys: () => ({ kind: 'sqlite', path: '' }),
    address: { kind: 'tcp', host: '127.0.0.1', port: 0 },
  });
  /** The sum over all threads of the metric with this name. */
  const sum = async (name: string) => {
    const metrics = (await pool.metrics()).flat().filter((metric) => metric.name === name);
    return metrics.flatMap(({ values }) => values).reduce((total, { value }) => total + value, 0);
  };
  return { pool, starts, sum };
}

test('the counters of threads that exit stay part of the sums, and their gauges do not', async (context) => {
  const { pool, starts, sum } = await aPool(context);
  for (const total of [2, 4, 6]) assert.equal(await sum('toponym_requests_total'), total);
  for (const generation of [2, 3]) {
    await pool.share({ notice: 'exit' });
    await waitUntil('two more threads start', () => Atomics.load(starts, 0) === 2 * generation);
    await pool.share({ notice: '' });
    assert.equal(await sum('toponym_requests_total'), 4 + 2 * generation);
  }
  assert.equal(await sum('toponym_connections'), 4);
  assert.equal(pool.restarts, 4);
});

test('a thread that does not reply in time counts with its last metrics', async (context) => {
  const { pool, sum } = await aPool(context);
  assert.equal(await sum('toponym_requests_total'), 2);
  await pool.share({ notice: 'be late' });
  assert.equal(await sum('toponym_requests_total'), 2);
  assert.equal(await pool.isAnswering(), false);
});
