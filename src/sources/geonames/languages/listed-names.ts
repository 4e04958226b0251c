/** Finds a place's names in two tables of well-known cities by language: our own and CLDR's. */
import type { PlaceFacts } from './assign-languages.ts';
import exemplarCities from './exemplar-cities.json' with { type: 'json' };
import { EXONYMS } from './exonyms.ts';

/** Smaller places are not in EXONYMS but may share a name with a city there. */
const MIN_POPULATION = 100_000;

const languagesByExonym = new Map<string, string[]>();
for (const [language, namesByCountry] of Object.entries(EXONYMS)) {
  for (const [country, names] of Object.entries(namesByCountry)) {
    for (const name of names.split('|')) {
      const key = exonymKey(country, name);
      languagesByExonym.set(key, [...(languagesByExonym.get(key) ?? []), language]);
    }
  }
}

/** The city that gives a time zone its name: Accra for Africa/Accra. */
interface ExemplarCity {
  readonly city: string; // in English
  readonly names: Readonly<Record<string, string>>;
}

const cityByTimezone = new Map(Object.entries<ExemplarCity>(exemplarCities));

/** The names that the tables list, by language. `values` are the alternate names. */
export function listedNames(
  main: string,
  values: readonly string[],
  { country, timezone, population }: PlaceFacts,
): Map<string, string> {
  const listed = new Map<string, string>();
  const mayBeInExonyms = population >= MIN_POPULATION;
  for (const value of mayBeInExonyms ? values : []) {
    const languages = languagesByExonym.get(exonymKey(country, value)) ?? [];
    for (const language of languages) listed.set(language, value);
  }
  const exemplar = cityByTimezone.get(timezone);
  const isExemplar = exemplar !== undefined && (main === exemplar.city || values.includes(exemplar.city));
  if (!isExemplar) return listed;
  for (const [language, name] of Object.entries(exemplar.names)) {
    if (!listed.has(language) && values.includes(name)) listed.set(language, name);
  }
  return listed;
}

function exonymKey(country: string, name: string): string {
  return `${country} ${name}`;
}
