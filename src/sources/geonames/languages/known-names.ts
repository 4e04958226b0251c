/**
 * Finds the names of well-known cities that are listed by language: in our own table of exonyms
 * (exonyms.json), and in CLDR's names of the cities that time zones are called after
 * (exemplar-cities.json). A listed name counts only if the place has it.
 */
import type { PlaceFacts } from './assign-languages.ts';
import exemplarCities from './exemplar-cities.json' with { type: 'json' };
import exonyms from './exonyms.json' with { type: 'json' };

/** Smaller places have no exonyms in the table, but may share a name with a place that has. */
const MIN_POPULATION = 100_000;

/** Languages by country code and name. */
const languagesByExonym = new Map<string, string[]>();
for (const [language, namesByCountry] of Object.entries<Record<string, string>>(exonyms)) {
  for (const [country, names] of Object.entries(namesByCountry)) {
    for (const name of names.split('|')) {
      const key = exonymKey(country, name);
      languagesByExonym.set(key, [...(languagesByExonym.get(key) ?? []), language]);
    }
  }
}

interface ExemplarCity {
  /** The city's name in English. */
  readonly city: string;
  readonly names: Readonly<Record<string, string>>;
}

const cityByTimezone = new Map(Object.entries<ExemplarCity>(exemplarCities));

/** The listed name of each language among the names of a place. */
export function knownNames(
  main: string,
  values: readonly string[],
  { country, timezone, population }: PlaceFacts,
): Map<string, string> {
  const known = new Map<string, string>();
  for (const value of population < MIN_POPULATION ? [] : values) {
    for (const language of languagesByExonym.get(exonymKey(country, value)) ?? []) known.set(language, value);
  }
  const exemplar = cityByTimezone.get(timezone);
  if (exemplar === undefined || (main !== exemplar.city && !values.includes(exemplar.city))) return known;
  for (const [language, name] of Object.entries(exemplar.names)) {
    if (!known.has(language) && values.includes(name)) known.set(language, name);
  }
  return known;
}

function exonymKey(country: string, name: string): string {
  return `${country} ${name}`;
}
