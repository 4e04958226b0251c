/**
 * Estimated radius of a settlement. Most sources have points and no extents, so a settlement is
 * taken to be a disc whose area grows with its population.
 */
import type { PlaceType } from './place.ts';

/**
 * The radius of a city of a million, which grows with the population to the power of RADIUS_GROWTH.
 * So the density also grows: 800 people per km² in a village of 1,000, 2,000 in a city of 100,000.
 * With the same density everywhere (0.5), towns would lose their outskirts to the next city.
 */
const MILLION_RADIUS_METERS = 10_000;
const RADIUS_GROWTH = 0.4;
export const MAX_RADIUS_METERS = 60_000;

/** Radius of places whose population is unknown or small for their type. */
const MIN_RADIUS_METERS: Readonly<Record<PlaceType, number>> = {
  city: 2000,
  town: 1000,
  village: 500,
  hamlet: 500,
  locality: 500,
  'suburban area': 500,
};

/** Radius in metres. A population of 0 is unknown. */
export function settlementRadiusMeters(type: PlaceType, population: number): number {
  const discRadius = MILLION_RADIUS_METERS * (population / 1_000_000) ** RADIUS_GROWTH;
  return Math.min(Math.max(MIN_RADIUS_METERS[type], discRadius), MAX_RADIUS_METERS);
}
