/**
 * Exact nearest places and places within a radius, on the sphere, over the k-d tree of `build/kd-tree.ts`.
 *
 * The tree's float32 vectors only rule places out; what is left is measured by the haversine formula on the places' own
 * coordinates, and that decides. Why nothing is lost: a stored component is within 2^-25 of the true one, so a stored
 * vector is within √3 × 2^-25 < 5.2e-8 (a third of a metre) of the true one, and a chord to it is wrong by no more.
 * Splits compare stored components with stored components, so their bounds hold exactly for stored vectors.
 * CHORD_ERROR rounds this up to 6e-8; the difference covers the double arithmetic (1e-15) many times over.
 *
 * One instance serves one thread, one query at a time: stacks and heaps are reused, so a query allocates nothing.
 */
import { grown } from '../collections/typed-array.ts';
import { distanceMeters, EARTH_RADIUS_METERS, HALF_CIRCUMFERENCE_METERS } from '../place/sphere.ts';
import type { WorkBudget } from './work-budget.ts';

/** Views over the index. `ids` and `coords` are in tree order; `latE7` and `lngE7` go by place id. */
export interface SpatialViews {
  readonly ids: Uint32Array;
  readonly coords: Float32Array;
  readonly latE7: Int32Array;
  readonly lngE7: Int32Array;
}

/** Filled by a query, nearest first, equal distances by lower id. Both arrays at least as long as the `k` asked for. */
export interface Neighbors {
  readonly ids: Uint32Array;
  readonly meters: Float64Array;
}

export interface NearestOptions {
  /** Asked once for each place that may be among the nearest. */
  readonly accept?: ((id: number) => boolean) | undefined;
  /** Nothing farther away than this. */
  readonly maxMeters?: number | undefined;
  /** Charged for each place that is asked about; the query ends when it is used up. */
  readonly work?: WorkBudget | undefined;
}

/** Returning false ends the query. */
export type Visit = (id: number) => unknown;

/** At least the leaf size in `build/kd-tree.ts`. 6 to 24 measured alike within noise, 8 and 12 best for one neighbour. */
const LEAF_SIZE = 12;
const CHORD_ERROR = 6e-8;
/** More than the square of any chord. */
const NO_LIMIT = 5;
/** Less than the square of any chord. */
const STOP = -1;
/** A far side waits at each level at most; 2^32 entries make 32 levels. */
const MAX_PENDING = 33;
const RADIANS = Math.PI / 180;
const NO_OPTIONS: NearestOptions = {};

export class SpatialIndex {
  readonly #views: SpatialViews;
  /** First, last and axis of each range still to be looked at. */
  readonly #ranges = new Int32Array(MAX_PENDING * 3);
  /** For each such range, the square of its least chord, then how far off it is on each axis. */
  readonly #bounds = new Float64Array(MAX_PENDING * 4);

  #lat = 0;
  #lng = 0;
  #k = 0;
  #accept: NearestOptions['accept'] = undefined;
  #visit: Visit | undefined = undefined;
  #work: WorkBudget | undefined = undefined;
  #radiusMeters = 0;
  /** Up to this squared chord, what is visited is within the radius whatever the error. */
  #sureLimit = 0;
  #maxLimit = NO_LIMIT;

  /** The k least chords to stored vectors so far, squared, as a heap with the greatest on top. */
  #heapSize = 0;
  #heapIds = new Uint32Array(32);
  #heapChords = new Float64Array(32);
  /** Beyond the k least, but by so little that rounding may have put them there. */
  #spareCount = 0;
  #spareIds = new Uint32Array(32);
  #spareChords = new Float64Array(32);

  constructor(views: SpatialViews) {
    this.#views = views;
  }

  /** The `k` nearest places that pass the options, into `into`. Returns how many there are. */
  nearest(lat: number, lng: number, k: number, into: Neighbors, options: NearestOptions = NO_OPTIONS): number {
    if (k < 1) return 0;
    const maxMeters = options.maxMeters ?? HALF_CIRCUMFERENCE_METERS;
    this.#visit = undefined;
    this.#accept = options.accept;
    this.#work = options.work;
    this.#k = k;
    this.#heapSize = 0;
    this.#spareCount = 0;
    if (this.#heapIds.length < k) {
      this.#heapIds = new Uint32Array(k);
      this.#heapChords = new Float64Array(k);
    }
    this.#maxLimit = limitOfRadius(maxMeters);
    this.#walk(lat, lng);
    return this.#rankInto(into, maxMeters);
  }

