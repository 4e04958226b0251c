/**
 * The thread of `trySearches`: browses, looks around points on all continents, then finds each place met there by id, by
 * name, by the beginning of its name and with a typing error, and writes all results as responses would.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Engine, Hit, SearchResult } from '../../engine/engine.ts';
import { openEngine } from '../../engine/open-engine.ts';
import { errorMessage } from '../../errors/error-message.ts';
import { fullRecordJson, resultJson } from '../../http/response/result-json.ts';
import type { LatLng } from '../../place/sphere.ts';
import type { ServedData } from '../threads/worker-messages.ts';

export interface TrialResult {
  readonly version: string;
  /** Empty if all went well. */
  readonly failure: string;
}

const LIMIT = 20;
const POINTS: readonly LatLng[] = [
  { lat: 48.86, lng: 2.35 },
  { lat: 40.71, lng: -74.01 },
  { lat: -23.55, lng: -46.63 },
  { lat: 6.45, lng: 3.39 },
  { lat: 28.61, lng: 77.21 },
  { lat: 35.68, lng: 139.69 },
  { lat: -16.8, lng: 179.99 },
  { lat: 90, lng: 0 },
];

parentPort?.postMessage(runTrial(workerData as ServedData));

function runTrial({ index, overlay }: ServedData): TrialResult {
  try {
    const engine = openEngine(index, overlay);
    const met = [
      ...present(engine, engine.search({ text: '', limit: LIMIT, explain: true })),
      ...POINTS.flatMap((at) => present(engine, engine.reverse({ at, limit: LIMIT }), at)),
    ];
    const found = met.filter((hit) => isFoundAgain(engine, hit)).length;
    if (found < met.length / 2) throw new Error(`only ${found} of ${met.length} places are found by their names`);
    return { version: engine.dataset.version, failure: '' };
  } catch (error) {
    return { version: '', failure: errorMessage(error) };
  }
}

/** Whether a search for its name finds a place of that name: not always the same, there may be many. */
function isFoundAgain(engine: Engine, { objectID, record }: Hit): boolean {
  const { name, regions } = record;
  const full = engine.get(objectID);
  if (full === undefined) throw new Error(`place ${objectID} is found by a search and not by its id`);
  fullRecordJson(full);
  const letters = [...name];
  const withError = [letters[0], ...letters.slice(2)].join('');
  for (const text of [letters.slice(0, 3).join(''), withError, `${name}, ${regions.country}`]) {
    present(engine, engine.search({ text, limit: LIMIT, explain: true }));
  }
  const hits = present(engine, engine.search({ text: name, limit: LIMIT, explain: true }));
  return hits.some((other) => other.record.name === name);
}

/** Writes a result as a response, which reads everything a hit shows. Returns the hits. */
function present(engine: Engine, result: SearchResult, point?: LatLng): readonly Hit[] {
  resultJson(result, { query: '', hitsPerPage: LIMIT, params: '', point, processingTimeMS: 0 }, engine);
  return result.hits;
}
