/**
 * Builds a static k-d tree over unit vectors. Chords between unit vectors sort like great-circle
 * distances, so the poles and the antimeridian need no special cases.
 *
 * The order of the entries defines the tree. In a range of more than LEAF_SIZE entries the middle
 * entry is the node: entries before it are not greater on the node's axis, entries after it are not
 * smaller. Shorter ranges are leaves. The axes alternate: x at the root, then y, z, x, ….
 */

import { medianOfThree } from 'toponym-engine/collections/sorting';
import { DEGREE } from 'toponym-engine/place/sphere';

interface KdTree {
  /** Dense ids. */
  readonly ids: Uint32Array<ArrayBuffer>;
  /** x, y, z of each entry. */
  readonly coords: Float32Array<ArrayBuffer>;
}

/** Ranges up to this length stay unsorted, because engine/nearest.ts reads them in full. */
const LEAF_SIZE = 4;

const RADIANS_PER_E7 = DEGREE / 1e7;

/** Takes coordinates by dense id, in degrees × 10^7. */
export function buildKdTree(latE7: Int32Array, lngE7: Int32Array): KdTree {
  const count = latE7.length;
  const ids = new Uint32Array(count);
  const coords = new Float32Array(count * 3);
  for (let i = 0; i < count; i++) {
    ids[i] = i;
    writeUnitVector(coords, i, latE7[i]!, lngE7[i]!);
  }
  const tree = { ids, coords };
  arrange(tree, count);
  return tree;
}

/** Writes x, y and z of entry `i`. */
export function writeUnitVector(coords: Float32Array, i: number, latE7: number, lngE7: number): void {
  const lat = latE7 * RADIANS_PER_E7;
  const lng = lngE7 * RADIANS_PER_E7;
  const cosLat = Math.cos(lat);
  coords[i * 3] = cosLat * Math.cos(lng);
  coords[i * 3 + 1] = cosLat * Math.sin(lng);
  coords[i * 3 + 2] = Math.sin(lat);
}

function arrange(tree: KdTree, count: number): void {
  // flat list: [first, last, axis, …]
  const pending: number[] = [0, count - 1, 0];
  while (pending.length > 0) {
    const axis = pending.pop()!;
    const last = pending.pop()!;
    const first = pending.pop()!;
    if (last - first < LEAF_SIZE) continue;
    const middle = (first + last) >> 1;
    quickselect(tree, { first, last, middle, axis });
    const nextAxis = axis === 2 ? 0 : axis + 1;
    pending.push(first, middle - 1, nextAxis, middle + 1, last, nextAxis);
  }
}

function quickselect(tree: KdTree, range: Readonly<Record<'first' | 'last' | 'middle' | 'axis', number>>): void {
  const { coords } = tree;
  const { middle, axis } = range;
  let { first, last } = range;
  while (first < last) {
    const pivot = medianOfThree(
      coords[first * 3 + axis]!,
      coords[((first + last) >> 1) * 3 + axis]!,
      coords[last * 3 + axis]!,
    );
    let i = first;
    let j = last;
    // stopping at equal values on both sides keeps ranges of equal coordinates balanced
    while (i <= j) {
      while (coords[i * 3 + axis]! < pivot) i++;
      while (coords[j * 3 + axis]! > pivot) j--;
      if (i > j) break;
      swap(tree, i, j);
      i++;
      j--;
    }
    if (middle <= j) last = j;
    else if (middle >= i) first = i;
    else return;
  }
}

function swap({ ids, coords }: KdTree, i: number, j: number): void {
  const id = ids[i]!;
  ids[i] = ids[j]!;
  ids[j] = id;
  for (let axis = 0; axis < 3; axis++) {
    const value = coords[i * 3 + axis]!;
    coords[i * 3 + axis] = coords[j * 3 + axis]!;
    coords[j * 3 + axis] = value;
  }
}
