/**
 * Finds the country at a point with simplified world borders, accurate to about a kilometre on
 * land; most points at sea are in no country.
 */
import { COUNTRY_CODES } from '../regions/country-codes.ts';

export interface WorldBorders {
  /** ISO 3166-1 alpha-2 code, or undefined. */
  countryAt(lat: number, lng: number): string | undefined;
  /** Whether a part of the country is within NEAR_DEGREES of the point. */
  isNear(country: string, lat: number, lng: number): boolean;
}

/** At least 1 km up to 60 degrees of latitude: no less than the error of the borders. */
const NEAR_DEGREES = 0.02;

export async function loadWorldBorders(): Promise<WorldBorders> {
  // imported here because loading takes about 65 ms, and few builds need the borders
  const { iso1A2Code, iso1A2Codes } = await import('@rapideditor/country-coder');
  return {
    countryAt(lat, lng) {
      // territories such as Hong Kong and Puerto Rico have their own codes in ISO 3166-1
      const code = iso1A2Code([lng, lat], { level: 'territory' }) ?? iso1A2Code([lng, lat]);
      return code !== null && COUNTRY_CODES.has(code) ? code : undefined;
    },
    isNear(country, lat, lng) {
      const [west, east] = [lng - NEAR_DEGREES, lng + NEAR_DEGREES];
      const [south, north] = [lat - NEAR_DEGREES, lat + NEAR_DEGREES];
      return iso1A2Codes([west, south, east, north]).includes(country);
    },
  };
}
