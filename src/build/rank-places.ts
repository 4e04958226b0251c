/**
 * Assigns dense ids to places in order of importance, then of their ids as text, so that the order
 * of the input does not matter.
 */
import { fillWith } from '../collections/typed-array.ts';
import { computeImportance } from './importance.ts';
import type { PlaceStore } from './place-store.ts';

export interface RankedPlaces {
  readonly store: PlaceStore;
  /** Row in the store, by dense id. */
  readonly rows: Uint32Array;
  /** Importance from 0 to 65535, by dense id. */
  readonly importance: Uint16Array;
}

export function rankPlaces(store: PlaceStore, rows: Uint32Array): RankedPlaces {
  const importance = new Uint16Array(store.length);
  const leftAligned = new Float64Array(store.length);
  for (const row of rows) {
    const factors = {
      population: store.population(row),
      nameCount: store.nameEnd(row) - store.nameStart(row),
      adminRank: store.adminRank(row),
    };
    importance[row] = store.importance(row) ?? Math.round(computeImportance(factors) * 0xffff);
    leftAligned[row] = leftAlign(store.number(row));
  }
  const ranked = rows.slice().sort((a, b) => {
    const byImportanceAndLetter = importance[b]! - importance[a]! || store.letter(a) - store.letter(b);
    return byImportanceAndLetter || leftAligned[a]! - leftAligned[b]! || store.number(a) - store.number(b);
  });
  return {
    store,
    rows: ranked,
    importance: fillWith(new Uint16Array(rows.length), (id) => importance[ranked[id]!]!),
  };
}

/** Pads a number to 16 digits with zeros on the right, so that numbers sort as text does. */
function leftAlign(number: number): number {
  let aligned = number;
  while (aligned > 0 && aligned < 1e15) aligned *= 10;
  return aligned;
}
