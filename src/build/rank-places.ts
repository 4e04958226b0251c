/**
 * Assigns dense ids (0, 1, 2, …) to places in order of importance. Ties are in the order of
 * `Place.id` as text, so that the order of the input does not matter.
 */
import { fillWith } from '../collections/typed-array.ts';
import { computeImportance } from './importance.ts';
import type { PlaceStore } from './place-store.ts';

export interface RankedPlaces {
  readonly store: PlaceStore;
  /** By dense id. */
  readonly rows: Uint32Array;
  /** From 0 to 65535, by dense id. */
  readonly importance: Uint16Array;
}

export function rankPlaces(store: PlaceStore, rows: Uint32Array): RankedPlaces {
  const importanceByRow = new Uint16Array(store.length);
  const paddedNumberByRow = new Float64Array(store.length);
  for (const row of rows) {
    const factors = {
      population: store.population(row),
      nameCount: store.distinctNameCount(row),
      scriptCount: store.scriptCount(row),
      adminRank: store.adminRank(row),
    };
    importanceByRow[row] = store.importance(row) ?? Math.round(computeImportance(factors) * 0xffff);
    paddedNumberByRow[row] = padRight(store.idNumber(row));
  }
  const rankedRows = rows.toSorted(
    (a, b) =>
      importanceByRow[b]! - importanceByRow[a]! ||
      store.idLetter(a) - store.idLetter(b) ||
      paddedNumberByRow[a]! - paddedNumberByRow[b]! ||
      store.idNumber(a) - store.idNumber(b), // 1 before 10, which are equal when padded
  );
  return {
    store,
    rows: rankedRows,
    importance: fillWith(new Uint16Array(rows.length), (denseId) => importanceByRow[rankedRows[denseId]!]!),
  };
}

/** Appends zeros up to 16 digits. Padded numbers sort like text: 12 before 9. */
function padRight(number: number): number {
  let padded = number;
  while (padded > 0 && padded < 1e15) padded *= 10;
  return padded;
}