  /** Visits every place within the radius, in no particular order. */
  within(lat: number, lng: number, radiusMeters: number, visit: Visit): void {
    this.#visit = visit;
    this.#radiusMeters = radiusMeters;
    this.#sureLimit = limitOfRadius(radiusMeters, -CHORD_ERROR);
    this.#maxLimit = limitOfRadius(radiusMeters);
    this.#walk(lat, lng);
    this.#visit = undefined;
  }

  /** Offers every entry whose squared chord is within the limit, which only ever falls, near sides first. */
  #walk(lat: number, lng: number): void {
    this.#lat = lat;
    this.#lng = lng;
    const cosLat = Math.cos(lat * RADIANS);
    const qx = cosLat * Math.cos(lng * RADIANS);
    const qy = cosLat * Math.sin(lng * RADIANS);
    const qz = Math.sin(lat * RADIANS);
    const { coords } = this.#views;
    const ranges = this.#ranges;
    const bounds = this.#bounds;
    let limit = this.#maxLimit;
    let pending = 0;
    let first = 0;
    let last = this.#views.ids.length - 1;
    let axis = 0;
    let bound = 0;
    let offX = 0;
    let offY = 0;
    let offZ = 0;
    for (;;) {
      while (last - first >= LEAF_SIZE) {
        const middle = (first + last) >> 1;
        const dx = coords[middle * 3]! - qx;
        const dy = coords[middle * 3 + 1]! - qy;
        const dz = coords[middle * 3 + 2]! - qz;
        const chord = dx * dx + dy * dy + dz * dz;
        if (chord <= limit) limit = this.#offer(middle, chord, limit);
        const split = axis === 0 ? dx : axis === 1 ? dy : dz;
        const off = axis === 0 ? offX : axis === 1 ? offY : offZ;
        const farBound = bound - off * off + split * split;
        const nextAxis = axis === 2 ? 0 : axis + 1;
        const isNearBefore = split >= 0;
        if (farBound <= limit) {
          ranges[pending * 3] = isNearBefore ? middle + 1 : first;
          ranges[pending * 3 + 1] = isNearBefore ? last : middle - 1;
          ranges[pending * 3 + 2] = nextAxis;
          bounds[pending * 4] = farBound;
          bounds[pending * 4 + 1] = axis === 0 ? split : offX;
          bounds[pending * 4 + 2] = axis === 1 ? split : offY;
          bounds[pending * 4 + 3] = axis === 2 ? split : offZ;
          pending++;
        }
        if (isNearBefore) last = middle - 1;
        else first = middle + 1;
        axis = nextAxis;
      }
      for (let i = first; i <= last; i++) {
        const dx = coords[i * 3]! - qx;
        const dy = coords[i * 3 + 1]! - qy;
        const dz = coords[i * 3 + 2]! - qz;
        const chord = dx * dx + dy * dy + dz * dz;
        if (chord <= limit) limit = this.#offer(i, chord, limit);
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

  /** Takes one entry within the limit; returns the limit from here on. */
  #offer(index: number, chord: number, limit: number): number {
    const id = this.#views.ids[index]!;
    if (this.#visit !== undefined) {
      const isWithin = chord <= this.#sureLimit || this.#metersTo(id) <= this.#radiusMeters;
      return isWithin && this.#visit(id) === false ? STOP : limit;
    }
    if (this.#accept !== undefined) {
      if (this.#work?.spend(1) === false) return STOP;
      if (!this.#accept(id)) return limit;
    }
    const chords = this.#heapChords;
    if (this.#heapSize < this.#k) {
      this.#siftUp(id, chord);
      return this.#heapSize < this.#k ? limit : Math.min(this.#maxLimit, widen(chords[0]!));
    }
    const topChord = chords[0]!;
    if (chord >= topChord) {
      this.#spare(id, chord, limit);
      return limit;
    }
    const topId = this.#heapIds[0]!;
    this.#siftDown(id, chord, this.#heapSize);
    const nextLimit = Math.min(this.#maxLimit, widen(chords[0]!));
    if (topChord <= nextLimit) this.#spare(topId, topChord, nextLimit);
    return nextLimit;
  }

  #siftUp(id: number, chord: number): void {
    const ids = this.#heapIds;
    const chords = this.#heapChords;
    let i = this.#heapSize++;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (chords[parent]! >= chord) break;
      ids[i] = ids[parent]!;
      chords[i] = chords[parent]!;
      i = parent;
    }
    ids[i] = id;
    chords[i] = chord;
  }

  /** Puts an entry in the place of the top one, in a heap of `size`. */
  #siftDown(id: number, chord: number, size: number): void {
    const ids = this.#heapIds;
    const chords = this.#heapChords;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= size) break;
      if (child + 1 < size && chords[child + 1]! > chords[child]!) child++;
      if (chords[child]! <= chord) break;
      ids[i] = ids[child]!;
      chords[i] = chords[child]!;
      i = child;
    }
    ids[i] = id;
    chords[i] = chord;
  }

