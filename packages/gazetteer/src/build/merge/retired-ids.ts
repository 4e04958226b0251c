/**
 * Finds retired ids, and the current place that each leads to. An id is retired if its source says so, if
 * a merge dropped it, or if the previous index has it and the new data has the settlement under another id.
 */
import { fillWith, sequence } from 'toponym-engine/collections/typed-array';
import type { Index } from 'toponym-engine/index-file/layout';
import { readIdLetter, readIdNumber } from 'toponym-engine/index-file/packed-record';
import type { PlaceStore } from '../place-store.ts';
import { openPlaces } from '../read-places.ts';
import { findPairs, isCostBySharedId, type PairOptions } from './find-pairs.ts';
import type { MergedPlaces } from './merge-places.ts';
import { compareByTrust, createIdLookup, type IdParts, readId, sourceBit } from './place-ids.ts';

export interface RetiredId extends IdParts {
  readonly row: number;
}

type OnProgress = PairOptions['onProgress'];

interface RetiredIdOptions {
  /** As in `Gazetteer`. */
  readonly retiredIds?: ReadonlyMap<string, string> | undefined;
  readonly previous: Index | undefined;
  readonly onProgress: OnProgress;
}

interface CurrentBuild {
  readonly store: PlaceStore;
  readonly merged: MergedPlaces;
  readonly onProgress: OnProgress;
}

const NO_ROW = -1;

/**
 * Retired ids by letter, then number. Appends places of `previous` to the store, to compare them
 * with current places. The new index leaves them out, because they are not in `merged.rows`.
 */
export function findRetiredIds(
  store: PlaceStore,
  merged: MergedPlaces,
  { retiredIds, previous, onProgress }: RetiredIdOptions,
): RetiredId[] {
  const byMerges = Array.from(merged.absorbed, ([absorbedRow, row]) => ({ ...readId(store, absorbedRow), row }));
  const bySource = retiredIds === undefined ? [] : idsRetiredBySource(retiredIds, { store, merged });
  const sincePrevious = previous === undefined ? [] : idsRetiredSince(previous, { store, merged, onProgress });
  const retired = new Map<string, RetiredId>();
  // of several that know an id, the last one counts
  for (const id of [...sincePrevious, ...bySource, ...byMerges]) retired.set(`${id.letter} ${id.number}`, id);
  return [...retired.values()].sort((a, b) => a.letter - b.letter || a.number - b.number);
}

/** Leaves out ids that are in use, and those whose place is gone. */
function* idsRetiredBySource(
  retiredIds: ReadonlyMap<string, string>,
  { store, merged }: Pick<CurrentBuild, 'store' | 'merged'>,
): Iterable<RetiredId> {
  const { rows, absorbed } = merged;
  const findRow = createIdLookup(store, concat(rows, Uint32Array.from(absorbed.keys())));
  for (const [id, current] of retiredIds) {
    const row = findRow(parseId(current));
    if (row === undefined || findRow(parseId(id)) !== undefined) continue;
    yield { ...parseId(id), row: absorbed.get(row) ?? row };
  }
}

function parseId(id: string): IdParts {
  return { letter: id.charCodeAt(0), number: Number(id.slice(1)) };
}

function* idsRetiredSince(previous: Index, current: CurrentBuild): Iterable<RetiredId> {
  const { rows, absorbed } = current.merged;
  const previousIds = listPreviousIds(previous);
  const findRow = createIdLookup(current.store, concat(rows, Uint32Array.from(absorbed.keys())));
  // for each id of the previous index, the row of the current place with this id, or NO_ROW
  const rowOfId = fillWith(new Int32Array(previousIds.count), (i) => {
    const row = findRow(previousIds.at(i)) ?? NO_ROW;
    return absorbed.get(row) ?? row;
  });
  // for each place of the previous index, the current row of the same settlement, or NO_ROW
  const successors = rowOfId.slice(0, previousIds.placeCount);
  fillInByRetiredIds(successors, previousIds, rowOfId);
  const previousSources = collectPreviousSources(previousIds, rowOfId, current.store.length);
  fillInByComparison(successors, previous, { ...current, previousSources });
  for (const [i, row] of rowOfId.entries()) {
    const successor = successors[previousIds.placeAt(i)]!;
    if (row === NO_ROW && successor !== NO_ROW) yield { ...previousIds.at(i), row: successor };
  }
}

type PreviousIds = ReturnType<typeof listPreviousIds>;

/** The ids of the places of the previous index, by dense id, then its retired ids. */
function listPreviousIds(index: Index) {
  const { retiredSource, retiredNumber, retiredPlace } = index;
  const placeCount = index.placeType.length;
  return {
    placeCount,
    count: placeCount + retiredPlace.length,
    at(i: number): IdParts {
      if (i < placeCount) return { letter: readIdLetter(index, i), number: readIdNumber(index, i) };
      return { letter: retiredSource[i - placeCount]!, number: retiredNumber[i - placeCount]! };
    },
    /** Dense id of the previous place that the id leads to. */
    placeAt: (i: number): number => (i < placeCount ? i : retiredPlace[i - placeCount]!),
  };
}

/** A place gets the row of its most trusted retired id that is in use again. */
function fillInByRetiredIds(successors: Int32Array, ids: PreviousIds, rowOfId: Int32Array): void {
  const retired = sequence(ids.count).subarray(ids.placeCount);
  for (const i of retired.sort((a, b) => compareByTrust(ids.at(a), ids.at(b)))) {
    const place = ids.placeAt(i);
    if (successors[place] === NO_ROW) successors[place] = rowOfId[i]!;
  }
}

/** By current row, as bits: the sources whose ids of the place were in the previous index. */
function collectPreviousSources(ids: PreviousIds, rowOfId: Int32Array, rowCount: number): Uint32Array {
  const previousSources = new Uint32Array(rowCount);
  for (const [i, row] of rowOfId.entries()) {
    if (row !== NO_ROW) previousSources[row]! |= sourceBit(ids.at(i).letter);
  }
  return previousSources;
}

/** Compares places as a merge does. Appends the places without a successor to the store. */
function fillInByComparison(
  successors: Int32Array,
  previous: Index,
  { store, merged, previousSources, onProgress }: CurrentBuild & { readonly previousSources: Uint32Array },
): void {
  const unresolved = sequence(successors.length).filter((place) => successors[place] === NO_ROW);
  if (unresolved.length === 0) return;
  const places = openPlaces(previous);
  const firstAddedRow = store.length;
  const addedRows = unresolved.map((place) => store.add(places.readPlace(place)));
  for (const { a, b, cost } of findPairs(store, concat(merged.rows, addedRows), {
    datasetBit: (row) => (row < firstAddedRow ? 1 : 2), // current or previous data
    onProgress,
  })) {
    const [row, addedRow] = a < firstAddedRow ? [a, b] : [b, a];
    // a source that listed both places has two settlements of one name
    const hadBothFromOneSource = (previousSources[row]! & sourceBit(store.idLetter(addedRow))) !== 0;
    if (hadBothFromOneSource && !isCostBySharedId(cost)) continue;
    const place = unresolved[addedRow - firstAddedRow]!;
    if (successors[place] === NO_ROW) successors[place] = row;
  }
}

function concat(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
