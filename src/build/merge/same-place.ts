/**
 * Decides whether two records are the same settlement. The result is the cost of merging them. A
 * lower cost is more certain, and undefined means different settlements.
 */
import { NAME_KINDS, PLACE_TYPES, type PlaceType } from '../../place/place.ts';
import { distanceMeters } from '../../place/sphere.ts';
import { fold } from '../../text/fold.ts';
import type { PlaceStore } from '../place-store.ts';

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
export const MAX_SAME_NAME_METERS = 25_000;
/** Per step between two types in PLACE_TYPES. The maximum distance costs 1. */
const TYPE_STEP_COST = 0.25;
/** Applies if the shared name is the main name of only one record. */
const ALTERNATE_NAME_COST = 0.25;

/** Cost from -2 to -1, below any cost by name. */
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
  if ((typeA === 'suburban area') !== (typeB === 'suburban area')) return undefined;
  const maxMeters = Math.min(allowedMeters(store, a), allowedMeters(store, b));
  const meters = metersBetween(store, a, b);
  if (meters > maxMeters) return undefined;
  const nameCost = nameMatchCost(store, a, b);
  if (nameCost === undefined) return undefined;
  const typeSteps = Math.abs(PLACE_TYPES.indexOf(typeA) - PLACE_TYPES.indexOf(typeB));
  return meters / maxMeters + nameCost + TYPE_STEP_COST * typeSteps;
}

/** Folded names of a place except codes, the main name first. */
export function comparableNames(store: PlaceStore, row: number): Set<string> {
  const folded = new Set<string>();
  for (let name = store.nameStart(row); name < store.nameEnd(row); name++) {
    if (CODE_KINDS.includes(store.nameKind(name))) continue;
    const text = store.strings.at(store.nameOffset(name));
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
