/**
 * Merges the records that several sources have of the same settlement. A group has at most one
 * record per source, because two records of one source are two places. The most certain pairs are
 * joined first, so the order of the input does not matter.
 */
import { GrowingArray } from '../../collections/growing-array.ts';
import { sequence } from '../../collections/typed-array.ts';
import type { PlaceStore } from '../place-store.ts';
import { findPairs, type PairOptions } from './find-pairs.ts';
import { mergeRecords } from './merge-records.ts';
import { compareByTrust, sourceBit, sourceRank } from './source-order.ts';

/** Number of records merged into another one, by the evidence used. */
export interface MergeCounts {
  readonly bySharedId: number;
  readonly byName: number;
}

export interface MergedPlaces {
  /** Rows of all places. Merged records are new rows, added to the store. */
  readonly rows: Uint32Array;
  /** Rows whose id was dropped, with the merged rows that replace them. */
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
    const [first, ...others] = group.sort((a, b) => compareByTrust(readId(store, a), readId(store, b)));
    const merged = store.add(mergeRecords([store.place(first!), ...others.map((row) => store.place(row))]));
    for (const row of group) isReplaced[row] = 1;
    for (const row of others) absorbed.set(row, merged);
  }
  const rows = new GrowingArray(Uint32Array);
  // merged rows are past the end of `isReplaced`
  for (let row = 0; row < store.length; row++) if (isReplaced[row] !== 1) rows.push(row);
  return { rows: rows.toArray(), absorbed, counts };
}

function groupRows(
  store: PlaceStore,
  rows: Uint32Array,
  onProgress: PairOptions['onProgress'],
): { groups: number[][]; counts: MergeCounts } {
  const getSourceBit = (row: number) => sourceBit(store.letter(row));
  const pairs = findPairs(store, rows, { getSide: getSourceBit, onProgress });
  const groupByRow = new Map<number, { rows: number[]; sources: number }>();
  const counts = { bySharedId: 0, byName: 0 };
  for (const { a, b, cost } of pairs) {
    const one = groupByRow.get(a) ?? { rows: [a], sources: getSourceBit(a) };
    const other = groupByRow.get(b) ?? { rows: [b], sources: getSourceBit(b) };
    if ((one.sources & other.sources) !== 0) continue;
    const joined = { rows: [...one.rows, ...other.rows], sources: one.sources | other.sources };
    for (const row of joined.rows) groupByRow.set(row, joined);
    counts[cost < 0 ? 'bySharedId' : 'byName']++;
  }
  return { groups: [...new Set(groupByRow.values())].map((group) => group.rows), counts };
}

function countSources(store: PlaceStore): number {
  const sources = new Set<number>();
  for (let row = 0; row < store.length; row++) sources.add(sourceRank(store.letter(row)));
  return sources.size;
}

function readId(store: PlaceStore, row: number) {
  return { letter: store.letter(row), number: store.number(row) };
}
