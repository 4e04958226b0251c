/**
 * What people's browsers would send: 60% prefixes, 25% full names, 10% names with a typo, 5% reverse. People look for places
 * where people live, so all are drawn by population. No request is repeated but by chance, as people repeat each other.
 */
import { writeFileSync } from 'node:fs';
import { seededRandom } from '../../test/support/seeded-random.ts';
import type { BenchPlace } from '../places.ts';
import { drawByPopulation, fullName, misspelt, nearby, prefixOf, type Random, type TextQuery } from '../queries.ts';
import type { Call } from '../service.ts';

const SEED = 20_261_101;
/** As many as a round needs; a server that answers more begins again. */
const COUNT = 120_000;
const LEAST_MISSPELT = 5;
/** Of twenty requests in a row. */
const MIX = { prefix: 12, full: 5, typo: 2, reverse: 1 };

type Kind = keyof typeof MIX;

/** Requests of one round; those of another are others. */
export function makeRequests(places: readonly BenchPlace[], round: number, count = COUNT): Call[] {
  const random = seededRandom(SEED + round);
  const byPopulation = drawByPopulation(places);
  const order = Object.entries(MIX).flatMap(([kind, share]) => Array<Kind>(share).fill(kind as Kind));
  const calls: Call[] = [];
  while (calls.length < count) {
    // 7 and 20 have no common divisor: the kinds alternate and keep their shares
    const kind = order[(calls.length * 7) % order.length]!;
    const query = makeQuery(kind, byPopulation(random), random);
    if (query !== undefined) calls.push(callOf(kind, query));
  }
  return calls;
}

export function writeRequests(file: string, calls: readonly Call[]): void {
  writeFileSync(file, calls.map(({ path, body }) => `${path}\t${body}\n`).join(''));
}

function makeQuery(kind: Kind, place: BenchPlace, random: Random): TextQuery | undefined {
  switch (kind) {
    case 'prefix':
      return prefixOf(place, 1 + random(6));
    case 'full':
      return fullName(place);
    case 'typo':
      return misspelt(place, { random, typos: 1, leastLetters: LEAST_MISSPELT });
    case 'reverse':
      return nearby(place, random);
  }
}

function callOf(kind: Kind, { text, near }: TextQuery): Call {
  if (kind === 'reverse') {
    return { path: '/api/1/reverse', body: `aroundLatLng=${near!.lat.toFixed(5)}%2C${near!.lng.toFixed(5)}` };
  }
  return { path: '/api/1/query', body: new URLSearchParams({ query: text, hitsPerPage: '10' }).toString() };
}
