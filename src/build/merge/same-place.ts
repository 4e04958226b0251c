/**
 * What tells that two records are of one settlement, and how surely. Either both name the same id in other data, or they
 * have a name in common that is the main one of at least one of them, in one country, near each other. How near depends on
 * how large they are: gazetteers put the point of a village within a few kilometres, that of a large city anywhere in it.
 */
import { NAME_KINDS, PLACE_TYPES, type PlaceType } from '../../place/place.ts';
import { distanceMeters } from '../../place/sphere.ts';
import { fold } from '../../text/fold.ts';
import type { PlaceStore } from '../place-store.ts';

/** Two records with a common id farther apart than this are a mistake in the data. */
const SHARED_ID_METERS = 50_000;
/** The village's figure allows for coordinates in whole minutes of arc (up to 1.9 km), which GeoNames has many of. */
const REACH_METERS: Readonly<Record<PlaceType, number>> = {
  city: 15_000,
  town: 8_000,
  village: 4_000,
  hamlet: 3_000,
  locality: 3_000,
  'suburban area': 3_000,
};
const CODE = NAME_KINDS.indexOf('code');
const LARGE_CITY_POPULATION = 1_000_000;
export const LARGEST_REACH_METERS = 25_000;
/** Beside the distance as a share of the reach: for each step between the types, and for a name that only one has as main. */
const STEP_COST = 0.25;
const OTHER_NAME_COST = 0.25;

/** Below 0 for records with a common id; otherwise lower is more alike. Undefined: too far apart. */
export function costBySharedId(store: PlaceStore, a: number, b: number): number | undefined {
  const meters = metersBetween(store, a, b);
  return meters > SHARED_ID_METERS ? undefined : meters / SHARED_ID_METERS - 2;
}

/** 0 or more; lower is more alike. Undefined: they are not alike. */
export function costByName(store: PlaceStore, a: number, b: number): number | undefined {
  if (store.country(a) !== store.country(b)) return undefined;
  const typeA = store.type(a);
  const typeB = store.type(b);
  // a suburban area lies in a place, often in one of its name
  if ((typeA === 'suburban area') !== (typeB === 'suburban area')) return undefined;
  const reach = Math.min(reachOf(store, a), reachOf(store, b));
  const meters = metersBetween(store, a, b);
  if (meters > reach) return undefined;
  const names = nameCost(store, a, b);
  if (names === undefined) return undefined;
  return meters / reach + names + STEP_COST * Math.abs(PLACE_TYPES.indexOf(typeA) - PLACE_TYPES.indexOf(typeB));
}

/** The names by which a place can be recognised, folded; the main one first. */
export function comparableNames(store: PlaceStore, row: number): Set<string> {
  const folded = new Set<string>();
  for (let name = store.nameStart(row); name < store.nameEnd(row); name++) {
    if (store.nameKind(name) === CODE) continue;
    const text = store.texts.textAt(store.nameText(name));
    folded.add(fold(text) || text);
  }
  return folded;
}

function nameCost(store: PlaceStore, a: number, b: number): number | undefined {
  const namesA = comparableNames(store, a);
  const namesB = comparableNames(store, b);
  const [mainA = ''] = namesA;
  const [mainB = ''] = namesB;
  if (mainA === mainB) return 0;
  return namesA.has(mainB) || namesB.has(mainA) ? OTHER_NAME_COST : undefined;
}

function reachOf(store: PlaceStore, row: number): number {
  const type = store.type(row);
  const isLarge = type === 'city' && (store.population(row) ?? 0) >= LARGE_CITY_POPULATION;
  return isLarge ? LARGEST_REACH_METERS : REACH_METERS[type];
}

function metersBetween(store: PlaceStore, a: number, b: number): number {
  return distanceMeters(store.latE7(a) / 1e7, store.lngE7(a) / 1e7, store.latE7(b) / 1e7, store.lngE7(b) / 1e7);
}
