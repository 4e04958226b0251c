/**
 * Measuring process: loads one peer, then times the queries it receives, one after the other.
 * peer-process.ts starts it with the peer's file, the file of places and the Toponym index file.
 */
import { readFileSync } from 'node:fs';
import { type Peer, Unavailable } from './peer.ts';
import type { FromPeer, Measure } from './peer-messages.ts';
import type { BenchPlace } from './places.ts';

// same share of the time for every peer: compiles code and fills caches before the measurement
const WARM_UP_SHARE = 0.2;
// a slow peer gets at least MIN_QUERIES, within OVERTIME times its budget
const MIN_QUERIES = 30;
const OVERTIME = 2.5;
// a fast peer repeats all queries: one pass of 50 ms would mostly measure noise
const MAX_PASSES = 10;

const [peerFile = '', placesFile = '', indexFile = ''] = process.argv.slice(2);
const { peer } = (await import(peerFile)) as { peer: Peer<unknown> };

try {
  const places = placesFile === '' ? [] : (JSON.parse(readFileSync(placesFile, 'utf8')) as BenchPlace[]);
  const start = performance.now();
  await peer.load(places, indexFile);
  const loadMs = performance.now() - start;
  globalThis.gc?.();
  const { name, version } = peer;
  send({ kind: 'ready', name, version, loadMs, residentBytes: process.memoryUsage.rss() });
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  send({ kind: 'unavailable', reason: `${peer.name}: ${error.message}` });
}

process.on('message', async (measure: Measure) => send(await run(measure)));
process.on('disconnect', async () => {
  await peer.close?.();
  process.exit();
});

async function run({ queries, limit, budgetMs }: Measure): Promise<FromPeer> {
  const warmUntilMs = performance.now() + budgetMs * WARM_UP_SHARE;
  for (let leftMs = warmUntilMs - performance.now(); leftMs > 0; leftMs = warmUntilMs - performance.now()) {
    await time(queries.toReversed(), limit, leftMs);
  }
  globalThis.gc?.();
  return { kind: 'measured', ...(await time(queries, limit, budgetMs)) };
}

async function time(queries: readonly unknown[], limit: number, budgetMs: number) {
  const latencies = new Float64Array(MAX_PASSES * queries.length);
  const results: (readonly string[])[] = [];
  const begin = performance.now();
  let count = 0;
  while (count < latencies.length) {
    const start = performance.now();
    const found = peer.search(queries[count % queries.length], limit);
    const ids = found instanceof Promise ? await found : found;
    const stop = performance.now();
    latencies[count++] = (stop - start) * 1000;
    if (count <= queries.length) results.push(ids);
    const spentMs = stop - begin;
    if (spentMs > budgetMs && (count >= MIN_QUERIES || spentMs > budgetMs * OVERTIME)) break;
  }
  return { latenciesUs: latencies.slice(0, count), results };
}

function send(message: FromPeer): void {
  process.send?.(message);
}
