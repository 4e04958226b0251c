/** Toponym's tree without records: returns positions, like the libraries. */
import { SpatialIndex } from '../../src/engine/nearest.ts';
import { readIndexFile } from '../../src/index-file/file.ts';
import { openIndex } from '../../src/index-file/open-index.ts';
import { readObjectId } from '../../src/index-file/packed-record.ts';
import type { LatLng } from '../../src/place/sphere.ts';
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
