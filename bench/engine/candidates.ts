/**
 * Re-ranks the candidates of peers that cannot weigh population or distance, as a careful user of
 * the library would: exact names first, then names that start with the text, both by population (or
 * by distance if there is a point), then all others in the library's own order.
 */
import { distanceMeters } from 'toponym-engine/place/sphere';
import { fold } from 'toponym-engine/text/fold';
import type { BenchPlace } from '../places.ts';
import type { TextQuery } from '../queries.ts';

/** Number of candidates requested from a peer. */
export const CANDIDATES = 1000;

export interface SplitText {
  readonly name: string;
  /** Text after the comma; empty without a comma. */
  readonly region: string;
}

/** Splits name and region at the comma, in the same way for every peer. */
export function splitText(text: string): SplitText {
  const comma = text.lastIndexOf(', ');
  return comma === -1
    ? { name: fold(text), region: '' }
    : { name: fold(text.slice(0, comma)), region: fold(text.slice(comma)) };
}

export class Candidates {
  private readonly places: readonly BenchPlace[];
  private readonly folded: readonly string[];

  constructor(places: readonly BenchPlace[]) {
    this.places = places;
    this.folded = places.map(({ asciiName }) => fold(asciiName));
  }

  /** `positions` are indexes into the places, which are sorted by population. */
  best(positions: readonly number[], query: TextQuery, limit: number): string[] {
    const { name } = splitText(query.text);
    const equal: number[] = [];
    const starting: number[] = [];
    const others: number[] = [];
    for (const position of positions) {
      const folded = this.folded[position]!;
      if (folded === name) equal.push(position);
      else if (folded.startsWith(name)) starting.push(position);
      else others.push(position);
    }
    const order = this.compareBy(query);
    const best = [...equal.sort(order), ...starting.sort(order), ...others].slice(0, limit);
    return best.map((position) => this.places[position]!.id);
  }

  private compareBy({ near }: TextQuery): (a: number, b: number) => number {
    if (near === undefined) return (a, b) => a - b;
    const meters = (position: number) => {
      const { lat, lng } = this.places[position]!;
      return distanceMeters(near.lat, near.lng, lat, lng);
    };
    return (a, b) => meters(a) - meters(b);
  }
}
