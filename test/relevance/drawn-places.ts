/** Draws places at random, as people look for them. */
import { type Index, MAX_IMPORTANCE } from 'toponym-engine/index-file/layout';
import { readPopulation } from 'toponym-engine/index-file/packed-record';
import type { Place } from 'toponym-engine/place/place';
import { openPlaces } from 'toponym-gazetteer/build/read-places';

/** A whole number from 0 up to, but not including, `limit`. */
export type Random = (limit: number) => number;

/** For places of unknown or tiny population. */
const MIN_POPULATION = 100;
const RANDOM_RANGE = 0x7fff_ffff;

/** A place whose importance is higher by a quarter of the scale is meant ten times as often. */
const FAME_EXPONENT = 4;

/** Each place in proportion to its population: people look for a place about as often as people live there. */
export function drawByPopulation(index: Index, random: Random): () => Place {
  const { readPlace } = openPlaces(index);
  const draw = drawByWeight(index, (id) => Math.max(MIN_POPULATION, readPopulation(index, id)));
  return () => readPlace(draw(random));
}

/**
 * Draws dense ids by fame: people write and look up small places, and famous ones with few
 * inhabitants, more often than their share of the population.
 */
export function drawByFame(index: Index): (random: Random) => number {
  return drawByWeight(index, (id) => 10 ** ((FAME_EXPONENT * index.placeImportance[id]!) / MAX_IMPORTANCE));
}

function drawByWeight(index: Index, weightOf: (id: number) => number): (random: Random) => number {
  const sums = new Float64Array(index.metadata.places);
  let sum = 0;
  for (let id = 0; id < sums.length; id++) {
    sum += weightOf(id);
    sums[id] = sum;
  }
  return (random) => firstAbove(sums, (random(RANDOM_RANGE) / RANDOM_RANGE) * sum);
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
