import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { WorkerStart } from '../../src/serve/worker-messages.ts';
import { WorkerPool } from '../../src/serve/worker-pool.ts';

const CRASHING_WORKER = new URL('../fixtures/serve/crashing-worker.ts', import.meta.url);

function aPool() {
  const starts = new Int32Array(new SharedArrayBuffer(4));
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const start = {
    address: { kind: 'tcp', host: '127.0.0.1', port: 0 },
    rateBuffer: starts.buffer,
  } as unknown as WorkerStart;
  return { pool: new WorkerPool(start, log, CRASHING_WORKER), starts, lines };
}

test('a thread that fails is logged and replaced', async (context) => {
  const { pool, starts, lines } = aPool();
  context.after(() => pool.terminate());
  await pool.start(1);
  assert.deepEqual(await pool.metrics(), [], 'no answer from a thread that failed');
  while (Atomics.load(starts, 0) < 2) await Atomics.waitAsync(starts, 0, 1).value;
  assert.match(lines.join(), /made to fail.*a thread ended; another takes its place/s);
});

test('the first thread picks the port and the others join it', async (context) => {
  const { pool, starts } = aPool();
  context.after(() => pool.terminate());
  await pool.start(3);
  assert.deepEqual(pool.address, { kind: 'tcp', host: '127.0.0.1', port: 4711 });
  assert.equal(Atomics.load(starts, 0), 3);
});

test('threads that end while draining are not replaced', async () => {
  const { pool, starts } = aPool();
  await pool.start(2);
  assert.equal(await pool.drain(10_000), true);
  assert.equal(Atomics.load(starts, 0), 2);
});
