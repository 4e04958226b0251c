/**
 * The queries. A seeded generator creates them from the places, so they are the same for every peer
 * and every run. Their text is in lower case and without accents (the ASCII names of GeoNames).
 */

import type { LatLng } from 'toponym-engine/place/sphere';
import { seededRandom } from '../test/support/seeded-random.ts';
import type { BenchPlace } from './places.ts';

export interface TextQuery {
  readonly text: string;
  readonly near?: LatLng;
}

export interface JudgedQuery extends TextQuery {
  /** The place that the query was created from. */
  readonly target: BenchPlace;
}

export interface QueryClass {
  readonly name: string;
  readonly description: string;
  readonly queries: readonly JudgedQuery[];
}

export type Random = ReturnType<typeof seededRandom>;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export function createQueryClasses(places: readonly BenchPlace[], count: number, seed = 20_260_501): QueryClass[] {
  const uniform = (random: Random) => places[random(places.length)]!;
  const byPopulation = drawByPopulation(places);
  const createClass = (
    name: string,
    description: string,
    draw: (random: Random) => JudgedQuery | undefined,
  ): QueryClass => {
    // each class has its own generator, so a change to one class leaves the others unchanged
    const random = seededRandom(seed + [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
    return { name, description, queries: collect(count, () => draw(random)) };
  };
  return [
    createClass('prefix, people', 'first 1 to 6 letters, places drawn by population', (random) =>
      namePrefix(byPopulation(random), 1 + random(6)),
    ),
    createClass('prefix, places', 'first 1 to 6 letters, all places equally likely', (random) =>
      namePrefix(uniform(random), 1 + random(6)),
    ),
    createClass('full name', 'the full name, all places equally likely', (random) => fullName(uniform(random))),
    createClass(
      '1 typo',
      'a full name of at least 5 letters with one letter inserted, deleted, substituted or transposed',
      (random) => withTypos(uniform(random), { random, typos: 1, minLetters: 5 }),
    ),
    createClass('2 typos', 'a full name of at least 8 letters with two such typos', (random) =>
      withTypos(uniform(random), { random, typos: 2, minLetters: 8 }),
    ),
    createClass(
      'name, region',
      '"name, region", where the region is the first-level division or the country',
      (random) => withRegion(uniform(random), random),
    ),
    createClass('near a point', 'first 3 to 5 letters with a point up to 20 km from the place', (random) =>
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
    const target = random(0x8000_0000) * (sum / 0x8000_0000);
    let low = 0;
    for (let high = places.length - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > target) high = middle;
      else low = middle + 1;
    }
    return places[low]!;
  };
}

function typedText(place: BenchPlace): string {
  return place.asciiName.toLowerCase();
}

export function fullName(target: BenchPlace): JudgedQuery {
  return { text: typedText(target), target };
}

export function namePrefix(target: BenchPlace, letters: number): JudgedQuery | undefined {
  const text = typedText(target).slice(0, letters);
  return text.trim() === text ? { text, target } : undefined;
}

/** Returns the prefixes of a name as it is typed letter by letter. */
export function namePrefixes(target: BenchPlace): JudgedQuery[] {
  const lengths = Array.from(typedText(target), (_, i) => i + 1);
  return lengths.map((letters) => namePrefix(target, letters)).filter((query) => query !== undefined);
}

export function withTypos(
  target: BenchPlace,
  { random, typos, minLetters }: { random: Random; typos: number; minLetters: number },
): JudgedQuery | undefined {
  const name = typedText(target);
  if (name.replaceAll(/[^a-z]/g, '').length < minLetters) return undefined;
  let text = name;
  for (let i = 0; i < typos; i++) text = misspell(text, random);
  return text === name ? undefined : { text, target };
}

/** Inserts, deletes, substitutes or transposes a letter at a random position. */
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
  return { text: `${typedText(target)}, ${region.toLowerCase()}`, target };
}

export function nearby(target: BenchPlace, random: Random): JudgedQuery | undefined {
  const query = namePrefix(target, 3 + random(3));
  if (query === undefined) return undefined;
  const northKm = (random(2001) / 1000 - 1) * 10 * Math.SQRT2;
  const eastKm = (random(2001) / 1000 - 1) * 10 * Math.SQRT2;
  const lat = Math.max(-90, Math.min(90, target.lat + northKm / 111.2));
  const lng = target.lng + eastKm / (111.2 * Math.max(0.01, Math.cos((target.lat * Math.PI) / 180)));
  return { ...query, near: { lat, lng: ((lng + 540) % 360) - 180 } };
}
