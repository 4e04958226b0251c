/**
 * Finds pairs of rows that may be the same settlement, without comparing all rows. Sorting finds
 * rows with the same external id. A sweep from south to north, with a hash table of the names seen
 * so far, finds rows with the same name. Each chain of the table runs from north to south, and a
 * lookup stops where the chain is too far south. Memory: about 24 bytes per name.
 */
import { GrowingArray } from '../../collections/growing-array.ts';
import { hashText } from '../../collections/hash.ts';
import { sequence } from '../../collections/typed-array.ts';
import { EARTH_RADIUS_METERS } from '../../place/sphere.ts';
import type { PlaceStore } from '../place-store.ts';
import { compareIds, IdLookup } from './id-lookup.ts';
import { comparableNames, costByName, costBySharedId, MAX_DISTANCE_METERS } from './same-place.ts';

export interface Pair {
  readonly a: number;
  readonly b: number;
  /** Lower is more certain. Negative: found by a shared id; otherwise by name. */
  readonly cost: number;
}

export interface PairOptions {
  /** The side of a row, as one bit. Only rows of different sides are paired. */
  readonly getSide: (row: number) => number;
  /** Called with the number of rows compared by name, and the total. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Letters of place ids by the prefix of external ids that refer to them. */
const LETTER_BY_PREFIX: Readonly<Record<string, number>> = { gn: 'G'.charCodeAt(0), wof: 'F'.charCodeAt(0) };
/** If more rows share an external id, they are not the same settlement. */
const MAX_ROWS_PER_ID = 32;
/** Rows between two progress reports. */
const PROGRESS_STEP = 10_000;
const MAX_DISTANCE_E7 = Math.ceil(((MAX_DISTANCE_METERS / EARTH_RADIUS_METERS) * 180e7) / Math.PI);

/** Sorts pairs by certainty, then by ids, so the order of rows does not matter. */
export function findPairs(store: PlaceStore, rows: Uint32Array, { getSide, onProgress }: PairOptions): readonly Pair[] {
  const compare = (a: number, b: number) => compareIds(store, a, b);
  const pairs: Pair[] = [];
  const addPair = (a: number, b: number, cost: number | undefined) => {
    if (cost !== undefined) pairs.push(compare(a, b) < 0 ? { a, b, cost } : { a: b, b: a, cost });
  };
  collectBySharedId(store, rows, (a, b) => {
    if (getSide(a) !== getSide(b)) addPair(a, b, costBySharedId(store, a, b));
  });
  const candidates = rowsInSharedCountries(store, rows, getSide);
  let done = 0;
  collectByName(store, candidates, {
    onPair: (a, b) => {
      if (getSide(a) !== getSide(b)) addPair(a, b, costByName(store, a, b));
    },
    onRow: () => {
      if (done++ % PROGRESS_STEP === 0) onProgress(done - 1, candidates.length);
    },
  });
  return pairs.sort((p, q) => p.cost - q.cost || compare(p.a, q.a) || compare(p.b, q.b));
}

/** Rows in countries with several sides. Most builds add only a few countries to world data. */
function rowsInSharedCountries(store: PlaceStore, rows: Uint32Array, getSide: (row: number) => number): Uint32Array {
  const sides = new Map<string, number>();
  for (const row of rows) sides.set(store.country(row), (sides.get(store.country(row)) ?? 0) | getSide(row));
  return rows.filter((row) => sides.get(store.country(row)) !== getSide(row));
}

type OnPair = (a: number, b: number) => void;

function collectBySharedId(store: PlaceStore, rows: Uint32Array, onPair: OnPair): void {
  const texts = new GrowingArray(Uint32Array);
  const owners = new GrowingArray(Uint32Array);
  for (const row of rows) {
    for (const text of store.externalIdTexts(row)) {
      texts.push(text);
      owners.push(row);
    }
  }
  if (texts.length === 0) return;
  const order = sequence(texts.length).sort((i, j) => texts.at(i) - texts.at(j));
  const lookup = new IdLookup(store, rows);
  for (let lo = 0; lo < order.length; ) {
    const text = texts.at(order[lo]!);
    let hi = lo + 1;
    while (hi < order.length && texts.at(order[hi]!) === text) hi++;
    const sharing = Array.from(order.subarray(lo, hi), (i) => owners.at(i));
    const owner = findOwner(store.strings.at(text), lookup);
    if (owner !== undefined && !sharing.includes(owner)) sharing.push(owner);
    if (sharing.length <= MAX_ROWS_PER_ID) forEachPair(sharing, onPair);
    lo = hi;
  }
}

/** Finds the row whose own id is this external id. */
function findOwner(externalId: string, lookup: IdLookup): number | undefined {
  const colon = externalId.indexOf(':');
  const letter = LETTER_BY_PREFIX[externalId.slice(0, colon)];
  return letter === undefined ? undefined : lookup.find(letter, Number(externalId.slice(colon + 1)));
}

function forEachPair(rows: readonly number[], onPair: OnPair): void {
  rows.forEach((a, i) => {
    for (const b of rows.slice(i + 1)) onPair(a, b);
  });
}

function collectByName(
  store: PlaceStore,
  rows: Uint32Array,
  { onPair, onRow }: { onPair: OnPair; onRow: () => void },
): void {
  const northward = rows.slice().sort((a, b) => store.latE7(a) - store.latE7(b));
  const seen = new SeenNames(rows.reduce((sum, row) => sum + store.nameEnd(row) - store.nameStart(row), 0));
  for (const row of northward) {
    onRow();
    const latE7 = store.latE7(row);
    const seed = hashText(store.country(row));
    let isMain = true;
    for (const name of comparableNames(store, row)) {
      seen.add(hashText(name, seed), { row, latE7, isMain }, onPair);
      isMain = false;
    }
  }
}

interface NameOwner {
  readonly row: number;
  readonly latE7: number;
  /** Whether the name is the row's main name. */
  readonly isMain: boolean;
}

/** Hash table of the names seen so far. An entry is four adjacent words: one cache line. */
class SeenNames {
  /** Newest entry of each chain, by the low bits of the hash; 0 ends a chain. */
  private readonly heads: Uint32Array;
  /** Per entry: hash, row with `isMain` in the lowest bit, latitude, next entry to the south. */
  private readonly entries: Int32Array;
  private count = 1;

  constructor(maxNames: number) {
    this.heads = new Uint32Array(powerOfTwo(2 * maxNames));
    this.entries = new Int32Array(4 * (maxNames + 1));
  }

  /** Adds a name. Reports each nearby row that shares it, if it is the main name of either row. */
  add(hash: number, { row, latE7, isMain }: NameOwner, onPair: OnPair): void {
    const { entries } = this;
    const slot = hash & (this.heads.length - 1);
    const main = isMain ? 1 : 0;
    for (let at = 4 * this.heads[slot]!; at !== 0; at = 4 * entries[at + 3]!) {
      if (entries[at + 2]! < latE7 - MAX_DISTANCE_E7) break;
      const owner = entries[at + 1]!;
      if (entries[at] === hash && ((owner | main) & 1) === 1) onPair(owner >>> 1, row);
    }
    const at = 4 * this.count;
    entries[at] = hash;
    entries[at + 1] = (row << 1) | main;
    entries[at + 2] = latE7;
    entries[at + 3] = this.heads[slot]!;
    this.heads[slot] = this.count++;
  }
}

function powerOfTwo(min: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, min)));
}
