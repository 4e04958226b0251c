/**
 * Finds retired ids and the places that replace them: ids dropped when records were merged, and ids
 * of the previous index that are missing from the data although their settlement now has another
 * id. A retired id always maps directly to a current place, however many builds ago it was retired.
 */

import { fillWith } from '../../collections/typed-array.ts';
import type { Index } from '../../index-file/layout.ts';
import { readNumber, readSource } from '../../index-file/packed-record.ts';
import { openPlaces } from '../../index-file/read-places.ts';
import type { PlaceStore } from '../place-store.ts';
import { findPairs, type PairOptions } from './find-pairs.ts';
import { IdLookup } from './id-lookup.ts';
import type { MergedPlaces } from './merge-places.ts';
import { compareByTrust, type SourceId, sourceBit } from './source-order.ts';

export interface RetiredId extends SourceId {
  /** Row of the place that replaces it. */
  readonly row: number;
}

type OnProgress = PairOptions['onProgress'];

interface CurrentData {
  readonly store: PlaceStore;
  readonly merged: MergedPlaces;
  readonly onProgress: OnProgress;
}

/** Sorted by letter and number. May add rows to the store that are not places. */
export function findRetiredIds(
  store: PlaceStore,
  merged: MergedPlaces,
  { previous, onProgress }: { previous: Index | undefined; onProgress: OnProgress },
): RetiredId[] {
  const retired = Array.from(merged.absorbed, ([from, row]) => ({
    letter: store.letter(from),
    number: store.number(from),
    row,
  }));
  if (previous !== undefined) retired.push(...retiredSince(previous, { store, merged, onProgress }));
  return retired.sort((a, b) => a.letter - b.letter || a.number - b.number);
}

function* retiredSince(previous: Index, { store, merged, onProgress }: CurrentData): Iterable<RetiredId> {
  const current = new CurrentIds(store, merged);
  const successors = current.findRows(previous.placeType.length, (place) => [
    readSource(previous, place),
    readNumber(previous, place),
  ]);
  const retiredRows = current.findRows(previous.retiredPlace.length, (i) => [
    previous.retiredSource[i]!,
    previous.retiredNumber[i]!,
  ]);
  const isMissing = fillWith(new Uint8Array(successors.length), (place) => (successors[place] === NONE ? 1 : 0));
  const known = knownSources(previous, { successors, retiredRows, rows: store.length });
  fillInByOtherRecords(successors, previous, retiredRows);
  fillInBySimilarity(successors, previous, { store, merged, known, onProgress });
  for (const [place, row] of successors.entries()) {
    if (isMissing[place] === 0 || row === NONE) continue;
    yield { letter: readSource(previous, place), number: readNumber(previous, place), row };
  }
  for (const [i, place] of previous.retiredPlace.entries()) {
    const row = successors[place]!;
    if (retiredRows[i] !== NONE || row === NONE) continue;
    yield { letter: previous.retiredSource[i]!, number: previous.retiredNumber[i]!, row };
  }
}

const NONE = -1;

/** The ids of the current data, including those of merged records. */
class CurrentIds {
  private readonly places: IdLookup;
  private readonly absorbed: IdLookup;
  private readonly rowOfAbsorbed: ReadonlyMap<number, number>;

  constructor(store: PlaceStore, { rows, absorbed }: MergedPlaces) {
    this.places = new IdLookup(store, rows);
    this.absorbed = new IdLookup(store, Uint32Array.from(absorbed.keys()));
    this.rowOfAbsorbed = absorbed;
  }

  /** For each id, the row of the place that has it or has absorbed it, or NONE. */
  findRows(count: number, idAt: (i: number) => readonly [letter: number, number: number]): Int32Array {
    return fillWith(new Int32Array(count), (i) => {
      const [letter, number] = idAt(i);
      const place = this.places.find(letter, number);
      if (place !== undefined) return place;
      const absorbed = this.absorbed.find(letter, number);
      return absorbed === undefined ? NONE : this.rowOfAbsorbed.get(absorbed)!;
    });
  }
}

interface PreviousRows {
  readonly successors: Int32Array;
  readonly retiredRows: Int32Array;
  readonly rows: number;
}

/** For each row, bits of the sources that already had its current ids in the previous index. */
function knownSources(previous: Index, { successors, retiredRows, rows }: PreviousRows): Uint32Array {
  const known = new Uint32Array(rows);
  const add = (row: number, letter: number) => {
    if (row !== NONE) known[row]! |= sourceBit(letter);
  };
  successors.forEach((row, place) => {
    add(row, readSource(previous, place));
  });
  retiredRows.forEach((row, i) => {
    add(row, previous.retiredSource[i]!);
  });
  return known;
}

/** Fills in successors of merged places through their other records. */
function fillInByOtherRecords(successors: Int32Array, previous: Index, retiredRows: Int32Array): void {
  const idAt = (i: number) => ({ letter: previous.retiredSource[i]!, number: previous.retiredNumber[i]! });
  const byTrust = Array.from(retiredRows.keys()).sort((i, j) => compareByTrust(idAt(i), idAt(j)));
  for (const i of byTrust) {
    const place = previous.retiredPlace[i]!;
    if (successors[place] === NONE) successors[place] = retiredRows[i]!;
  }
}

/** Fills in successors by the evidence that is used for merging. */
function fillInBySimilarity(
  successors: Int32Array,
  previous: Index,
  { store, merged, known, onProgress }: CurrentData & { readonly known: Uint32Array },
): void {
  const firstMissingRow = store.length;
  const missing = [...successors.keys()].filter((place) => successors[place] === NONE);
  if (missing.length === 0) return;
  const places = openPlaces(previous);
  for (const place of missing) store.add(places.place(place));
  const rows = new Uint32Array(merged.rows.length + missing.length);
  rows.set(merged.rows);
  missing.forEach((_, i) => {
    rows[merged.rows.length + i] = firstMissingRow + i;
  });
  for (const { a, b, cost } of findPairs(store, rows, {
    getSide: (row) => (row < firstMissingRow ? 1 : 2),
    onProgress,
  })) {
    const [row, missingRow] = a < firstMissingRow ? [a, b] : [b, a];
    // if the source already had both ids, the neighbour with the same name is another settlement
    if (cost >= 0 && (known[row]! & sourceBit(store.letter(missingRow))) !== 0) continue;
    const place = missing[missingRow - firstMissingRow]!;
    if (successors[place] === NONE) successors[place] = row;
  }
}
