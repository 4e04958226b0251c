/** Small spatial indexes and the arrays that their queries fill. */

import { buildKdTree } from 'toponym-gazetteer/build/kd-tree';
import { type Neighbors, SpatialIndex } from '../src/nearest.ts';

export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function indexOf(points: readonly (readonly [number, number])[]): SpatialIndex {
  const latE7 = Int32Array.from(points, ([lat]) => Math.round(lat * 1e7));
  const lngE7 = Int32Array.from(points, ([, lng]) => Math.round(lng * 1e7));
  return new SpatialIndex({ ...buildKdTree(latE7, lngE7), latE7, lngE7 });
}

export function createNeighbors(capacity: number): Neighbors {
  return { ids: new Uint32Array(capacity), meters: new Float64Array(capacity) };
}
