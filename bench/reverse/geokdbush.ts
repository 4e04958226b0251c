/** geokdbush: nearest points on the sphere, from a kdbush tree of longitudes and latitudes. */
import { around } from 'geokdbush';
import KDBush from 'kdbush';
import type { LatLng } from 'toponym-engine/place/sphere';
import { installedVersion, type Peer } from '../peer.ts';
import type { BenchPlace } from '../places.ts';

let all: readonly BenchPlace[];
let index: KDBush;

export const peer: Peer<LatLng> = {
  name: 'geokdbush',
  version: installedVersion('geokdbush'),
  // kdbush with its defaults; ids only.
  load(places) {
    all = places;
    index = new KDBush(places.length);
    for (const { lng, lat } of places) index.add(lng, lat);
    index.finish();
  },
  search: ({ lat, lng }, limit) => around(index, lng, lat, limit).map((position) => all[position]!.id),
};
