/** Counters of a pool never fall, or Prometheus would take the fall for a restart of the service. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import type { WorkerConfig } from '../../../src/serve/threads/worker-messages.ts';
import { WorkerPool } from '../../../src/serve/threads/worker-pool.ts';
import { waitUntil } from '../../support/deadline.ts';

const COUNTING_WORKER = new URL('../../fixtures/serve/counting-worker.ts', import.meta.url);

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
