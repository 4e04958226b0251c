/**
 * The k-d tree of the package kdt over latitude and longitude with haversine distances, as
 * local-reverse-geocoder uses it. That package itself downloads the files of GeoNames when it
 * starts.
 */
import kdt from 'kdt';
import { distanceMeters, type LatLng } from 'toponym-engine/place/sphere';
import { installedVersion, type Peer } from '../peer.ts';
import type { BenchPlace } from '../places.ts';

let all: readonly BenchPlace[];
let tree: ReturnType<typeof kdt.createKdTree>;

export const peer: Peer<LatLng> = {
  name: 'kdt',
  version: installedVersion('kdt'),
  // As local-reverse-geocoder uses it: dimensions latitude and longitude, haversine distance; ids
  // only.
  load(places) {
    all = places;
    const points = places.map(({ lat, lng }, position) => ({ latitude: lat, longitude: lng, position }));
    tree = kdt.createKdTree(points, (a, b) => distanceMeters(a.latitude, a.longitude, b.latitude, b.longitude) / 1000, [
      'latitude',
      'longitude',
    ]);
  },
  search({ lat, lng }, limit) {
    const found = tree.nearest({ latitude: lat, longitude: lng }, limit);
    // kdt returns them in heap order
    return found.sort((a, b) => a[1] - b[1]).map(([{ position }]) => all[position]!.id);
  },
};
