/** Dense ids: by importance, then by id as a text, so that they do not depend on the order of the source. */

import { fillWith } from '../collections/typed-array.ts';
import { importanceOf } from './importance.ts';
import type { PlaceStore } from './place-store.ts';

export interface RankedPlaces {
  readonly store: PlaceStore;
  /** By dense id: the row in the store. */
  readonly rows: Uint32Array;
  /** By dense id: 0..65535. */
  readonly importance: Uint16Array;
}

export function rankPlaces(store: PlaceStore, rows: Uint32Array): RankedPlaces {
  const importance = new Uint16Array(store.length);
  const digits = new Float64Array(store.length);
  for (const row of rows) {
    const signs = {
      population: store.population(row),
      nameCount: store.nameEnd(row) - store.nameStart(row),
      adminRank: store.adminRank(row),
    };
    importance[row] = store.importance(row) ?? Math.round(importanceOf(signs) * 0xffff);
    digits[row] = leftAligned(store.number(row));
  }
  const ranked = rows.slice().sort((a, b) => {
    const first = importance[b]! - importance[a]! || store.letter(a) - store.letter(b);
    return first || digits[a]! - digits[b]! || store.number(a) - store.number(b);
  });
  return {
    store,
    rows: ranked,
    importance: fillWith(new Uint16Array(rows.length), (id) => importance[ranked[id]!]!),
  };
}

/** Numbers so ordered are in the order of their digits read as text; 16 digits hold every exact integer. */
function leftAligned(number: number): number {
  let aligned = number;
  while (aligned > 0 && aligned < 1e15) aligned *= 10;
  return aligned;
}
