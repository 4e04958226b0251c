import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { waitUntil } from '../../../../../test/support/deadline.ts';
import type { WorkerConfig } from '../../../src/serve/threads/worker-messages.ts';
import { WorkerPool } from '../../../src/serve/threads/worker-pool.ts';
import type { ReplyTimes } from '../../../src/serve/threads/worker-thread.ts';

const CRASHING_WORKER = new URL('../../../../../test/fixtures/serve/crashing-worker.ts', import.meta.url);
const REFUSING_WORKER = new URL('../../../../../test/fixtures/serve/refusing-worker.ts', import.meta.url);
const REDIS_WORKER = new URL('../../../../../test/fixtures/serve/redis-worker.ts', import.meta.url);

function aPool(workerFile = CRASHING_WORKER, replyTimes?: ReplyTimes) {
  const starts = new Int32Array(new SharedArrayBuffer(16));
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const pool = new WorkerPool(log, workerFile, replyTimes);
  const start = async (threads: number) => {
    pool.createThreads(threads);
    await pool.start({
      workerConfig: { rateBuffer: starts.buffer, tls: aCertificate('first') } as unknown as WorkerConfig,
      keys: () => ({ kind: 'sqlite', path: '' }),
      address: { kind: 'tcp', host: '127.0.0.1', port: 0 },
    });
  };
  return { pool, start, starts, lines };
}

/** A thread on a busy machine replies after more than one step, and is left out until then. */
async function metricsOfAll(pool: WorkerPool, threads = 2) {
  let metrics: Awaited<ReturnType<WorkerPool['metrics']>> = [];
  await waitUntil('all threads reply within one step', async () => {
    metrics = await pool.metrics();
    return metrics.length === threads;
  });
  return metrics;
}

test('a thread that fails is logged and replaced', async (context) => {
  const { pool, start, starts, lines } = aPool();
  context.after(() => pool.terminate());
  await start(1);
  assert.deepEqual(await pool.metrics(), [], 'no reply from a thread that failed');
  await waitUntil('a second thread starts', () => Atomics.load(starts, 0) >= 2);
  assert.match(lines.join(), /made to fail.*a thread exited and will be replaced/s);
});

test('a pool is answering if one of its threads replies', async (context) => {
  const failing = aPool();
  const working = aPool(REFUSING_WORKER);
  context.after(() => Promise.all([failing.pool.terminate(), working.pool.terminate()]));
  await Promise.all([failing.start(1), working.start(2)]);
  assert.equal(await failing.pool.isAnswering(), false);
  assert.equal(await working.pool.isAnswering(), true);
});

test('the first thread picks the port and the others share it', async (context) => {
  const { pool, start, starts } = aPool();
  context.after(() => pool.terminate());
  await start(3);
  assert.deepEqual(pool.address, { kind: 'tcp', host: '127.0.0.1', port: 4711 });
  assert.equal(Atomics.load(starts, 0), 3);
});

test('threads that exit while draining are not replaced', async () => {
  const { pool, start, starts } = aPool();
  await start(2);
  assert.equal(await pool.drain({ graceMs: 0, limitMs: 10_000 }), true);
  assert.equal(Atomics.load(starts, 0), 2);
});

test('threads that exit while draining do not report that Redis works', async () => {
  const { pool, start } = aPool(REDIS_WORKER);
  const problems: string[] = [];
  pool.onRedisProblem = (problem) => problems.push(problem);
  await start(2);
  await pool.drain({ graceMs: 0, limitMs: 10_000 });
  assert.deepEqual(problems, ['gone', 'gone']);
});

function aCertificate(cert: string) {
  return { cert, key: '', validTo: new Date(0), isSelfSigned: true, clientAuthorities: undefined };
}

test('a value that one thread refuses is reverted in all threads, and the refusal is thrown', async (context) => {
  const { pool, start } = aPool(REFUSING_WORKER);
  context.after(() => pool.terminate());
  await start(3);
  await pool.replaceValues({ tls: aCertificate('good') });
  await assert.rejects(pool.replaceValues({ tls: aCertificate('bad') }), /thread \d+ refuses it/);
  assert.deepEqual(
    await metricsOfAll(pool, 3),
    Array.from({ length: 3 }, () => [{ name: 'toponym_ready', cert: 'good', notice: '' }]),
  );
});

test('a refused value does not revert a notice that was set meanwhile', async (context) => {
  const { pool, start, starts } = aPool(REFUSING_WORKER);
  context.after(() => pool.terminate());
  await start(2);
  const refused = assert.rejects(pool.replaceValues({ tls: aCertificate('bad') }), /refuses it/);
  await pool.share({ notice: 'a file is missing' });
  await refused;
  await pool.replaceValues({ tls: aCertificate('fatal') }); // all threads exit and are replaced
  await waitUntil('two more threads start', () => Atomics.load(starts, 0) === 4);
  assert.deepEqual(
    await metricsOfAll(pool),
    Array.from({ length: 2 }, () => [{ name: 'toponym_ready', cert: 'fatal', notice: 'a file is missing' }]),
  );
});

