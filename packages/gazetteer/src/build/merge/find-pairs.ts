/**
 * Finds pairs of rows that may be the same settlement, without comparing all rows. Sorting finds
 * rows with the same external id. A sweep from south to north finds rows with the same name.
 */
import { hashText } from 'toponym-engine/collections/hash';
import { GrowingArray, sequence } from 'toponym-engine/collections/typed-array';
import { NAME_KINDS, PLACE_TYPES, type PlaceType } from 'toponym-engine/place/place';
import { distanceMeters, EARTH_RADIUS_METERS } from 'toponym-engine/place/sphere';
import { fold } from 'toponym-engine/text/fold';
import type { PlaceStore } from '../place-store.ts';
import { compareIds, createIdLookup, type FindRow } from './place-ids.ts';

/** Two rows in the order of their ids. */
interface Pair {
  readonly a: number;
  readonly b: number;
  /** Lower is more certain: see `costByName`. */
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
const LETTER_OF_GUESSED_TYPES = 'C'.charCodeAt(0);
/** An external id shared by more rows than this does not identify a settlement. */
const MAX_ROWS_PER_ID = 32;
const ROWS_PER_PROGRESS_REPORT = 10_000;
/** If records with a shared id are farther apart, the id is an error in the data. */
const MAX_SHARED_ID_METERS = 50_000;
/** For matches by name. GeoNames often rounds to arc minutes (up to 1.9 km). */
const MAX_METERS_BY_TYPE: Readonly<Record<PlaceType, number>> = {
  city: 15_000,
  town: 8_000,
  village: 4_000,
  hamlet: 3_000,
  locality: 3_000,
  'suburban area': 3_000,
};
const CODE_KINDS = [NAME_KINDS.indexOf('code'), NAME_KINDS.indexOf('postcode')];
const LARGE_CITY_POPULATION = 1_000_000;
/** Allowed for large cities, and so the maximum for any match by name. */
const MAX_SAME_NAME_METERS = 25_000;
/** Per step between two types in PLACE_TYPES. The maximum distance costs 1. */
const TYPE_STEP_COST = 0.25;
/** Applies if the shared name is the main name of only one record. */
const ALTERNATE_NAME_COST = 0.25;
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
  const findRow = createIdLookup(store, rows);
  for (let lo = 0; lo < order.length; ) {
    const offset = idOffsets.at(order[lo]!);
    let hi = lo + 1;
    while (hi < order.length && idOffsets.at(order[hi]!) === offset) hi++;
    const sharingRows = Array.from(order.subarray(lo, hi), (i) => idRows.at(i));
    const ownRow = findOwnRow(store.externalIds.at(offset), findRow);
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
function findOwnRow(externalId: string, findRow: FindRow): number | undefined {
  const colon = externalId.indexOf(':');
  const letter = LETTER_BY_PREFIX[externalId.slice(0, colon)];
  return letter === undefined ? undefined : findRow({ letter, number: Number(externalId.slice(colon + 1)) });
}

function visitPairsByName(
  store: PlaceStore,
  rows: Uint32Array,
  { onPair, onProgress }: { onPair: OnPair; onProgress: PairOptions['onProgress'] },
): void {
  const northward = rows.toSorted((a, b) => store.latE7(a) - store.latE7(b));
  const seen = new SeenNames(store.nameCount(rows));
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

/**
 * The cost of merging two records that may be the same settlement. A lower cost is more certain, and
 * undefined means different settlements. This cost is from -2 to -1, below any cost by name.
 */
export function costBySharedId(store: PlaceStore, a: number, b: number): number | undefined {
  const meters = metersBetween(store, a, b);
  return meters > MAX_SHARED_ID_METERS ? undefined : meters / MAX_SHARED_ID_METERS - 2;
}

export function isCostBySharedId(cost: number): boolean {
  return cost < 0;
}

/** Cost of 0 or more. One record must have the main name of the other. */
export function costByName(store: PlaceStore, a: number, b: number): number | undefined {
  if (store.country(a) !== store.country(b)) return undefined;
  const typeA = store.type(a);
  const typeB = store.type(b);
  // a suburban area is part of a place, often of one with the same name
  const isOneSuburban = (typeA === 'suburban area') !== (typeB === 'suburban area');
  if (isOneSuburban && !isTypeGuessed(store, a) && !isTypeGuessed(store, b)) return undefined;
  const maxMeters = Math.min(allowedMeters(store, a), allowedMeters(store, b));
  const meters = metersBetween(store, a, b);
  if (meters > maxMeters) return undefined;
  const nameCost = nameMatchCost(store, a, b);
  if (nameCost === undefined) return undefined;
  const typeSteps = Math.abs(PLACE_TYPES.indexOf(typeA) - PLACE_TYPES.indexOf(typeB));
  return meters / maxMeters + nameCost + TYPE_STEP_COST * typeSteps;
}

/** Embedded places without a GeoNames id have a type by what is around them. */
function isTypeGuessed(store: PlaceStore, row: number): boolean {
  return store.idLetter(row) === LETTER_OF_GUESSED_TYPES;
}

/** Folded names of a place except codes, the main name first. */
function comparableNames(store: PlaceStore, row: number): Set<string> {
  const folded = new Set<string>();
  for (let name = store.nameStart(row); name < store.nameEnd(row); name++) {
    if (CODE_KINDS.includes(store.nameKind(name))) continue;
    const text = store.nameText(name);
    folded.add(fold(text) || text); // folding may leave nothing
  }
  return folded;
}

function nameMatchCost(store: PlaceStore, a: number, b: number): number | undefined {
  const namesA = comparableNames(store, a);
  const namesB = comparableNames(store, b);
  const [mainA = ''] = namesA;
  const [mainB = ''] = namesB;
  if (mainA === mainB) return 0;
  return namesA.has(mainB) || namesB.has(mainA) ? ALTERNATE_NAME_COST : undefined;
}

function allowedMeters(store: PlaceStore, row: number): number {
  const type = store.type(row);
  const isLarge = type === 'city' && (store.population(row) ?? 0) >= LARGE_CITY_POPULATION;
  return isLarge ? MAX_SAME_NAME_METERS : MAX_METERS_BY_TYPE[type];
}

function metersBetween(store: PlaceStore, a: number, b: number): number {
  return distanceMeters(store.latE7(a) / 1e7, store.lngE7(a) / 1e7, store.latE7(b) / 1e7, store.lngE7(b) / 1e7);
}
