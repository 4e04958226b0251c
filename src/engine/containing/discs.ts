/** Discs that stand for the areas of settlements, because most data has only their centres. */
import type { Index } from '../../index-file/layout.ts';
import { readPopulation } from '../../index-file/packed-record.ts';
import { PLACE_TYPES } from '../../place/place.ts';
import { settlementRadiusMeters } from '../../place/settlement-radius.ts';

/** The radius of each place's disc, in metres. A search reads them faster than the populations. */
export function listRadii(index: Index): Uint16Array {
  const radii = new Uint16Array(index.metadata.places);
  for (let place = 0; place < radii.length; place++) {
    const type = PLACE_TYPES[index.placeType[place]!]!;
    radii[place] = Math.round(settlementRadiusMeters(type, readPopulation(index, place)));
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
