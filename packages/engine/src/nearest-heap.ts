/**
 * Keeps the k nearest places so far in a heap, the farthest on top. Also keeps spares: places that
 * seem farther than these k only by a possible rounding error.
 *
 * Distances are squared chords; a chord is the straight line between two points of the unit sphere.
 * The limit is the squared chord beyond which a place cannot be among the k nearest.
 */
import { grown } from './collections/typed-array.ts';

/** Maximum error of a chord (not squared): nearest.ts derives it. */
export const CHORD_ERROR = 6e-8;
const INITIAL_CAPACITY = 32;

export class NearestHeap {
  #k = 0;
  #size = 0;
  #ids = new Uint32Array(INITIAL_CAPACITY);
  #squaredChords = new Float64Array(INITIAL_CAPACITY);
  #spareCount = 0;
  #spareIds = new Uint32Array(INITIAL_CAPACITY);
  #spareSquaredChords = new Float64Array(INITIAL_CAPACITY);

  reset(k: number): void {
    this.#k = k;
    this.#size = 0;
    this.#spareCount = 0;
    if (this.#ids.length < k) {
      this.#ids = new Uint32Array(k);
      this.#squaredChords = new Float64Array(k);
    }
  }

  /** Adds an entry, which must be within the current limit; returns the new limit. */
  offer(id: number, squaredChord: number, limit: number): number {
    if (this.#size < this.#k) {
      this.#add(id, squaredChord);
      return this.#size < this.#k ? limit : this.#limitWhenFull();
    }
    const topSquaredChord = this.#squaredChords[0]!;
    if (squaredChord >= topSquaredChord) {
      this.#addSpare(id, squaredChord, limit);
      return limit;
    }
    const topId = this.#ids[0]!;
    this.#replaceTop(id, squaredChord, this.#size);
    const nextLimit = this.#limitWhenFull();
    if (topSquaredChord <= nextLimit) this.#addSpare(topId, topSquaredChord, nextLimit);
    return nextLimit;
  }

  /** Sorts the heap, nearest first. Drops spares beyond the limit. Returns the number of ids. */
  finish(): number {
    if (this.#size === this.#k) this.#dropSparesBeyond(this.#limitWhenFull());
    const ids = this.#ids;
    const squaredChords = this.#squaredChords;
    for (let end = this.#size - 1; end > 0; end--) {
      const id = ids[end]!;
      const squaredChord = squaredChords[end]!;
      ids[end] = ids[0]!;
      squaredChords[end] = squaredChords[0]!;
      this.#replaceTop(id, squaredChord, end);
    }
    return this.#size + this.#spareCount;
  }

  /** After `finish`, the ids of the sorted heap come first, then the spares. */
  idAt(i: number): number {
    return i < this.#size ? this.#ids[i]! : this.#spareIds[i - this.#size]!;
  }

  /** Two chords may each be off by CHORD_ERROR, so the limit is twice the error beyond the top. */
  #limitWhenFull(): number {
    const chord = Math.sqrt(this.#squaredChords[0]!) + 2 * CHORD_ERROR;
    return chord * chord;
  }

  #add(id: number, squaredChord: number): void {
    const ids = this.#ids;
    const squaredChords = this.#squaredChords;
    let i = this.#size++;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (squaredChords[parent]! >= squaredChord) break;
      ids[i] = ids[parent]!;
      squaredChords[i] = squaredChords[parent]!;
      i = parent;
    }
    ids[i] = id;
    squaredChords[i] = squaredChord;
  }

  /** Replaces the top entry of a heap that consists of the first `size` entries. */
  #replaceTop(id: number, squaredChord: number, size: number): void {
    const ids = this.#ids;
    const squaredChords = this.#squaredChords;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= size) break;
      if (child + 1 < size && squaredChords[child + 1]! > squaredChords[child]!) child++;
      if (squaredChords[child]! <= squaredChord) break;
      ids[i] = ids[child]!;
      squaredChords[i] = squaredChords[child]!;
      i = child;
    }
    ids[i] = id;
    squaredChords[i] = squaredChord;
  }

  #addSpare(id: number, squaredChord: number, limit: number): void {
    if (this.#spareCount === this.#spareIds.length) this.#makeRoomForSpares(limit);
    this.#spareIds[this.#spareCount] = id;
    this.#spareSquaredChords[this.#spareCount] = squaredChord;
    this.#spareCount++;
  }

  #makeRoomForSpares(limit: number): void {
    this.#dropSparesBeyond(limit);
    if (this.#spareCount * 2 <= this.#spareIds.length) return;
    this.#spareIds = grown(this.#spareIds);
    this.#spareSquaredChords = grown(this.#spareSquaredChords);
  }

  #dropSparesBeyond(limit: number): void {
    let count = 0;
    for (let i = 0; i < this.#spareCount; i++) {
      if (this.#spareSquaredChords[i]! > limit) continue;
      this.#spareIds[count] = this.#spareIds[i]!;
      this.#spareSquaredChords[count] = this.#spareSquaredChords[i]!;
      count++;
    }
    this.#spareCount = count;
  }
}
