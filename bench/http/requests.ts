/** What people's browsers would send: 60% prefixes, 25% full names, 10% names with a typo, 5% reverse. */
import type { BenchPlace } from '../places.ts';
import { makeQueryClasses } from '../queries.ts';
import type { Call } from '../service.ts';

const COUNT = 4000;
/** Of twenty requests in a row. */
const MIX = { 'prefix, people': 12, 'full name': 5, '1 typo': 2, reverse: 1 };

export function makeRequests(places: readonly BenchPlace[]): Call[] {
  const classes = new Map(makeQueryClasses(places, COUNT).map(({ name, queries }) => [name, queries]));
  const order = Object.entries(MIX).flatMap(([name, share]) => Array<string>(share).fill(name));
  return Array.from({ length: COUNT }, (_, i): Call => {
    // 7 and 20 have no common divisor: the kinds alternate and keep their shares
    const kind = order[(i * 7) % order.length]!;
    if (kind === 'reverse') {
      const { near } = classes.get('near a point')![i]!;
      return { path: '/api/1/reverse', body: `aroundLatLng=${near!.lat.toFixed(5)}%2C${near!.lng.toFixed(5)}` };
    }
    const { text } = classes.get(kind)![i]!;
    return { path: '/api/1/query', body: new URLSearchParams({ query: text, hitsPerPage: '10' }).toString() };
  });
}
