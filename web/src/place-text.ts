/** Facts of a place as people read them. */
import type { Hits, LatLng } from '../../src/client/client.ts';

const REGIONAL_INDICATOR_A = 0x1f1e6;
const NUMBER = new Intl.NumberFormat('en');
const SHORT_NUMBER = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** The emoji of a country's flag. Fonts without flags show its two letters. */
export function flagOf(countryCode: string): string {
  if (!/^[a-z]{2}$/i.test(countryCode)) return '';
  const letters = [...countryCode.toUpperCase()].map((letter) => letter.charCodeAt(0) - 'A'.charCodeAt(0));
  return String.fromCodePoint(...letters.map((letter) => REGIONAL_INDICATOR_A + letter));
}

export function shortNumber(value: number): string {
  return SHORT_NUMBER.format(value);
}

export function fullNumber(value: number): string {
  return NUMBER.format(value);
}

/** `<1%` and `>99%` because a confidence is never 0 or 1. */
export function percentOf(share: number): string {
  if (share < 0.01) return '<1%';
  return share >= 0.995 ? '>99%' : `${Math.round(share * 100)}%`;
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

/** How many places match. `About` if more may match than the page and the number say. */
export function countText({
  hits,
  nbHits,
  exhaustiveNbHits,
}: Pick<Hits, 'hits' | 'nbHits' | 'exhaustiveNbHits'>): string {
  if (nbHits === 0) return 'No place found';
  const about = exhaustiveNbHits === false && nbHits > hits.length ? 'About ' : '';
  return `${about}${fullNumber(nbHits)} ${nbHits === 1 ? 'place' : 'places'}`;
}
