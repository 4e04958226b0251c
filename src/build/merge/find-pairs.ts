/**
 * Pairs of rows that may be one settlement, found without comparing all with all. By external id: rows sorted by it. By
 * name: a sweep from south to north with a hash table of the names met so far; each chain of the table leads from north to
 * south and is left where it gets out of reach. some 24 bytes a name.
 */

import { GrowingArray } from '../../collections/growing-array.ts';
import { hashText } from '../../collections/hash.ts';
import { sequence } from '../../collections/typed-array.ts';
import { EARTH_RADIUS_METERS } from '../../place/sphere.ts';
import type { PlaceStore } from '../place-store.ts';
import { compareByLetter, IdLookup } from './id-lookup.ts';
import { comparableNames, costByName, costBySharedId, LARGEST_REACH_METERS } from './same-place.ts';

export interface Pair {
  readonly a: number;
  readonly b: number;
  /** Lower is surer; below 0 by a shared id, otherwise by name. */
  readonly cost: number;
}

export interface PairOptions {
  /** One bit: only rows of different sides are paired. */
  readonly sideOf: (row: number) => number;
  /** Rows compared by name, of how many. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Letters of ids that other data refer to, by the prefix they are referred to with. */
const OWN_IDS: Readonly<Record<string, number>> = { gn: 0x47, wof: 0x46 };
/** More records than this with one external id are not one settlement. */
const MOST_SHARING = 32;
/** Rows between two signs of progress. */
const PROGRESS_STEP = 10_000;
const LARGEST_REACH_E7 = Math.ceil(((LARGEST_REACH_METERS / EARTH_RADIUS_METERS) * 180e7) / Math.PI);

/** Surest first; ties by the ids, so that the order of the rows does not matter. */
export function findPairs(store: PlaceStore, rows: Uint32Array, { sideOf, onProgress }: PairOptions): readonly Pair[] {
  const compare = (a: number, b: number) => compareByLetter(store, a, b);
  const pairs: Pair[] = [];
  const offer = (a: number, b: number, cost: number | undefined) => {
    if (cost !== undefined) pairs.push(compare(a, b) < 0 ? { a, b, cost } : { a: b, b: a, cost });
  };
  collectBySharedId(store, rows, (a, b) => {
    if (sideOf(a) !== sideOf(b)) offer(a, b, costBySharedId(store, a, b));
  });
  const candidates = inSharedCountries(store, rows, sideOf);
  let done = 0;
  collectByName(store, candidates, {
    onPair: (a, b) => {
      if (sideOf(a) !== sideOf(b)) offer(a, b, costByName(store, a, b));
    },
    onRow: () => {
      if (done++ % PROGRESS_STEP === 0) onProgress(done - 1, candidates.length);
    },
  });
  return pairs.sort((p, q) => p.cost - q.cost || compare(p.a, q.a) || compare(p.b, q.b));
}

/** Most builds mix the world from one source with a few countries from another. */
function inSharedCountries(store: PlaceStore, rows: Uint32Array, sideOf: (row: number) => number): Uint32Array {
  const sides = new Map<string, number>();
  for (const row of rows) sides.set(store.country(row), (sides.get(store.country(row)) ?? 0) | sideOf(row));
  return rows.filter((row) => sides.get(store.country(row)) !== sideOf(row));
}

type OnPair = (a: number, b: number) => void;

function collectBySharedId(store: PlaceStore, rows: Uint32Array, onPair: OnPair): void {
  const texts = new GrowingArray(Uint32Array);
  const owners = new GrowingArray(Uint32Array);
  for (const row of rows) {
    for (const text of store.externalTextsOf(row)) {
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
    const owner = ownerOf(store.texts.textAt(text), lookup);
    if (owner !== undefined && !sharing.includes(owner)) sharing.push(owner);
    if (sharing.length <= MOST_SHARING) eachPair(sharing, onPair);
    lo = hi;
  }
}

/** The record that an id in other data belongs to, where it is here itself. */
function ownerOf(externalId: string, lookup: IdLookup): number | undefined {
  const colon = externalId.indexOf(':');
  const letter = OWN_IDS[externalId.slice(0, colon)];
  return letter === undefined ? undefined : lookup.find(letter, Number(externalId.slice(colon + 1)));
}

function eachPair(rows: readonly number[], onPair: OnPair): void {
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
  const met = new MetNames(rows.reduce((sum, row) => sum + store.nameEnd(row) - store.nameStart(row), 0));
  for (const row of northward) {
    onRow();
    const latE7 = store.latE7(row);
    const seed = hashText(store.country(row));
    let isMain = true;
    for (const name of comparableNames(store, row)) {
      met.enter(hashText(name, seed), { row, latE7, isMain }, onPair);
      isMain = false;
    }
  }
}

interface NameOwner {
  readonly row: number;
  readonly latE7: number;
  /** Whether it is the owner's main name. */
  readonly isMain: boolean;
}

/** The names met so far, in chains by hash. An entry is four words side by side, so that looking at one costs one access. */
class MetNames {
  /** By the low bits of the hash: the newest entry of the chain; 0 ends it. */
  private readonly heads: Uint32Array;
  /** Of each entry: hash, row with `isMain` in the lowest bit, latitude, the next entry to the south. */
  private readonly entries: Int32Array;
  private count = 1;

  constructor(most: number) {
    this.heads = new Uint32Array(powerOfTwo(2 * most));
    this.entries = new Int32Array(4 * (most + 1));
  }

  /** Tells of every row within reach that has the name too, as its main one unless it is the main one here. */
  enter(hash: number, { row, latE7, isMain }: NameOwner, onPair: OnPair): void {
    const { entries } = this;
    const slot = hash & (this.heads.length - 1);
    const main = isMain ? 1 : 0;
    for (let at = 4 * this.heads[slot]!; at !== 0; at = 4 * entries[at + 3]!) {
      if (entries[at + 2]! < latE7 - LARGEST_REACH_E7) break;
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

function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, atLeast)));
}
