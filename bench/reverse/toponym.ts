/** Toponym through the engine's public `reverse`, with all fields of its hits. */
import type { Engine } from 'toponym-engine/engine';
import { openEngine } from 'toponym-engine/open-engine';
import type { LatLng } from 'toponym-engine/place/sphere';
import { readIndexFile } from 'toponym-files/index-file';
import { peer as search } from '../engine/toponym.ts';
import type { Peer } from '../peer.ts';

let engine: Engine;
/** Exported so that the compiler cannot remove the computation of unused fields. */
export let lastHit = '';

export const peer: Peer<LatLng> = {
  name: 'Toponym, full records',
  version: search.version,
  // `engine.reverse`: k-d tree over unit vectors, then records with labels, distances and
  // bearings.
  load(_places, indexFile) {
    engine = openEngine(readIndexFile(indexFile));
  },
  search: (at, limit) =>
    engine.reverse({ at, limit }).hits.map(({ record, label, distanceMeters, bearingDegrees }) => {
      lastHit = `${label}${distanceMeters}${bearingDegrees}`;
      return record.objectID;
    }),
};
