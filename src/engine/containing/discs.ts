/** Discs that stand for the areas of settlements, because the data has only their centres. */
import type { Index } from '../../index-file/layout.ts';
import { readPopulation } from '../../index-file/packed-record.ts';

/**
 * The radius of a city of a million, which grows with the population to the power of RADIUS_GROWTH.
 * So the density also grows: 800 people per km² in a village of 1,000, 2,000 in a city of 100,000.
 * With the same density everywhere (0.5), towns would lose their outskirts to the next city.
 */
const MILLION_RADIUS_METERS = 10_000;
const RADIUS_GROWTH = 0.4;
const MIN_RADIUS_METERS = 500;
/** Fits in 16 bits. */
const MAX_RADIUS_METERS = 60_000;

/** The radius of a disc that holds a population. An unknown population is 0. */
export function discRadiusMeters(population: number): number {
  const radiusMeters = MILLION_RADIUS_METERS * (population / 1_000_000) ** RADIUS_GROWTH;
  return Math.min(Math.max(MIN_RADIUS_METERS, radiusMeters), MAX_RADIUS_METERS);
}

/** The radius of each place's disc, in metres. A search reads them faster than the populations. */
export function listRadii(index: Index): Uint16Array {
  const radii = new Uint16Array(index.metadata.places);
  for (let place = 0; place < radii.length; place++) {
    radii[place] = Math.round(discRadiusMeters(readPopulation(index, place)));
  }
  return radii;
}

/**
 * How well a disc fits a point, the lower the better. Inside the disc: the distance as a share of
 * the radius, minus 1. Outside: metres to the edge.
 */
export function fitInDisc(meters: number, radiusMeters: number): number {
  return meters < radiusMeters ? meters / radiusMeters - 1 : meters - radiusMeters;
}
