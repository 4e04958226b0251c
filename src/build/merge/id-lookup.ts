/** Rows of a store by the id of their place, by binary search. */
import type { PlaceStore } from '../place-store.ts';

export class IdLookup {
  private readonly store: PlaceStore;
  /** By letter, then by number. */
  private readonly sorted: Uint32Array;

  constructor(store: PlaceStore, rows: Uint32Array) {
    this.store = store;
    this.sorted = rows.slice().sort((a, b) => compareIds(store, a, b));
  }

  find(letter: number, number: number): number | undefined {
    const { store, sorted } = this;
    let lo = 0;
    let hi = sorted.length;
    while (lo < hi) {
      const middle = (lo + hi) >>> 1;
      const row = sorted[middle]!;
      if ((store.letter(row) - letter || store.number(row) - number) < 0) lo = middle + 1;
      else hi = middle;
    }
    const row = sorted[lo];
    return row !== undefined && store.letter(row) === letter && store.number(row) === number ? row : undefined;
  }
}

/** By letter, then by number. */
export function compareIds(store: PlaceStore, a: number, b: number): number {
  return store.letter(a) - store.letter(b) || store.number(a) - store.number(b);
}
