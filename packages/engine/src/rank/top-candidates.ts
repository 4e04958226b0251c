/**
 * Keeps the best candidates so far, each place once with its best match. Equal scores are ordered
 * by place id; but if the list is full, a score equal to the last one does not get in. A
 * candidate's slot is its index in typed arrays of a fixed size, so a search allocates nothing.
 */

const BUCKETS = 256;

export class TopCandidates {
  /** Number of candidates by place id modulo BUCKETS. If it is 0, the place is not in the list. */
  private readonly bucketCounts = new Uint8Array(BUCKETS);
  /** Maximum number of candidates, up to 255: slots and bucket counts are bytes. */
  capacity: number;
  count = 0;
  /** A candidate gets in only with a higher score than this. */
  threshold = Number.NEGATIVE_INFINITY;
  /** Slots, best candidate first. A rank is an index in this list. */
  readonly order: Uint8Array;

  // By slot:
  readonly score: Float64Array;
  readonly place: Uint32Array;
  /** Index in `Index.postings` of the posting that matched. */
  readonly position: Uint32Array;
  readonly flags: Uint8Array;
  /** One of MATCH. */
  readonly match: Uint8Array;
  readonly typos: Uint8Array;
  /** Index in `SearchOutcome.interpretations`. */
  readonly interpretation: Uint8Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.order = new Uint8Array(capacity);
    this.score = new Float64Array(capacity);
    this.place = new Uint32Array(capacity);
    this.position = new Uint32Array(capacity);
    this.flags = new Uint8Array(capacity);
    this.match = new Uint8Array(capacity);
    this.typos = new Uint8Array(capacity);
    this.interpretation = new Uint8Array(capacity);
  }

  clear(capacity: number): void {
    this.capacity = Math.min(capacity, this.order.length);
    for (let slot = 0; slot < this.count; slot++) this.bucketCounts[this.place[slot]! % BUCKETS] = 0;
    this.count = 0;
    this.threshold = Number.NEGATIVE_INFINITY;
  }

  get bestScore(): number {
    return this.count === 0 ? Number.NEGATIVE_INFINITY : this.score[this.order[0]!]!;
  }

  /** Lowers the capacity, but not below the current count. */
  lowerCapacity(capacity: number): void {
    this.capacity = Math.max(this.count, Math.min(this.capacity, capacity));
    if (this.count === this.capacity) this.threshold = this.score[this.order[this.count - 1]!]!;
  }

  /**
   * Adds a place or raises its score. Returns its slot, whose other fields the caller must set; -1
   * if the place does not get in or scored at least this before.
   */
  offer(place: number, score: number): number {
    if (score <= this.threshold) return -1;
    const { order, count } = this;
    let rank = this.bucketCounts[place % BUCKETS] === 0 ? -1 : this.rankOf(place);
    let slot: number;
    if (rank !== -1) {
      slot = order[rank]!;
      if (this.score[slot]! >= score) return -1;
    } else if (count < this.capacity) {
      rank = count;
      slot = count;
      this.count++;
      this.bucketCounts[place % BUCKETS]!++;
      this.place[slot] = place;
    } else {
      rank = count - 1; // replaces the last candidate
      slot = order[rank]!;
      this.reassignSlot(slot, place);
    }
    while (rank > 0 && this.isBefore(place, score, order[rank - 1]!)) {
      order[rank] = order[rank - 1]!;
      rank--;
    }
    order[rank] = slot;
    this.score[slot] = score;
    if (this.count === this.capacity) this.threshold = this.score[order[this.capacity - 1]!]!;
    return slot;
  }

  /** Gives a slot to another place, at the same rank. The caller must set all other fields. */
  reassignSlot(slot: number, place: number): void {
    this.bucketCounts[this.place[slot]! % BUCKETS]!--;
    this.bucketCounts[place % BUCKETS]!++;
    this.place[slot] = place;
  }

  /** Copies all fields except place and score. */
  copyMatch(slot: number, from: TopCandidates, fromSlot: number): void {
    this.position[slot] = from.position[fromSlot]!;
    this.flags[slot] = from.flags[fromSlot]!;
    this.match[slot] = from.match[fromSlot]!;
    this.typos[slot] = from.typos[fromSlot]!;
    this.interpretation[slot] = from.interpretation[fromSlot]!;
  }

  slotOf(place: number): number {
    return this.place.subarray(0, this.count).indexOf(place);
  }

  private rankOf(place: number): number {
    for (let rank = 0; rank < this.count; rank++) if (this.place[this.order[rank]!] === place) return rank;
    return -1;
  }

  private isBefore(place: number, score: number, slot: number): boolean {
    const otherScore = this.score[slot]!;
    return score > otherScore || (score === otherScore && place < this.place[slot]!);
  }
}
