/** Toponym's tree without records: returns positions, like the libraries. */

import { openIndex } from 'toponym-engine/index-file/open-index';
import { readObjectId } from 'toponym-engine/index-file/packed-record';
import { SpatialIndex } from 'toponym-engine/nearest';
import type { LatLng } from 'toponym-engine/place/sphere';
import { readIndexFile } from 'toponym-files/index-file';
import { peer as search } from '../engine/toponym.ts';
import type { Peer } from '../peer.ts';

const MAX_HITS = 20;
const found = { ids: new Uint32Array(MAX_HITS), meters: new Float64Array(MAX_HITS) };
let objectIds: string[];
let tree: SpatialIndex;

export const peer: Peer<LatLng> = {
  name: 'Toponym, ids only',
  version: search.version,
  // The same tree without records; ids are looked up in a list, as for the libraries.
  load(_places, indexFile) {
    const index = openIndex(readIndexFile(indexFile));
    objectIds = Array.from({ length: index.metadata.places }, (_, place) => readObjectId(index, place));
    tree = new SpatialIndex({
      ids: index.treeIds,
      coords: index.treeCoords,
      latE7: index.placeLatE7,
      lngE7: index.placeLngE7,
    });
  },
  search({ lat, lng }, limit) {
    const count = tree.nearest(lat, lng, limit, found);
    return Array.from(found.ids.subarray(0, count), (place) => objectIds[place]!);
  },
};
