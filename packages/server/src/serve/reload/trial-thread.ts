/** The thread of `trySearches`: lists places, looks up each of them, and formats all results. */
import type { Engine, Hit, SearchResult } from 'toponym-engine/engine';
import { openEngine } from 'toponym-engine/open-engine';
import type { LatLng } from 'toponym-engine/place/sphere';
import { serveTasks } from 'toponym-files/thread';
import { fullRecordJson, resultJson } from '../../http/response/result-json.ts';

const HITS_PER_SEARCH = 20;
const POINTS: readonly LatLng[] = [
  { lat: 48.86, lng: 2.35 }, // Paris
  { lat: 40.71, lng: -74.01 }, // New York
  { lat: -23.55, lng: -46.63 }, // São Paulo
  { lat: 6.45, lng: 3.39 }, // Lagos
  { lat: 28.61, lng: 77.21 }, // Delhi
  { lat: 35.68, lng: 139.69 }, // Tokyo
  { lat: -16.8, lng: 179.99 }, // Fiji, at the antimeridian
  { lat: 90, lng: 0 }, // the North Pole
];

serveTasks(runTrial);

export function runTrial(index: SharedArrayBuffer): void {
  const engine = openEngine(index);
  const listed = [
    ...checkedHits(engine, engine.search({ text: '', limit: HITS_PER_SEARCH, explain: true })),
    ...POINTS.flatMap((at) => checkedHits(engine, engine.reverse({ at, limit: HITS_PER_SEARCH }), at)),
  ];
  const found = listed.filter((hit) => tryPlace(engine, hit)).length;
  // not all: a name may find only more important places with this alternate name
  if (found < listed.length / 2) throw new Error(`only ${found} of ${listed.length} places are found by their names`);
}

/** Returns whether the name of the hit finds a place of that name. */
function tryPlace(engine: Engine, { objectID, record: { name, regions } }: Hit): boolean {
  const full = engine.get(objectID);
  if (full === undefined) throw new Error(`place ${objectID} is found by a search but not by its id`);
  fullRecordJson(full);
  const letters = [...name];
  const prefix = letters.slice(0, 3).join('');
  const withoutSecondLetter = [letters[0], ...letters.slice(2)].join('');
  for (const text of [prefix, withoutSecondLetter, `${name}, ${regions.country}`]) {
    checkedHits(engine, engine.search({ text, limit: HITS_PER_SEARCH, explain: true }));
  }
  const hits = checkedHits(engine, engine.search({ text: name, limit: HITS_PER_SEARCH, explain: true }));
  return hits.some(({ record }) => record.name === name);
}

/** Formats the result as a response, only to read every field. */
function checkedHits(engine: Engine, result: SearchResult, point?: LatLng): readonly Hit[] {
  resultJson(result, { query: '', hitsPerPage: HITS_PER_SEARCH, params: '', point, processingTimeMS: 0 }, engine);
  return result.hits;
}
