/**
 * Draws places at random, each in proportion to its population: people look for a place about as
 * often as people live there.
 */
import type { Index } from 'toponym-engine/index-file/layout';
import { readPopulation } from 'toponym-engine/index-file/packed-record';
import type { Place } from 'toponym-engine/place/place';
import { openPlaces } from 'toponym-gazetteer/build/read-places';

/** A whole number from 0 up to, but not including, `limit`. */
export type Random = (limit: number) => number;

/** For places of unknown or tiny population. */
const MIN_POPULATION = 100;
const RANDOM_RANGE = 0x7fff_ffff;

export function drawByPopulation(index: Index, random: Random): () => Place {
  const { readPlace } = openPlaces(index);
  const { places } = index.metadata;
  const sums = new Float64Array(places);
  let sum = 0;
  for (let id = 0; id < places; id++) {
    sum += Math.max(MIN_POPULATION, readPopulation(index, id));
    sums[id] = sum;
  }
  return () => readPlace(firstAbove(sums, (random(RANDOM_RANGE) / RANDOM_RANGE) * sum));
}

/** Index of the first of the ascending `values` that is above `limit`. */
function firstAbove(values: Float64Array, limit: number): number {
  let low = 0;
  for (let high = values.length - 1; low < high; ) {
    const middle = (low + high) >> 1;
    if (values[middle]! > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
