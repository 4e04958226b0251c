/**
 * Finds the nearest places, and all places within a radius, on the sphere. Walks the k-d tree of
 * `build/kd-tree.ts`: a subtree is a range of entries, split by its middle entry. One instance
 * serves one query at a time.
 *
 * The result is exact although the tree stores float32 unit vectors. A stored component is within
 * 2^-25 of the true one, so a chord (straight line) to a stored vector is off by at most √3 ×
 * 2^-25, which is less than CHORD_ERROR. The haversine formula on the true coordinates decides
 * where that error matters.
 *
 * The limit of a walk is the squared chord beyond which a place does not matter.
 */

import { DEGREE, distanceMeters, EARTH_RADIUS_METERS, HALF_CIRCUMFERENCE_METERS } from './place/sphere.ts';
import type { WorkBudget } from './work-budget.ts';

/** `ids` and `coords` are in tree order, the others (degrees × 10^7) by place id. */
interface SpatialViews {
  readonly ids: Uint32Array;
  /** x, y, z of each entry. */
  readonly coords: Float32Array;
  readonly latE7: Int32Array;
  readonly lngE7: Int32Array;
}

/** Result of `nearest`, nearest first, ties by lower id. Both arrays need at least `k` elements. */
export interface Neighbors {
  readonly ids: Uint32Array;
  readonly meters: Float64Array;
}

interface NearestOptions {
  readonly accept?: ((id: number) => boolean) | undefined;
  /** The query ends when it is used up. */
  readonly work?: WorkBudget | undefined;
  /** Units that a call of `accept` costs; 1 by default. */
  readonly workPerPlace?: number;
}

/** Called for each place found; returning false ends the query. */
type Visit = (id: number) => unknown;
/**
 * Called for each place found, with its distance to about a metre. Returns the radius (metres)
 * within which places still matter.
 */
type ShrinkingVisit = (id: number, meters: number) => number;

/** Maximum error of a chord, not squared. */
const CHORD_ERROR = 6e-8;
/** At least the leaf size of `build/kd-tree.ts`. Sizes from 6 to 24 are equally fast. */
const LEAF_SIZE = 12;
/** Limit that admits every entry: squared chords are at most 4. */
const NO_LIMIT = 5;
/** Limit that ends the walk: squared chords are at least 0. */
const STOP = -1;
/** The far side of one split per level is pending. 2^32 entries make 33 levels. */
const MAX_PENDING = 33;

export class SpatialIndex {
  readonly #views: SpatialViews;
  /** For each pending range (still to be visited): first entry, last entry, axis of its split. */
  readonly #ranges = new Int32Array(MAX_PENDING * 3);
  /** For each pending range: its minimum squared chord; its distance from the point on x, y, z. */
  readonly #bounds = new Float64Array(MAX_PENDING * 4);

  #lat = 0;
  #lng = 0;
  #k = 0;
  #accept: NearestOptions['accept'] = undefined;
  #visit: Visit | undefined = undefined;
  #shrinkingVisit: ShrinkingVisit | undefined = undefined;
  #work: WorkBudget | undefined = undefined;
  #workPerPlace = 1;
  #radiusMeters = 0;
  /** Places up to this squared chord are within the radius despite CHORD_ERROR. */
  #certainLimit = 0;

  /**
   * What `nearest` has found so far, by squared chord: the k nearest places, then those that seem farther only by a
   * possible rounding error.
   */
  readonly #nearIds: number[] = [];
  readonly #nearSquaredChords: number[] = [];
  #nearCount = 0;

  constructor(views: SpatialViews) {
    this.#views = views;
  }

  /** Fills `into` with the `k` nearest places that `accept` allows. Returns their number. */
  nearest(lat: number, lng: number, k: number, into: Neighbors, options: NearestOptions = {}): number {
    if (k < 1) return 0;
    this.#visit = undefined;
    this.#accept = options.accept;
    this.#work = options.work;
    this.#workPerPlace = options.workPerPlace ?? 1;
    this.#k = k;
    this.#nearCount = 0;
    this.#walk(lat, lng, NO_LIMIT);
    return this.#rankInto(into);
  }

