const PAGE_BITS = 2 ** 16;

/**
 * A set of ids below 2^40, with a bit for each: a Map holds up to 2^24 pages of 2^16 bits. The ids
 * of a full GeoNames dump take two megabytes; a `Set` of them would take hundreds of megabytes. But
 * a page (eight kilobytes) may hold a single id.
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
