/** Reads type, population, administrative rank and country from OpenStreetMap tags. */
import type { PlaceType } from '../../place/place.ts';
import { COUNTRY_CODES } from '../regions/countries.ts';
import type { Tags } from './elements.ts';

const TYPES: Readonly<Record<string, PlaceType>> = {
  city: 'city',
  town: 'town',
  village: 'village',
  hamlet: 'hamlet',
  isolated_dwelling: 'hamlet',
  farm: 'hamlet',
  locality: 'locality',
  suburb: 'suburban area',
  borough: 'suburban area',
  quarter: 'suburban area',
  neighbourhood: 'suburban area',
};

/** Returns undefined for other kinds of places, such as islands. */
export function parsePlaceType(tags: Tags): PlaceType | undefined {
  const place = tags.get('place') ?? '';
  return Object.hasOwn(TYPES, place) ? TYPES[place] : undefined;
}

const MAX_POPULATION = 100_000_000;

/**
 * A number, perhaps in Western or Indian groups of digits ("12,34,567"), and perhaps a remark after
 * a bracket, a semicolon, a comma or a space. "1,5" and "1 5" are no numbers with a remark.
 */
const POPULATION =
  /^(?:~|≈|ca\.?|approx\.?|about|<|>)?\s*(\d{1,3}(?:[,.' \u00a0\u202f]\d{3})+|\d{1,2}(?:,\d\d)+,\d{3}|\d+)(?:\s*[([;].*|,(?!\d).*|\s+(?![\s\d]).*)?$/i;

/** Parses text such as "12.345" or "~1200 (2011)". Returns undefined for 0 (often unknown). */
export function parsePopulation(text: string | undefined): number | undefined {
  const digits = POPULATION.exec(text?.trim() ?? '')?.[1];
  if (digits === undefined) return undefined;
  const population = Number(digits.replace(/\D/g, ''));
  return population > 0 && population <= MAX_POPULATION ? population : undefined;
}

/** The tag `capital` is `yes` (national) or the admin level of a division. */
export function capitalRank(tags: Tags): number {
  const capital = tags.get('capital') ?? '';
  if (capital === 'yes') return 5;
  return /^\d{1,2}$/.test(capital) ? seatRank(Number(capital)) : 0;
}

/** `Place.adminRank` of the seat of a country (level 2) or division. */
export function seatRank(adminLevel: number): number {
  if (adminLevel < 2 || adminLevel > 10) return 0;
  if (adminLevel === 2) return 5;
  if (adminLevel <= 4) return 4;
  if (adminLevel <= 6) return 3;
  return adminLevel === 7 ? 2 : 1;
}

/** Returns a code or a name. */
export function taggedCountry(tags: Tags): string | undefined {
  return (
    tags.get('is_in:country_code') ??
    tags.get('addr:country') ??
    tags.get('is_in:iso_3166_1') ??
    tags.get('is_in:country')
  );
}

/** `tags` are those of the boundary or node of a country or territory. */
export function isoCountry(tags: Tags): string | undefined {
  for (const key of ['ISO3166-1:alpha2', 'ISO3166-1', 'country_code_iso3166_1_alpha_2', 'iso3166-1']) {
    const code = tags.get(key)?.trim().toUpperCase() ?? '';
    if (COUNTRY_CODES.has(code)) return code;
  }
  return undefined;
}

/** The parts of an ISO 3166-2 code: `['US', 'TX']` for `ISO3166-2=US-TX`. */
export function isoDivision(tags: Tags): readonly [country: string, code: string] | undefined {
  const [, country, code] = /^([A-Z]{2})-([A-Z\d]{1,3})$/.exec(tags.get('ISO3166-2')?.trim() ?? '') ?? [];
  return country !== undefined && code !== undefined && COUNTRY_CODES.has(country) ? [country, code] : undefined;
}
