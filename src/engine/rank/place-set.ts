/**
 * A hash set of place ids in typed arrays. Clearing it only starts a new generation: a slot counts
 * as empty unless it was filled in the current generation.
 */
const INITIAL_SLOTS = 2048; // a power of two, as the bit mask in `add` requires
/** Hash multiplier that spreads consecutive ids over the slots: 2^32 over the golden ratio. */
const HASH_MULTIPLIER = 0x9e3779b1;
/** Generations have 16 bits: starting again at 1 is rare, but a test can still reach it. */
const LAST_GENERATION = 0xffff;

export class PlaceSet {
  private places = new Uint32Array(INITIAL_SLOTS);
  /** The generation in which each slot was filled; 0 means never. */
  private generations = new Uint16Array(INITIAL_SLOTS);
  private generation = 1;
  private count = 0;

  clear(): void {
    this.count = 0;
    if (this.generation === LAST_GENERATION) {
      this.generations.fill(0);
      this.generation = 0;
    }
    this.generation++;
  }

  /** Adds a place; returns false if the set already has it. */
  add(place: number): boolean {
    const { places, generations, generation } = this;
    const mask = places.length - 1;
    let slot = (Math.imul(place, HASH_MULTIPLIER) >>> 16) & mask; // the high bits are mixed best
    while (generations[slot] === generation) {
      if (places[slot] === place) return false;
      slot = (slot + 1) & mask;
    }
    generations[slot] = generation;
    places[slot] = place;
    if (++this.count * 2 > places.length) this.grow();
    return true;
  }

  private grow(): void {
    const members = this.places.filter((_, slot) => this.generations[slot] === this.generation);
    this.places = new Uint32Array(2 * this.places.length);
    this.generations = new Uint16Array(this.places.length);
    this.generation = 1;
    this.count = 0;
    for (const place of members) this.add(place);
  }
}