  /** Visits every place within the radius, in no particular order. */
  within(lat: number, lng: number, radiusMeters: number, visit: Visit): void {
    this.#visit = visit;
    this.#radiusMeters = radiusMeters;
    this.#certainLimit = limitForRadius(radiusMeters, -CHORD_ERROR);
    this.#walk(lat, lng, limitForRadius(radiusMeters, CHORD_ERROR));
    this.#visit = undefined;
  }

  /** Visits places within a radius that visits may shrink, mostly near ones first. */
  withinShrinking(lat: number, lng: number, radiusMeters: number, visit: ShrinkingVisit): void {
    this.#shrinkingVisit = visit;
    this.#radiusMeters = radiusMeters;
    this.#walk(lat, lng, limitForRadius(radiusMeters, CHORD_ERROR));
    this.#shrinkingVisit = undefined;
  }

  /** Calls `#offer` for entries whose squared chord is within a limit, which `#offer` may lower. */
  #walk(lat: number, lng: number, initialLimit: number): void {
    this.#lat = lat;
    this.#lng = lng;
    const cosLat = Math.cos(lat * DEGREE);
    const qx = cosLat * Math.cos(lng * DEGREE); // qx, qy, qz: the query's point as a unit vector
    const qy = cosLat * Math.sin(lng * DEGREE);
    const qz = Math.sin(lat * DEGREE);
    const { coords } = this.#views;
    const ranges = this.#ranges;
    const bounds = this.#bounds;
    let limit = initialLimit;
    let pending = 0;
    let first = 0;
    let last = this.#views.ids.length - 1;
    let axis = 0;
    let bound = 0; // minimum squared chord of the current range
    let offX = 0; // offX, offY, offZ: distance of the range from the point on each axis
    let offY = 0;
    let offZ = 0;
    for (;;) {
      while (last - first >= LEAF_SIZE) {
        const middle = (first + last) >> 1;
        const dx = coords[middle * 3]! - qx;
        const dy = coords[middle * 3 + 1]! - qy;
        const dz = coords[middle * 3 + 2]! - qz;
        const squaredChord = dx * dx + dy * dy + dz * dz;
        if (squaredChord <= limit) limit = this.#offer(middle, squaredChord, limit);
        const split = axis === 0 ? dx : axis === 1 ? dy : dz;
        const off = axis === 0 ? offX : axis === 1 ? offY : offZ;
        const farBound = bound - off * off + split * split; // on this axis the far side is `split` away
        const nextAxis = axis === 2 ? 0 : axis + 1;
        const isNearSideLower = split >= 0;
        if (farBound <= limit) {
          ranges[pending * 3] = isNearSideLower ? middle + 1 : first;
          ranges[pending * 3 + 1] = isNearSideLower ? last : middle - 1;
          ranges[pending * 3 + 2] = nextAxis;
          bounds[pending * 4] = farBound;
          bounds[pending * 4 + 1] = axis === 0 ? split : offX;
          bounds[pending * 4 + 2] = axis === 1 ? split : offY;
          bounds[pending * 4 + 3] = axis === 2 ? split : offZ;
          pending++;
        }
        if (isNearSideLower) last = middle - 1;
        else first = middle + 1;
        axis = nextAxis; // the loop goes on with the near side
      }
      for (let i = first; i <= last; i++) {
        const dx = coords[i * 3]! - qx;
        const dy = coords[i * 3 + 1]! - qy;
        const dz = coords[i * 3 + 2]! - qz;
        const squaredChord = dx * dx + dy * dy + dz * dz;
        if (squaredChord <= limit) limit = this.#offer(i, squaredChord, limit);
      }
      do {
        if (pending === 0) return;
        pending--;
        bound = bounds[pending * 4]!;
      } while (bound > limit);
      first = ranges[pending * 3]!;
      last = ranges[pending * 3 + 1]!;
      axis = ranges[pending * 3 + 2]!;
      offX = bounds[pending * 4 + 1]!;
      offY = bounds[pending * 4 + 2]!;
      offZ = bounds[pending * 4 + 3]!;
    }
  }

  /** Visits an entry, or in `nearest` adds it. Returns the new limit. */
  #offer(entry: number, squaredChord: number, limit: number): number {
    const id = this.#views.ids[entry]!;
    if (this.#shrinkingVisit !== undefined) {
      const meters = 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(squaredChord) / 2));
      const radiusMeters = this.#shrinkingVisit(id, meters);
      if (radiusMeters >= this.#radiusMeters) return limit;
      this.#radiusMeters = radiusMeters;
      // a chord is shorter than its arc, so this limit is safe, and cheaper than `limitForRadius`
      const chord = radiusMeters / EARTH_RADIUS_METERS + CHORD_ERROR;
      return radiusMeters < 0 ? STOP : chord * chord;
    }
    if (this.#visit !== undefined) {
      const isWithin = squaredChord <= this.#certainLimit || this.#metersTo(id) <= this.#radiusMeters;
      return isWithin && this.#visit(id) === false ? STOP : limit;
    }
    if (this.#accept !== undefined) {
      if (this.#work?.spend(this.#workPerPlace) === false) return STOP;
      if (!this.#accept(id)) return limit;
    }
    return this.#add(id, squaredChord, limit);
  }

  #add(id: number, squaredChord: number, limit: number): number {
    const ids = this.#nearIds;
    const squaredChords = this.#nearSquaredChords;
    let i = this.#nearCount++;
    for (; i > 0 && squaredChords[i - 1]! > squaredChord; i--) {
      ids[i] = ids[i - 1]!;
      squaredChords[i] = squaredChords[i - 1]!;
    }
    ids[i] = id;
    squaredChords[i] = squaredChord;
    if (this.#nearCount < this.#k) return limit;
    const chord = Math.sqrt(squaredChords[this.#k - 1]!) + 2 * CHORD_ERROR; // both chords may be off
    const nextLimit = chord * chord;
    while (squaredChords[this.#nearCount - 1]! > nextLimit) this.#nearCount--;
    return nextLimit;
  }

  #rankInto(into: Neighbors): number {
    let count = 0;
    // the ids are almost in order of distance, so an insertion sort is fast
    for (let i = 0; i < this.#nearCount; i++) count = this.#insert(into, count, this.#nearIds[i]!);
    return count;
  }

  /** Inserts a place in order of distance and keeps the first k. Returns the new count. */
  #insert(into: Neighbors, count: number, id: number): number {
    const meters = this.#metersTo(id);
    let i = count;
    while (i > 0) {
      const other = into.meters[i - 1]!;
      if (other < meters || (other === meters && into.ids[i - 1]! < id)) break;
      if (i < this.#k) {
        into.meters[i] = other;
        into.ids[i] = into.ids[i - 1]!;
      }
      i--;
    }
    if (i === this.#k) return count;
    into.meters[i] = meters;
    into.ids[i] = id;
    return Math.min(count + 1, this.#k);
  }

  #metersTo(id: number): number {
    return distanceMeters(this.#lat, this.#lng, this.#views.latE7[id]! / 1e7, this.#views.lngE7[id]! / 1e7);
  }
}

/** Squared chord of a radius on the Earth. `error` is added to the chord before it is squared. */
function limitForRadius(meters: number, error: number): number {
  if (meters >= HALF_CIRCUMFERENCE_METERS) return NO_LIMIT;
  const chord = Math.max(0, 2 * Math.sin(Math.max(0, meters) / (2 * EARTH_RADIUS_METERS)) + error);
  return chord * chord;
}
