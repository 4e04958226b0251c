/** Finds the country at a point by simplified world borders, accurate to about a kilometre. */
import { COUNTRY_CODES } from '../regions/country-codes.ts';

export interface WorldBorders {
  /** ISO 3166-1 alpha-2 code. Most points at sea are in no country. */
  countryAt(lat: number, lng: number): string | undefined;
  isNear(country: string, lat: number, lng: number): boolean;
}

/** About the error of the borders. */
const NEAR_DEGREES = 0.02;

export async function loadWorldBorders(): Promise<WorldBorders> {
  // imported here because loading takes 65 ms and few builds need the borders
  const { iso1A2Code, iso1A2Codes } = await import('@rapideditor/country-coder');
  return {
    countryAt(lat, lng) {
      // territories such as Hong Kong have their own codes
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
