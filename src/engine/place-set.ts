/** Which places a search has seen: a hash set without objects, that is emptied at no cost and stays as small as what it holds. */
const FIRST_SLOTS = 2048;
/** Spreads consecutive ids over the slots. */
const SPREAD = 0x9e3779b1;

export class PlaceSet {
  private places = new Uint32Array(FIRST_SLOTS);
  /** A slot is taken if it has the number of this filling. */
  private fillings = new Uint32Array(FIRST_SLOTS);
  private filling = 0;
  private count = 0;

  clear(): void {
    this.filling++;
    this.count = 0;
  }

  /** Whether it was not there. */
  add(place: number): boolean {
    const { places, fillings, filling } = this;
    const last = places.length - 1;
    let slot = (Math.imul(place, SPREAD) >>> 16) & last;
    while (fillings[slot] === filling) {
      if (places[slot] === place) return false;
      slot = (slot + 1) & last;
    }
    fillings[slot] = filling;
    places[slot] = place;
    if (++this.count * 2 > places.length) this.grow();
    return true;
  }

  private grow(): void {
    const held = this.places.filter((_, slot) => this.fillings[slot] === this.filling);
    this.places = new Uint32Array(2 * this.places.length);
    this.fillings = new Uint32Array(this.places.length);
    this.filling = 1;
    this.count = 0;
    for (const place of held) this.add(place);
  }
}
