import { UsageError } from '../errors/errors.ts';
import { ALPHA2_BY_ALPHA3, COUNTRY_CODES } from '../sources/regions/country-codes.ts';

/** Parses `--country`: an ISO 3166-1 alpha-2 code, upper or lower case. Throws UsageError. */
export function parseCountryCode(text: string): string {
  const code = text.trim().toUpperCase();
  if (COUNTRY_CODES.has(code)) return code;
  const suggestion = ALPHA2_BY_ALPHA3.get(code);
  throw new UsageError(
    `--country: must be an ISO 3166-1 alpha-2 code such as FR, got ${JSON.stringify(text)}${
      suggestion === undefined ? '.' : `; did you mean ${suggestion}?`
    }`,
  );
}
