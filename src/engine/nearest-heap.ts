/**
 * Keeps the k entries with the smallest squared chords so far, in a heap with the largest on top,
 * and spares: entries that are not among the k, but by so little that rounding may be the cause.
 */
import { grown } from '../collections/typed-array.ts';

/** Maximum error of a stored chord: see nearest.ts. */
export const CHORD_ERROR = 6e-8;

export class NearestHeap {
  #k = 0;
  #maxLimit = 0;
  #size = 0;
  #ids = new Uint32Array(32);
  #chords = new Float64Array(32);
  #spareCount = 0;
  #spareIds = new Uint32Array(32);
  #spareChords = new Float64Array(32);

  /** Empties the heap. `maxLimit` caps the limits that `offer` returns. */
  reset(k: number, maxLimit: number): void {
    this.#k = k;
    this.#maxLimit = maxLimit;
    this.#size = 0;
    this.#spareCount = 0;
    if (this.#ids.length < k) {
      this.#ids = new Uint32Array(k);
      this.#chords = new Float64Array(k);
    }
  }

  /** Adds an entry within the limit; returns the new limit. */
  offer(id: number, chord: number, limit: number): number {
    const chords = this.#chords;
    if (this.#size < this.#k) {
      this.#siftUp(id, chord);
      return this.#size < this.#k ? limit : this.#limit();
    }
    const topChord = chords[0]!;
    if (chord >= topChord) {
      this.#addSpare(id, chord, limit);
      return limit;
    }
    const topId = this.#ids[0]!;
    this.#siftDown(id, chord, this.#size);
    const nextLimit = this.#limit();
    if (topChord <= nextLimit) this.#addSpare(topId, topChord, nextLimit);
    return nextLimit;
  }

  /** Sorts the heap, nearest first, drops spares beyond the limit, and returns the count. */
  finish(): number {
    if (this.#size === this.#k) this.#dropSpares(this.#limit());
    const ids = this.#ids;
    const chords = this.#chords;
    for (let end = this.#size - 1; end > 0; end--) {
      const id = ids[end]!;
      const chord = chords[end]!;
      ids[end] = ids[0]!;
      chords[end] = chords[0]!;
      this.#siftDown(id, chord, end);
    }
    return this.#size + this.#spareCount;
  }

  /** After `finish`, the id of entry `i`: entries of the heap come first, then the spares. */
  idAt(i: number): number {
    return i < this.#size ? this.#ids[i]! : this.#spareIds[i - this.#size]!;
  }

  /** Maximum squared chord of further entries when the heap has k entries. */
  #limit(): number {
    return Math.min(this.#maxLimit, widen(this.#chords[0]!));
  }

  #siftUp(id: number, chord: number): void {
    const ids = this.#ids;
    const chords = this.#chords;
    let i = this.#size++;
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

  /** Replaces the top entry in a heap of `size`. */
  #siftDown(id: number, chord: number, size: number): void {
    const ids = this.#ids;
    const chords = this.#chords;
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

  #addSpare(id: number, chord: number, limit: number): void {
    if (this.#spareCount === this.#spareIds.length) this.#makeRoomForSpares(limit);
    this.#spareIds[this.#spareCount] = id;
    this.#spareChords[this.#spareCount] = chord;
    this.#spareCount++;
  }

  /** Drops spares beyond the limit. The arrays grow only if many places have the same position. */
  #makeRoomForSpares(limit: number): void {
    this.#dropSpares(limit);
    if (this.#spareCount * 2 <= this.#spareIds.length) return;
    this.#spareIds = grown(this.#spareIds);
    this.#spareChords = grown(this.#spareChords);
  }

  #dropSpares(limit: number): void {
    let count = 0;
    for (let i = 0; i < this.#spareCount; i++) {
      if (this.#spareChords[i]! > limit) continue;
      this.#spareIds[count] = this.#spareIds[i]!;
      this.#spareChords[count] = this.#spareChords[i]!;
      count++;
    }
    this.#spareCount = count;
  }
}

/**
 * Takes the k-th smallest stored chord, squared, and returns the largest that the true k-th nearest
 * entry can have: both chords may be off by CHORD_ERROR.
 */
function widen(chord: number): number {
  const limit = Math.sqrt(chord) + 2 * CHORD_ERROR;
  return limit * limit;
}
