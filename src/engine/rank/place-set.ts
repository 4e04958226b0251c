/**
 * The places a search has seen: a hash set of integers without objects. Clearing it costs nothing, because a slot counts
 * as taken only if it carries the current generation number.
 */
const INITIAL_SLOTS = 2048;
/** Spreads consecutive ids over the slots. */
const SPREAD = 0x9e3779b1;
/** 16 bits: the reset when the numbers run out costs nothing at this interval, and tests reach it. */
const LAST_GENERATION = 0xffff;

export class PlaceSet {
  private places = new Uint32Array(INITIAL_SLOTS);
  /** Generation of each slot; 0 means never used. */
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

  /** Returns whether the place was absent. */
  add(place: number): boolean {
    const { places, generations, generation } = this;
    const last = places.length - 1;
    let slot = (Math.imul(place, SPREAD) >>> 16) & last;
    while (generations[slot] === generation) {
      if (places[slot] === place) return false;
      slot = (slot + 1) & last;
    }
    generations[slot] = generation;
    places[slot] = place;
    if (++this.count * 2 > places.length) this.grow();
    return true;
  }

  private grow(): void {
    const held = this.places.filter((_, slot) => this.generations[slot] === this.generation);
    this.places = new Uint32Array(2 * this.places.length);
    this.generations = new Uint16Array(this.places.length);
    this.generation = 1;
    this.count = 0;
    for (const place of held) this.add(place);
  }
}
