/**
 * Ids that no place has any more, with the place that answers for each: those that gave way when records were merged, and
 * those of the previous index that are gone from the data while their settlement is still there under another id.
 * An id is always led straight to a place of today, however many builds ago it was retired.
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
  /** Of the place that answers. */
  readonly row: number;
}

type OnProgress = PairOptions['onProgress'];

interface Today {
  readonly store: PlaceStore;
  readonly merged: MergedPlaces;
  readonly onProgress: OnProgress;
}

/** Sorted by letter and number. May add rows to the store, which are no places. */
export function retiredIds(
  store: PlaceStore,
  merged: MergedPlaces,
  { previous, onProgress }: { previous: Index | undefined; onProgress: OnProgress },
): RetiredId[] {
  const retired = Array.from(merged.absorbed, ([from, row]) => ({
    letter: store.letter(from),
    number: store.number(from),
    row,
  }));
  if (previous !== undefined) retired.push(...goneSince(previous, { store, merged, onProgress }));
  return retired.sort((a, b) => a.letter - b.letter || a.number - b.number);
}

function* goneSince(previous: Index, { store, merged, onProgress }: Today): Iterable<RetiredId> {
  const present = new PresentIds(store, merged);
  const successors = present.rowsOf(previous.placeType.length, (place) => [
    readSource(previous, place),
    readNumber(previous, place),
  ]);
  const formers = present.rowsOf(previous.retiredPlace.length, (i) => [
    previous.retiredSource[i]!,
    previous.retiredNumber[i]!,
  ]);
  const isGone = fillWith(new Uint8Array(successors.length), (place) => (successors[place] === NONE ? 1 : 0));
  const known = knownSources(previous, { successors, formers, rows: store.length });
  followOtherRecordsInto(successors, previous, formers);
  recogniseInto(successors, previous, { store, merged, known, onProgress });
  for (const [place, row] of successors.entries()) {
    if (isGone[place] === 0 || row === NONE) continue;
    yield { letter: readSource(previous, place), number: readNumber(previous, place), row };
  }
  for (const [i, place] of previous.retiredPlace.entries()) {
    const row = successors[place]!;
    if (formers[i] !== NONE || row === NONE) continue;
    yield { letter: previous.retiredSource[i]!, number: previous.retiredNumber[i]!, row };
  }
}

const NONE = -1;

/** Ids in today's data, also those that were merged into others. */
class PresentIds {
  private readonly places: IdLookup;
  private readonly absorbed: IdLookup;
  private readonly rowOfAbsorbed: ReadonlyMap<number, number>;

  constructor(store: PlaceStore, { rows, absorbed }: MergedPlaces) {
    this.places = new IdLookup(store, rows);
    this.absorbed = new IdLookup(store, Uint32Array.from(absorbed.keys()));
    this.rowOfAbsorbed = absorbed;
  }

  /** The row of the place that has each id or has taken it over, or NONE. */
  rowsOf(count: number, idAt: (i: number) => readonly [letter: number, number: number]): Int32Array {
    return fillWith(new Int32Array(count), (i) => {
      const [letter, number] = idAt(i);
      const place = this.places.find(letter, number);
      if (place !== undefined) return place;
      const absorbed = this.absorbed.find(letter, number);
      return absorbed === undefined ? NONE : this.rowOfAbsorbed.get(absorbed)!;
    });
  }
}

interface FormerRows {
  readonly successors: Int32Array;
  readonly formers: Int32Array;
  readonly rows: number;
}

/** Bits of the sources that had each row's settlement before under the ids it has now. */
function knownSources(previous: Index, { successors, formers, rows }: FormerRows): Uint32Array {
  const known = new Uint32Array(rows);
  const enter = (row: number, letter: number) => {
    if (row !== NONE) known[row]! |= sourceBit(letter);
  };
  successors.forEach((row, place) => {
    enter(row, readSource(previous, place));
  });
  formers.forEach((row, i) => {
    enter(row, previous.retiredSource[i]!);
  });
  return known;
}

/** A settlement that was merged from several records, of which the one that gave the id is gone and another is not. */
function followOtherRecordsInto(successors: Int32Array, previous: Index, formers: Int32Array): void {
  const idAt = (i: number) => ({ letter: previous.retiredSource[i]!, number: previous.retiredNumber[i]! });
  const byIds = Array.from(formers.keys()).sort((i, j) => compareByTrust(idAt(i), idAt(j)));
  for (const i of byIds) {
    const place = previous.retiredPlace[i]!;
    if (successors[place] === NONE) successors[place] = formers[i]!;
  }
}

/** By the evidence that records are merged by. */
function recogniseInto(
  successors: Int32Array,
  previous: Index,
  { store, merged, known, onProgress }: Today & { readonly known: Uint32Array },
): void {
  const firstGone = store.length;
  const gone = [...successors.keys()].filter((place) => successors[place] === NONE);
  if (gone.length === 0) return;
  const places = openPlaces(previous);
  for (const place of gone) store.add(places.place(place));
  const rows = new Uint32Array(merged.rows.length + gone.length);
  rows.set(merged.rows);
  gone.forEach((_, i) => {
    rows[merged.rows.length + i] = firstGone + i;
  });
  for (const { a, b, cost } of findPairs(store, rows, { sideOf: (row) => (row < firstGone ? 1 : 2), onProgress })) {
    const [row, goneRow] = a < firstGone ? [a, b] : [b, a];
    // a neighbour of the same name that the same source had beside it is another settlement
    if (cost >= 0 && (known[row]! & sourceBit(store.letter(goneRow))) !== 0) continue;
    const place = gone[goneRow - firstGone]!;
    if (successors[place] === NONE) successors[place] = row;
  }
}
