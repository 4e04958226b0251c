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
 * How far the outskirts of a place reach beyond its disc, in radii. Of the centres of US postcodes,
 * 85.1% are in the city of their address with 2, 84.8% with 1 and 83.6% without outskirts. With
 * more, small places lose.
 */
const OUTSKIRTS_RADII = 2;

/**
 * How well a disc fits a point, the lower the better. Inside the disc: the distance as a share of
 * the radius, minus 1. Outside: metres to the edge. In the outskirts they are divided by the square
 * root of the radius in km, because larger places have longer outskirts: 3 km from the edge of a
 * disc of 9 km count as much as 1 km from that of a disc of 1 km.
 */
export function fitInDisc(meters: number, radiusMeters: number): number {
  if (meters < radiusMeters) return meters / radiusMeters - 1;
  const outside = meters - radiusMeters;
  const inOutskirts = Math.min(outside, OUTSKIRTS_RADII * radiusMeters);
  return inOutskirts / outskirtsWeight(radiusMeters) + outside - inOutskirts;
}

/** A place of this radius or a smaller one that fits better than `fit` is nearer than this. */
export function reachMeters(fit: number, radiusMeters: number): number {
  if (fit < 0) return (1 + fit) * radiusMeters;
  const weight = outskirtsWeight(radiusMeters);
  const inOutskirts = Math.min(fit * weight, OUTSKIRTS_RADII * radiusMeters);
  return radiusMeters + inOutskirts + fit - inOutskirts / weight;
}

/** Divides distances in the outskirts. */
export function outskirtsWeight(radiusMeters: number): number {
  return Math.sqrt(radiusMeters / 1000);
}
