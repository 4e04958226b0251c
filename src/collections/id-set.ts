const PAGE_BITS = 65_536;

/**
 * A set of ids below 2^40, stored as pages of bits; a Map holds at most 2^24 pages. The ids of a
 * full GeoNames dump take two megabytes; a `Set` of them would take hundreds. An isolated id costs
 * a whole page: eight kilobytes.
 */
export class IdSet {
  readonly #pages = new Map<number, Uint8Array>();

  /** Adds an id; returns false if the set already has it. */
  add(id: number): boolean {
    const pageNumber = Math.floor(id / PAGE_BITS);
    let page = this.#pages.get(pageNumber);
    if (page === undefined) {
      page = new Uint8Array(PAGE_BITS / 8);
      this.#pages.set(pageNumber, page);
    }
    const bit = id % PAGE_BITS;
    const mask = 1 << (bit & 7);
    const byte = page[bit >> 3] ?? 0;
    if ((byte & mask) !== 0) return false;
    page[bit >> 3] = byte | mask;
    return true;
  }
}
