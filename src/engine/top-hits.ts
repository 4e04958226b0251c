/**
 * The best candidates so far, best first, each place once with its best match. Ties go to the lower place id,
 * so answers never flicker. A fixed number of slots in flat arrays; nothing is allocated while searching.
 */
export class TopHits {
  readonly capacity: number;
  count = 0;
  /** A candidate at or below this cannot get in. */
  threshold = Number.NEGATIVE_INFINITY;
  readonly score: Float64Array;
  readonly place: Uint32Array;
  readonly posting: Uint32Array;
  readonly match: Uint8Array;
  readonly typos: Uint8Array;
  readonly reading: Uint8Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.score = new Float64Array(capacity);
    this.place = new Uint32Array(capacity);
    this.posting = new Uint32Array(capacity);
    this.match = new Uint8Array(capacity);
    this.typos = new Uint8Array(capacity);
    this.reading = new Uint8Array(capacity);
  }

  clear(): void {
    this.count = 0;
    this.threshold = Number.NEGATIVE_INFINITY;
  }

  get bestScore(): number {
    return this.count === 0 ? Number.NEGATIVE_INFINITY : this.score[0]!;
  }

  /** Returns the slot taken, whose other fields the caller fills in, or -1. */
  offer(place: number, score: number): number {
    if (score <= this.threshold) return -1;
    for (let i = 0; i < this.count; i++) {
      if (this.place[i] !== place) continue;
      if (this.score[i]! >= score) return -1;
      this.moveUp(i + 1, this.count, i);
      this.count--;
      break;
    }
    let slot = this.count;
    while (slot > 0 && this.isBefore(place, score, slot - 1)) slot--;
    if (slot === this.capacity) return -1;
    const last = Math.min(this.count, this.capacity - 1);
    this.moveDown(slot, last);
    this.count = last + 1;
    this.score[slot] = score;
    this.place[slot] = place;
    if (this.count === this.capacity) this.threshold = this.score[this.capacity - 1]!;
    return slot;
  }

  private isBefore(place: number, score: number, slot: number): boolean {
    const other = this.score[slot]!;
    return score > other || (score === other && place < this.place[slot]!);
  }

  private moveUp(from: number, to: number, target: number): void {
    for (const column of this.columns()) column.copyWithin(target, from, to);
  }

  private moveDown(from: number, to: number): void {
    for (const column of this.columns()) column.copyWithin(from + 1, from, to);
  }

  private columns() {
    return [this.score, this.place, this.posting, this.match, this.typos, this.reading] as const;
  }
}
