/**
 * The questions, made from the places by a seeded generator: the same for every peer and every run.
 * All text is typed as people type it, in lower case and without accents (GeoNames' ASCII names).
 */

import type { LatLng } from '../src/place/sphere.ts';
import { seededRandom } from '../test/support/seeded-random.ts';
import type { BenchPlace } from './places.ts';

export interface TextQuery {
  readonly text: string;
  readonly near?: LatLng;
}

export interface JudgedQuery extends TextQuery {
  /** The place the question was made from. */
  readonly target: BenchPlace;
}

export interface QueryClass {
  readonly name: string;
  readonly describe: string;
  readonly queries: readonly JudgedQuery[];
}

export type Random = ReturnType<typeof seededRandom>;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export function makeQueryClasses(places: readonly BenchPlace[], count: number, seed = 20_260_501): QueryClass[] {
  const uniform = (random: Random) => places[random(places.length)]!;
  const byPopulation = drawByPopulation(places);
  const make = (name: string, describe: string, draw: (random: Random) => JudgedQuery | undefined): QueryClass => {
    // a generator for each class: a change to one leaves the others as they were
    const random = seededRandom(seed + [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
    return { name, describe, queries: collect(count, () => draw(random)) };
  };
  return [
    make('prefix, people', 'first 1 to 6 letters, places drawn by population', (random) =>
      prefixOf(byPopulation(random), 1 + random(6)),
    ),
    make('prefix, places', 'first 1 to 6 letters, every place equally likely', (random) =>
      prefixOf(uniform(random), 1 + random(6)),
    ),
    make('full name', 'the whole name, every place equally likely', (random) => fullName(uniform(random))),
    make('1 typo', 'the whole name of 5 letters or more with one letter added, lost, replaced or swapped', (random) =>
      misspelt(uniform(random), { random, typos: 1, leastLetters: 5 }),
    ),
    make('2 typos', 'the same twice, names of 8 letters or more', (random) =>
      misspelt(uniform(random), { random, typos: 2, leastLetters: 8 }),
    ),
    make('name, region', '"name, region": the first-level division or the country', (random) =>
      withRegion(uniform(random), random),
    ),
    make('near a point', 'first 3 to 5 letters with a point up to 20 km from the place', (random) =>
      nearby(uniform(random), random),
    ),
  ];
}

function collect(count: number, draw: () => JudgedQuery | undefined): JudgedQuery[] {
  const queries: JudgedQuery[] = [];
  while (queries.length < count) {
    const query = draw();
    if (query !== undefined) queries.push(query);
  }
  return queries;
}

export function drawByPopulation(places: readonly BenchPlace[]): (random: Random) => BenchPlace {
  const sums = new Float64Array(places.length);
  let sum = 0;
  places.forEach(({ population }, i) => {
    sum += population;
    sums[i] = sum;
  });
  return (random) => {
    const wanted = random(0x8000_0000) * (sum / 0x8000_0000);
    let low = 0;
    for (let high = places.length - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > wanted) high = middle;
      else low = middle + 1;
    }
    return places[low]!;
  };
}

function typedName(place: BenchPlace): string {
  return place.asciiName.toLowerCase();
}

export function fullName(target: BenchPlace): JudgedQuery {
  return { text: typedName(target), target };
}

export function prefixOf(target: BenchPlace, letters: number): JudgedQuery | undefined {
  const text = typedName(target).slice(0, letters);
  return text.trim() === text ? { text, target } : undefined;
}

/** What is typed of a name, letter by letter. */
export function prefixesOf(target: BenchPlace): JudgedQuery[] {
  const lengths = Array.from(typedName(target), (_, i) => i + 1);
  return lengths.map((letters) => prefixOf(target, letters)).filter((query) => query !== undefined);
}

export function misspelt(
  target: BenchPlace,
  { random, typos, leastLetters }: { random: Random; typos: number; leastLetters: number },
): JudgedQuery | undefined {
  const name = typedName(target);
  if (name.replaceAll(/[^a-z]/g, '').length < leastLetters) return undefined;
  let text = name;
  for (let i = 0; i < typos; i++) text = misspell(text, random);
  return text === name ? undefined : { text, target };
}

/** One letter added, lost, replaced, or swapped with the next, anywhere. */
export function misspell(text: string, random: Random): string {
  const at = random(text.length);
  const letter = LETTERS[random(LETTERS.length)]!;
  switch (random(4)) {
    case 0:
      return text.slice(0, at) + letter + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1);
    case 2:
      return text.slice(0, at) + letter + text.slice(at + 1);
    default:
      return text.slice(0, at) + text.slice(at + 1, at + 2) + text.slice(at, at + 1) + text.slice(at + 2);
  }
}

function withRegion(target: BenchPlace, random: Random): JudgedQuery {
  const region = random(2) === 0 && target.region !== '' ? target.region : target.country;
  return { text: `${typedName(target)}, ${region.toLowerCase()}`, target };
}

export function nearby(target: BenchPlace, random: Random): JudgedQuery | undefined {
  const query = prefixOf(target, 3 + random(3));
  if (query === undefined) return undefined;
  const kilometers = (random(2001) / 1000 - 1) * 10 * Math.SQRT2;
  const sideways = (random(2001) / 1000 - 1) * 10 * Math.SQRT2;
  const lat = Math.max(-90, Math.min(90, target.lat + kilometers / 111.2));
  const lng = target.lng + sideways / (111.2 * Math.max(0.01, Math.cos((target.lat * Math.PI) / 180)));
  return { ...query, near: { lat, lng: ((lng + 540) % 360) - 180 } };
}
