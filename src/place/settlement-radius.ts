/**
 * Estimated radius of a settlement. The sources have points and no extents, so the settlement is
 * taken to be a disc that holds its population at a usual density.
 */
import type { PlaceType } from './place.ts';

/** Of built-up areas: large cities are denser, and `MIN_RADIUS_METERS` allows for villages. */
const PEOPLE_PER_SQUARE_METER = 5000 / 1e6;

/** Radius of places whose population is unknown or small for their type. */
const MIN_RADIUS_METERS: Readonly<Record<PlaceType, number>> = {
  city: 2000,
  town: 1000,
  village: 500,
  hamlet: 250,
  locality: 250,
  'suburban area': 500,
};

/** Radius in metres, from 250 m for a hamlet to about 40 km for 25 million people. */
export function settlementRadiusMeters(type: PlaceType, population: number | undefined): number {
  const discRadius = Math.sqrt((population ?? 0) / (Math.PI * PEOPLE_PER_SQUARE_METER));
  return Math.max(MIN_RADIUS_METERS[type], discRadius);
}
