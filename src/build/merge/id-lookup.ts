/** Finds rows of a store by place id, by binary search. */
import { lowerBound } from '../../collections/sorting.ts';
import type { PlaceStore } from '../place-store.ts';

export class IdLookup {
  private readonly store: PlaceStore;
  private readonly sorted: Uint32Array;

  constructor(store: PlaceStore, rows: Uint32Array) {
    this.store = store;
    this.sorted = rows.toSorted((a, b) => compareIds(store, a, b));
  }

  /** `letter` is a character code. */
  find(letter: number, number: number): number | undefined {
    const { store, sorted } = this;
    const compare = (row: number) => store.idLetter(row) - letter || store.idNumber(row) - number;
    const row = sorted[lowerBound(sorted.length, (i) => compare(sorted[i]!) < 0)];
    return row !== undefined && compare(row) === 0 ? row : undefined;
  }
}

export function compareIds(store: PlaceStore, a: number, b: number): number {
  return store.idLetter(a) - store.idLetter(b) || store.idNumber(a) - store.idNumber(b);
}