test('all threads that reply in time have a shared value when `share` resolves', async (context) => {
  const { pool, start, starts: numbers } = aPool(REFUSING_WORKER, { stepMs: 60_000, maxSteps: 1 });
  context.after(() => pool.terminate());
  await start(2);
  await pool.share({ notice: 'a file is missing' });
  assert.equal(Atomics.load(numbers, 3), 2);
});

test('a value that a thread refuses late is reverted too, and a late thread is reported until it replies', async (context) => {
  const { pool, start, starts: numbers, lines } = aPool(REFUSING_WORKER, { stepMs: 10, maxSteps: 10_000 });
  context.after(() => pool.terminate());
  const late: number[] = [];
  pool.onLateThreads = (threads) => late.push(threads);
  await start(2);
  const replaced = assert.rejects(pool.replaceValues({ tls: aCertificate('late') }), /thread \d+ refuses it/);
  await waitUntil('the thread alone is late', () => late.at(-1) === 1); // on a busy machine, the other is late for a moment
  assert.match(lines.join(), /a thread has not confirmed the new files yet/);
  Atomics.store(numbers, 1, 1);
  Atomics.notify(numbers, 1);
  await replaced;
  assert.equal(late.at(-1), 0);
  assert.deepEqual(
    await metricsOfAll(pool),
    Array.from({ length: 2 }, () => [{ name: 'toponym_ready', cert: 'first', notice: '' }]),
  );
});

test('a late thread is reported until it has confirmed the data and the certificate', async (context) => {
  const { pool, start, starts: numbers } = aPool(REFUSING_WORKER, { stepMs: 200, maxSteps: 10_000 });
  context.after(() => pool.terminate());
  const late: number[] = [];
  pool.onLateThreads = (threads) => late.push(threads);
  await start(2);
  const certificate = assert.rejects(pool.replaceValues({ tls: aCertificate('late') }), /refuses it/);
  const data = pool.replaceValues({ data: new SharedArrayBuffer(0) });
  await waitUntil('both replies are late', () => late.length >= 2 && late.at(-1) === 1);
  Atomics.store(numbers, 1, 1);
  Atomics.notify(numbers, 1);
  await Promise.all([certificate, data]);
  assert.deepEqual(late.slice(-2), [1, 0]);
});

test('replies that arrive while the main thread is busy are not late', async (context) => {
  const stepMs = 100;
  const { pool, start, starts: numbers, lines } = aPool(REFUSING_WORKER, { stepMs, maxSteps: 1 });
  context.after(() => pool.terminate());
  await start(2);
  const dueMs = performance.now() + stepMs;
  const replaced = pool.replaceValues({ tls: aCertificate('good') });
  while (performance.now() <= dueMs || Atomics.load(numbers, 2) < 2); // busy until both have replied
  await replaced;
  assert.deepEqual(lines, []);
});

test('a thread that never says whether it serves a new value is replaced by one that does', async (context) => {
  const { pool, start, starts, lines } = aPool(REFUSING_WORKER, { stepMs: 10, maxSteps: 3 });
  context.after(() => pool.terminate());
  await start(2);
  await pool.replaceValues({ tls: aCertificate('late') });
  await waitUntil('a third thread starts', () => Atomics.load(starts, 0) >= 3);
  assert.match(lines.join(), /a thread did not reply and is replaced/);
  assert.deepEqual(
    await metricsOfAll(pool),
    Array.from({ length: 2 }, () => [{ name: 'toponym_ready', cert: 'late', notice: '' }]),
  );
});

test('a pool says what each thread serves, and that it is unknown until a thread has confirmed new data', async (context) => {
  const { pool, start, starts: numbers } = aPool(REFUSING_WORKER, { stepMs: 10, maxSteps: 10_000 });
  context.after(() => pool.terminate());
  await start(2);
  assert.deepEqual(pool.servedData(), ['one', 'one']);
  const data = new SharedArrayBuffer(0);
  const replaced = assert.rejects(pool.replaceValues({ data, tls: aCertificate('late') }), /refuses it/);
  await waitUntil('the first thread confirms', () => pool.servedData().includes('one'));
  assert.deepEqual(pool.servedData().toSorted(), ['one', 'unknown']);
  Atomics.store(numbers, 1, 1);
  Atomics.notify(numbers, 1);
  await replaced;
  assert.deepEqual(pool.servedData(), ['one', 'one']);
});
