/** Facts of a place as people read them. */
import type { Hits, LatLng } from '../../packages/client/src/client.ts';

const NUMBER = new Intl.NumberFormat('en');

export function fullNumber(value: number): string {
  return NUMBER.format(value);
}

export function distanceText(meters: number): string {
  if (meters < 1000) return `${Math.round(meters)} m`;
  const kilometers = meters < 10_000 ? Math.round(meters / 100) / 10 : Math.round(meters / 1000);
  return `${fullNumber(kilometers)} km`;
}

export function pointText({ lat, lng }: LatLng): string {
  return `${roundedDegrees(lat)}, ${roundedDegrees(lng)}`;
}

/** Five decimals are a metre. */
export function roundedDegrees(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

/** The point written `lat,lng`; undefined if the text is none. */
export function parsePoint(text: string): LatLng | undefined {
  const [lat, lng, more] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (lat === undefined || lng === undefined || more !== undefined) return undefined;
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined;
}

type Counted = Pick<Hits, 'hits' | 'nbHits' | 'exhaustiveNbHits'>;

/** How many places are shown and match. `about` if more may match than the number says. */
export function countText({ hits, nbHits, exhaustiveNbHits }: Counted): string {
  if (nbHits === 0) return 'No place found';
  if (exhaustiveNbHits === false && nbHits === hits.length && nbHits > 1) return `The ${nbHits} best places`;
  const about = exhaustiveNbHits === false ? 'about ' : '';
  const shown = nbHits > hits.length ? `${hits.length} of ${about}` : '';
  return `${shown}${fullNumber(nbHits)} ${nbHits === 1 ? 'place' : 'places'}`;
}

/** How to get at matches that are not shown; empty if all are. */
export function moreText({ hits, nbHits }: Counted): string {
  if (nbHits <= hits.length) return '';
  return `A search shows the ${hits.length} best. To see others, add a region or country to the text, or use a filter.`;
}

/** Cached responses take less than is worth a number. */
export function timingText(milliseconds: number): string {
  if (milliseconds < 0.1) return 'under 0.1 ms on the server';
  return `${milliseconds < 9.95 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms on the server`;
}
