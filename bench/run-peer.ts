/**
 * A measuring process: loads one peer, then times the queries it is sent, one after the other.
 * Started by peer-process.ts with the file of the peer, the file of the places and our index file.
 */
import { readFileSync } from 'node:fs';
import { type Peer, Unavailable } from './peer.ts';
import type { FromPeer, Measure } from './peer-messages.ts';
import type { BenchPlace } from './places.ts';

// as long for every peer: compiles the code and fills the caches before anything counts
const WARM_UP_SHARE = 0.2;
// a slow peer answers at least this many, in at most this many times its time
const LEAST_QUERIES = 30;
const OVERTIME = 2.5;
// a fast one is asked all of them up to so often: one pass of a twentieth of a second tells more of its neighbours than of it
const MOST_PASSES = 10;

const [peerFile = '', placesFile = '', indexFile = ''] = process.argv.slice(2);
const { peer } = (await import(peerFile)) as { peer: Peer<unknown> };

try {
  const places = JSON.parse(readFileSync(placesFile, 'utf8')) as BenchPlace[];
  const start = performance.now();
  await peer.load(places, indexFile);
  const loadMs = performance.now() - start;
  globalThis.gc?.();
  const { name, version, settings } = peer;
  tell({ kind: 'ready', name, version, settings, loadMs, residentBytes: process.memoryUsage.rss() });
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  tell({ kind: 'unavailable', reason: `${peer.name}: ${error.message}` });
}

process.on('message', async (measure: Measure) => tell(await run(measure)));
process.on('disconnect', async () => {
  await peer.close?.();
  process.exit();
});

async function run({ queries, limit, budgetMs }: Measure): Promise<FromPeer> {
  const warmAt = performance.now() + budgetMs * WARM_UP_SHARE;
  for (let leftMs = warmAt - performance.now(); leftMs > 0; leftMs = warmAt - performance.now()) {
    await time(queries.toReversed(), limit, leftMs);
  }
  globalThis.gc?.();
  return { kind: 'measured', ...(await time(queries, limit, budgetMs)) };
}

async function time(queries: readonly unknown[], limit: number, budgetMs: number) {
  const latencies = new Float64Array(MOST_PASSES * queries.length);
  const answers: (readonly string[])[] = [];
  const begin = performance.now();
  let asked = 0;
  while (asked < latencies.length) {
    const start = performance.now();
    const found = peer.search(queries[asked % queries.length], limit);
    const ids = found instanceof Promise ? await found : found;
    const stop = performance.now();
    latencies[asked++] = (stop - start) * 1000;
    if (asked <= queries.length) answers.push(ids);
    const spentMs = stop - begin;
    if (spentMs > budgetMs && (asked >= LEAST_QUERIES || spentMs > budgetMs * OVERTIME)) break;
  }
  return { latenciesUs: latencies.slice(0, asked), answers };
}

function tell(message: FromPeer): void {
  process.send?.(message);
}
