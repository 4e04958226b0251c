/** Ours, through the engine's public `reverse`, with the records, labels, distances and bearings made. */
import type { Engine } from '../../src/engine/engine.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { readIndexFile } from '../../src/index-file/file.ts';
import type { LatLng } from '../../src/place/sphere.ts';
import { peer as search } from '../engine/toponym.ts';
import type { Peer } from '../peer.ts';

let engine: Engine;
/** What was made is used, so that making it is not left out. */
export let made = '';

export const peer: Peer<LatLng> = {
  name: 'Toponym, whole records',
  version: search.version,
  settings: '`engine.reverse`: k-d tree over unit vectors, then records with labels, distances and bearings.',
  load(_places, indexFile) {
    engine = openEngine(readIndexFile(indexFile));
  },
  search: (at, limit) =>
    engine.reverse({ at, limit }).hits.map(({ record, label, distanceMeters, bearingDegrees }) => {
      made = `${label}${distanceMeters}${bearingDegrees}`;
      return record.objectID;
    }),
};
