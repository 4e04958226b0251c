/**
 * Finds retired ids and the places that replace them: ids dropped when records were merged, and ids
 * of the previous index that are missing from the data although their settlement now has another
 * id. A retired id always maps directly to a current place, however many builds ago it was retired.
 */
import { fillWith, sequence } from '../../collections/typed-array.ts';
import type { Index } from '../../index-file/layout.ts';
import { readNumber, readSource } from '../../index-file/packed-record.ts';
import { openPlaces } from '../../index-file/read-places.ts';
import type { PlaceStore } from '../place-store.ts';
import { findPairs, type PairOptions } from './find-pairs.ts';
import { IdLookup } from './id-lookup.ts';
import type { MergedPlaces } from './merge-places.ts';
import { compareByTrust, type IdParts, readId, sourceBit } from './source-order.ts';

export interface RetiredId extends IdParts {
  /** Row of the place that replaces it. */
  readonly row: number;
}

type OnProgress = PairOptions['onProgress'];

interface CurrentData {
  readonly store: PlaceStore;
  readonly merged: MergedPlaces;
  readonly onProgress: OnProgress;
}

/** Stands for a missing row. */
const NONE = -1;

/** Sorted by letter and number. Adds rows to the store that are not in `merged.rows`. */
export function findRetiredIds(
  store: PlaceStore,
  merged: MergedPlaces,
  { previous, onProgress }: { previous: Index | undefined; onProgress: OnProgress },
): RetiredId[] {
  const retired = Array.from(merged.absorbed, ([absorbed, row]) => ({ ...readId(store, absorbed), row }));
  if (previous !== undefined) retired.push(...retiredSince(previous, { store, merged, onProgress }));
  return retired.sort((a, b) => a.letter - b.letter || a.number - b.number);
}

function* retiredSince(previous: Index, current: CurrentData): Iterable<RetiredId> {
  const ids = new PreviousIds(previous);
  const currentIds = new CurrentIds(current.store, current.merged);
  const rowOfId = fillWith(new Int32Array(ids.count), (i) => currentIds.findRow(ids.at(i)));
  /** For each place of the previous index, the row of the same settlement, or NONE. */
  const successors = rowOfId.slice(0, ids.placeCount);
  fillInByOtherIds(successors, ids, rowOfId);
  const knownSources = collectKnownSources(ids, rowOfId, current.store.length);
  fillInBySimilarity(successors, previous, { ...current, knownSources });
  for (const [i, row] of rowOfId.entries()) {
    const successor = successors[ids.placeAt(i)]!;
    if (row === NONE && successor !== NONE) yield { ...ids.at(i), row: successor };
  }
}

/** The ids of the previous index: those of its places, by dense id, then its retired ids. */
class PreviousIds {
  readonly placeCount: number;
  readonly count: number;
  private readonly index: Index;

  constructor(index: Index) {
    this.index = index;
    this.placeCount = index.placeType.length;
    this.count = this.placeCount + index.retiredPlace.length;
  }

  at(i: number): IdParts {
    const { index, placeCount } = this;
    if (i < placeCount) return { letter: readSource(index, i), number: readNumber(index, i) };
    return { letter: index.retiredSource[i - placeCount]!, number: index.retiredNumber[i - placeCount]! };
  }

  /** Dense id, in the previous index, of the place that the id leads to. */
  placeAt(i: number): number {
    return i < this.placeCount ? i : this.index.retiredPlace[i - this.placeCount]!;
  }
}

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

  /** The row of the place that has the id or has absorbed it, or NONE. */
  findRow({ letter, number }: IdParts): number {
    const place = this.places.find(letter, number);
    if (place !== undefined) return place;
    const absorbed = this.absorbed.find(letter, number);
    return absorbed === undefined ? NONE : this.rowOfAbsorbed.get(absorbed)!;
  }
}

/** If the data lacks the id of a merged place, another of its records may still be there. */
function fillInByOtherIds(successors: Int32Array, ids: PreviousIds, rowOfId: Int32Array): void {
  const retired = sequence(ids.count).subarray(ids.placeCount);
  for (const i of retired.sort((a, b) => compareByTrust(ids.at(a), ids.at(b)))) {
    const place = ids.placeAt(i);
    if (successors[place] === NONE) successors[place] = rowOfId[i]!;
  }
}

/** For each row, the bits of the sources whose current id of it was in the previous index. */
function collectKnownSources(ids: PreviousIds, rowOfId: Int32Array, rowCount: number): Uint32Array {
  const knownSources = new Uint32Array(rowCount);
  for (const [i, row] of rowOfId.entries()) {
    if (row !== NONE) knownSources[row]! |= sourceBit(ids.at(i).letter);
  }
  return knownSources;
}

/** Fills in successors by the evidence used for merging. Adds the missing places to the store. */
function fillInBySimilarity(
  successors: Int32Array,
  previous: Index,
  { store, merged, knownSources, onProgress }: CurrentData & { readonly knownSources: Uint32Array },
): void {
  const firstMissingRow = store.length;
  const missing = sequence(successors.length).filter((place) => successors[place] === NONE);
  if (missing.length === 0) return;
  const places = openPlaces(previous);
  for (const place of missing) store.add(places.readPlace(place));
  const rows = new Uint32Array(merged.rows.length + missing.length);
  rows.set(merged.rows);
  rows.set(sequence(store.length).subarray(firstMissingRow), merged.rows.length);
  for (const { a, b, cost } of findPairs(store, rows, {
    datasetBit: (row) => (row < firstMissingRow ? 1 : 2),
    onProgress,
  })) {
    const [row, missingRow] = a < firstMissingRow ? [a, b] : [b, a];
    const isByName = cost >= 0;
    // if a source listed both in the previous index, they are two settlements with one name
    if (isByName && (knownSources[row]! & sourceBit(store.idLetter(missingRow))) !== 0) continue;
    const place = missing[missingRow - firstMissingRow]!;
    if (successors[place] === NONE) successors[place] = row;
  }
}
