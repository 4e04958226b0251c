/** Toponym's `reverse` in the mode `containing`, with all fields of its hits. */
import type { Engine } from 'toponym-engine/engine';
import { openEngine } from 'toponym-engine/open-engine';
import type { LatLng } from 'toponym-engine/place/sphere';
import { readIndexFile } from 'toponym-files/index-file';
import { loadWorldBorders } from 'toponym-files/load-world-borders';
import { peer as search } from '../engine/toponym.ts';
import type { Peer } from '../peer.ts';

let engine: Engine;
/** Exported so that the compiler cannot remove the computation of unused fields. */
export let lastHit = '';

export const peer: Peer<LatLng> = {
  name: 'Toponym, containing',
  version: search.version,
  // `engine.reverse` with `mode: containing`: the settlement that the point lies in, in its
  // country.
  load(_places, indexFile) {
    engine = openEngine(readIndexFile(indexFile), { loadBorders: loadWorldBorders });
  },
  search: (at, limit) =>
    engine
      .reverse({ at, limit, mode: 'containing' })
      .hits.map(({ record, label, distanceMeters, bearingDegrees, isInside }) => {
        lastHit = `${label}${distanceMeters}${bearingDegrees}${isInside}`;
        return record.objectID;
      }),
};