  #spare(id: number, chord: number, limit: number): void {
    if (this.#spareCount === this.#spareIds.length) this.#makeRoomForSpares(limit);
    this.#spareIds[this.#spareCount] = id;
    this.#spareChords[this.#spareCount] = chord;
    this.#spareCount++;
  }

  /** Forgets spares that the limit has passed by. Only many places in one spot make the arrays grow. */
  #makeRoomForSpares(limit: number): void {
    let kept = 0;
    for (let i = 0; i < this.#spareCount; i++) {
      if (this.#spareChords[i]! > limit) continue;
      this.#spareIds[kept] = this.#spareIds[i]!;
      this.#spareChords[kept] = this.#spareChords[i]!;
      kept++;
    }
    this.#spareCount = kept;
    if (kept * 2 <= this.#spareIds.length) return;
    this.#spareIds = grown(this.#spareIds);
    this.#spareChords = grown(this.#spareChords);
  }

  /** Measures what the walk kept and ranks it by true distance. */
  #rankInto(into: Neighbors, maxMeters: number): number {
    const limit = this.#heapSize < this.#k ? this.#maxLimit : Math.min(this.#maxLimit, widen(this.#heapChords[0]!));
    this.#sortHeap();
    let count = 0;
    for (let i = 0; i < this.#heapSize; i++) count = this.#insert(into, count, this.#heapIds[i]!, maxMeters);
    for (let i = 0; i < this.#spareCount; i++) {
      if (this.#spareChords[i]! <= limit) count = this.#insert(into, count, this.#spareIds[i]!, maxMeters);
    }
    return count;
  }

  /** Nearest first; then insertion by true distance finds nearly everything in place. */
  #sortHeap(): void {
    const ids = this.#heapIds;
    const chords = this.#heapChords;
    for (let end = this.#heapSize - 1; end > 0; end--) {
      const id = ids[end]!;
      const chord = chords[end]!;
      ids[end] = ids[0]!;
      chords[end] = chords[0]!;
      this.#siftDown(id, chord, end);
    }
  }

  #insert(into: Neighbors, count: number, id: number, maxMeters: number): number {
    const meters = this.#metersTo(id);
    if (meters > maxMeters) return count;
    const isFull = count === this.#k;
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
    return isFull ? count : count + 1;
  }

  #metersTo(id: number): number {
    return distanceMeters(this.#lat, this.#lng, this.#views.latE7[id]! / 1e7, this.#views.lngE7[id]! / 1e7);
  }
}

/**
 * From the k-th least stored chord to the greatest stored chord a true k-th nearest can have: once for the error of the
 * one, once for that of the other.
 */
function widen(chord: number): number {
  const limit = Math.sqrt(chord) + 2 * CHORD_ERROR;
  return limit * limit;
}

/** The square of the chord of a radius, and of an error. */
function limitOfRadius(meters: number, error = CHORD_ERROR): number {
  if (meters >= HALF_CIRCUMFERENCE_METERS) return NO_LIMIT;
  const limit = Math.max(0, 2 * Math.sin(Math.max(0, meters) / (2 * EARTH_RADIUS_METERS)) + error);
  return limit * limit;
}
