/**
 * The records that several sources have of one settlement, made into one. A group has at most one record of each source:
 * two records of one source are two places. The surest pairs are joined first; the order of the input does not matter.
 */

import { GrowingArray } from '../../collections/growing-array.ts';
import { sequence } from '../../collections/typed-array.ts';
import type { PlaceStore } from '../place-store.ts';
import { findPairs, type PairOptions } from './find-pairs.ts';
import { compareByTrust, sourceBit, sourceOf } from './source-order.ts';
import { unitePlaces } from './unite-places.ts';

/** How many records went into another, by what told that they belong together. */
export interface MergeCounts {
  readonly bySharedId: number;
  readonly byName: number;
}

export interface MergedPlaces {
  /** The rows that are places now; united records are rows of their own, added to the store. */
  readonly rows: Uint32Array;
  /** Rows whose id gave way, and the rows that answer for them. */
  readonly absorbed: ReadonlyMap<number, number>;
  readonly counts: MergeCounts;
}

export function mergePlaces(store: PlaceStore, onProgress: PairOptions['onProgress']): MergedPlaces {
  const all = sequence(store.length);
  if (countSources(store) < 2) return { rows: all, absorbed: new Map(), counts: { bySharedId: 0, byName: 0 } };
  const { groups, counts } = groupRows(store, all, onProgress);
  const absorbed = new Map<number, number>();
  const isReplaced = new Uint8Array(store.length);
  for (const group of groups) {
    const [first, ...others] = group.sort((a, b) => compareByTrust(idOf(store, a), idOf(store, b)));
    const united = store.add(unitePlaces([store.place(first!), ...others.map((row) => store.place(row))]));
    for (const row of group) isReplaced[row] = 1;
    for (const row of others) absorbed.set(row, united);
  }
  const rows = new GrowingArray(Uint32Array);
  // united rows lie behind the end of `isReplaced`
  for (let row = 0; row < store.length; row++) if (isReplaced[row] !== 1) rows.push(row);
  return { rows: rows.toArray(), absorbed, counts };
}

function groupRows(
  store: PlaceStore,
  rows: Uint32Array,
  onProgress: PairOptions['onProgress'],
): { groups: number[][]; counts: MergeCounts } {
  const bitOf = (row: number) => sourceBit(store.letter(row));
  const pairs = findPairs(store, rows, { sideOf: bitOf, onProgress });
  const groupOf = new Map<number, { rows: number[]; sources: number }>();
  const counts = { bySharedId: 0, byName: 0 };
  for (const { a, b, cost } of pairs) {
    const one = groupOf.get(a) ?? { rows: [a], sources: bitOf(a) };
    const other = groupOf.get(b) ?? { rows: [b], sources: bitOf(b) };
    if ((one.sources & other.sources) !== 0) continue;
    const joined = { rows: [...one.rows, ...other.rows], sources: one.sources | other.sources };
    for (const row of joined.rows) groupOf.set(row, joined);
    counts[cost < 0 ? 'bySharedId' : 'byName']++;
  }
  return { groups: [...new Set(groupOf.values())].map((group) => group.rows), counts };
}

function countSources(store: PlaceStore): number {
  const sources = new Set<number>();
  for (let row = 0; row < store.length; row++) sources.add(sourceOf(store.letter(row)));
  return sources.size;
}

function idOf(store: PlaceStore, row: number) {
  return { letter: store.letter(row), number: store.number(row) };
}
