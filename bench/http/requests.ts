/**
 * The request mix: 60% prefixes, 25% full names, 10% names with a typo, 5% reverse. Places are
 * drawn by population, because users search for places where people live. Requests repeat only by
 * chance, as users repeat each other.
 */
import { writeFileSync } from 'node:fs';
import { seededRandom } from '../../test/support/seeded-random.ts';
import type { BenchPlace } from '../places.ts';
import { drawByPopulation, fullName, namePrefix, nearby, type Random, type TextQuery, withTypos } from '../queries.ts';
import type { Call } from '../service.ts';

const SEED = 20_261_101;
/** Enough for a round; a faster server gets the same requests again. */
const COUNT = 120_000;
const MIN_TYPO_LETTERS = 5;
/** Shares of twenty consecutive requests. */
const MIX = { prefix: 12, full: 5, typo: 2, reverse: 1 };

type Kind = keyof typeof MIX;

/** Creates the requests of a round; every round has different ones. */
export function createRequests(places: readonly BenchPlace[], round: number, count = COUNT): Call[] {
  const random = seededRandom(SEED + round);
  const byPopulation = drawByPopulation(places);
  const order = Object.entries(MIX).flatMap(([kind, share]) => Array<Kind>(share).fill(kind as Kind));
  const calls: Call[] = [];
  while (calls.length < count) {
    // 7 and 20 are coprime, so the kinds alternate and keep their shares
    const kind = order[(calls.length * 7) % order.length]!;
    const query = createQuery(kind, byPopulation(random), random);
    if (query !== undefined) calls.push(createCall(kind, query));
  }
  return calls;
}

export function writeRequests(file: string, calls: readonly Call[]): void {
  writeFileSync(file, calls.map(({ path, body }) => `${path}\t${body}\n`).join(''));
}

function createQuery(kind: Kind, place: BenchPlace, random: Random): TextQuery | undefined {
  switch (kind) {
    case 'prefix':
      return namePrefix(place, 1 + random(6));
    case 'full':
      return fullName(place);
    case 'typo':
      return withTypos(place, { random, typos: 1, minLetters: MIN_TYPO_LETTERS });
    case 'reverse':
      return nearby(place, random);
  }
}

function createCall(kind: Kind, { text, near }: TextQuery): Call {
  if (kind === 'reverse') {
    return { path: '/api/1/reverse', body: `aroundLatLng=${near!.lat.toFixed(5)}%2C${near!.lng.toFixed(5)}` };
  }
  return { path: '/api/1/query', body: new URLSearchParams({ query: text, hitsPerPage: '10' }).toString() };
}
