/**
 * Finds pairs of rows that may be the same settlement, without comparing all rows. Sorting finds
 * rows with the same external id. A sweep from south to north finds rows with the same name.
 */

import { hashText } from '../../collections/hash.ts';
import { GrowingArray, sequence } from '../../collections/typed-array.ts';
import { EARTH_RADIUS_METERS } from '../../place/sphere.ts';
import type { PlaceStore } from '../place-store.ts';
import { compareIds, IdLookup } from './id-lookup.ts';
import { comparableNames, costByName, costBySharedId, MAX_SAME_NAME_METERS } from './same-place.ts';

/** Two rows in the order of their ids. */
interface Pair {
  readonly a: number;
  readonly b: number;
  /** Lower is more certain: see same-place.ts. */
  readonly cost: number;
}

/** The dataset of a row, as one bit: its source, or whether the row is current or previous data. */
type DatasetBit = (row: number) => number;

export interface PairOptions {
  /** Only rows of different datasets are paired. */
  readonly datasetBit: DatasetBit;
  /** Counts rows compared by name. */
  readonly onProgress: (done: number, total: number) => void;
}

/** External ids with these prefixes are also place ids: `gn:123` is the place `G123`. */
const LETTER_BY_PREFIX: Readonly<Record<string, number>> = { gn: 'G'.charCodeAt(0), wof: 'F'.charCodeAt(0) };
/** An external id shared by more rows than this does not identify a settlement. */
const MAX_ROWS_PER_ID = 32;
const ROWS_PER_PROGRESS_REPORT = 10_000;
const MAX_LAT_DIFFERENCE_E7 = Math.ceil(((MAX_SAME_NAME_METERS / EARTH_RADIUS_METERS) * 180e7) / Math.PI);

/** Returns the most certain pairs first. A pair that is found in several ways is repeated. */
export function findPairs(store: PlaceStore, rows: Uint32Array, { datasetBit, onProgress }: PairOptions): Pair[] {
  const compare = (a: number, b: number) => compareIds(store, a, b);
  const pairs: Pair[] = [];
  const addPair = (a: number, b: number, costOf: typeof costByName) => {
    if (datasetBit(a) === datasetBit(b)) return;
    const cost = costOf(store, a, b);
    if (cost !== undefined) pairs.push(compare(a, b) < 0 ? { a, b, cost } : { a: b, b: a, cost });
  };
  visitPairsBySharedId(store, rows, (a, b) => addPair(a, b, costBySharedId));
  visitPairsByName(store, rowsInSharedCountries(store, rows, datasetBit), {
    onPair: (a, b) => addPair(a, b, costByName),
    onProgress,
  });
  return pairs.sort((p, q) => p.cost - q.cost || compare(p.a, q.a) || compare(p.b, q.b));
}

function rowsInSharedCountries(store: PlaceStore, rows: Uint32Array, datasetBit: DatasetBit): Uint32Array {
  const datasetBitsByCountry = new Map<string, number>();
  for (const row of rows) {
    const country = store.country(row);
    datasetBitsByCountry.set(country, (datasetBitsByCountry.get(country) ?? 0) | datasetBit(row));
  }
  return rows.filter((row) => datasetBitsByCountry.get(store.country(row)) !== datasetBit(row));
}

type OnPair = (a: number, b: number) => void;

function visitPairsBySharedId(store: PlaceStore, rows: Uint32Array, onPair: OnPair): void {
  const idOffsets = new GrowingArray(Uint32Array);
  const idRows = new GrowingArray(Uint32Array);
  for (const row of rows) {
    for (const offset of store.externalIdOffsets(row)) {
      idOffsets.push(offset);
      idRows.push(row);
    }
  }
  if (idOffsets.length === 0) return;
  const order = sequence(idOffsets.length).sort((i, j) => idOffsets.at(i) - idOffsets.at(j));
  const lookup = new IdLookup(store, rows);
  for (let lo = 0; lo < order.length; ) {
    const offset = idOffsets.at(order[lo]!);
    let hi = lo + 1;
    while (hi < order.length && idOffsets.at(order[hi]!) === offset) hi++;
    const sharingRows = Array.from(order.subarray(lo, hi), (i) => idRows.at(i));
    const ownRow = findOwnRow(store.strings.at(offset), lookup);
    if (ownRow !== undefined && !sharingRows.includes(ownRow)) sharingRows.push(ownRow);
    if (sharingRows.length <= MAX_ROWS_PER_ID) {
      for (const [i, a] of sharingRows.entries()) {
        for (const b of sharingRows.slice(i + 1)) onPair(a, b);
      }
    }
    lo = hi;
  }
}

/** Finds the row `G123` for `gn:123`. */
function findOwnRow(externalId: string, lookup: IdLookup): number | undefined {
  const colon = externalId.indexOf(':');
  const letter = LETTER_BY_PREFIX[externalId.slice(0, colon)];
  return letter === undefined ? undefined : lookup.find(letter, Number(externalId.slice(colon + 1)));
}

function visitPairsByName(
  store: PlaceStore,
  rows: Uint32Array,
  { onPair, onProgress }: { onPair: OnPair; onProgress: PairOptions['onProgress'] },
): void {
  const northward = rows.toSorted((a, b) => store.latE7(a) - store.latE7(b));
  const seen = new SeenNames(rows.reduce((sum, row) => sum + store.nameEnd(row) - store.nameStart(row), 0));
  northward.forEach((row, i) => {
    if (i % ROWS_PER_PROGRESS_REPORT === 0) onProgress(i, rows.length);
    const countryHash = hashText(store.country(row)); // names match only within a country
    let isMain = true; // the main name comes first
    for (const name of comparableNames(store, row)) {
      seen.add(hashText(name, countryHash), { row, latE7: store.latE7(row), isMain }, onPair);
      isMain = false;
    }
  });
}

/**
 * Hash table of the names seen so far. The newest entry of a chain is the northernmost and comes
 * first, so a lookup stops at an entry too far south. Hashes of different names may be equal.
 */
class SeenNames {
  /** Newest entry of each chain, by the low bits of the hash. 0 is none. */
  private readonly heads: Uint32Array;
  /** Four words per entry: hash, row × 2 (+ 1 for a main name), latitude, next in the chain. */
  private readonly entries: Int32Array;
  private nextEntry = 1;

  constructor(maxNames: number) {
    this.heads = new Uint32Array(2 ** Math.ceil(Math.log2(2 * maxNames)));
    this.entries = new Int32Array(4 * (maxNames + 1));
  }

  /** Reports rows near in latitude with the same hash, if the name is main in either row. */
  add(hash: number, { row, latE7, isMain }: { row: number; latE7: number; isMain: boolean }, onPair: OnPair): void {
    const { entries } = this;
    const chain = hash & (this.heads.length - 1);
    const mainBit = isMain ? 1 : 0;
    for (let at = 4 * this.heads[chain]!; at !== 0; at = 4 * entries[at + 3]!) {
      if (entries[at + 2]! < latE7 - MAX_LAT_DIFFERENCE_E7) break;
      const rowAndMain = entries[at + 1]!;
      const isMainOfEither = ((rowAndMain | mainBit) & 1) === 1;
      if (entries[at] === hash && isMainOfEither) onPair(rowAndMain >>> 1, row);
    }
    const at = 4 * this.nextEntry;
    entries[at] = hash;
    entries[at + 1] = (row << 1) | mainBit;
    entries[at + 2] = latE7;
    entries[at + 3] = this.heads[chain]!;
    this.heads[chain] = this.nextEntry++;
  }
}
