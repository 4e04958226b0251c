/**
 * Names that tables list for a place: by GeoNames id, which also adds names that GeoNames lacks, and
 * by country or time zone, which only says which of the place's names is in a language.
 */
import { type PlaceName, SEVERAL_LANGUAGES } from '../../../place/place.ts';
import { readTable } from '../../tables.ts';
import type { PlaceFacts } from './assign-languages.ts';

const addedNamesById = new Map<string, PlaceName[]>();
for (const table of ['city-names', 'timezone-city-names', 'division-city-names'] as const) {
  for (const { id, language, name } of readTable(table)) addName(id, { value: name, kind: 'alternate', language });
}
// nicknames, airports and their codes are in no single language, so they are found but not shown
for (const { id, name } of readTable('nicknames')) {
  addName(id, { value: name, kind: 'alternate', language: SEVERAL_LANGUAGES });
}
for (const { id, name } of readTable('airports')) addName(id, { value: name, kind: 'code' });

function addName(id: string, name: PlaceName): void {
  const names = addedNamesById.get(id);
  if (names === undefined) addedNamesById.set(id, [name]);
  else names.push(name);
}

/** Names to add to a place. */
export function addedNames(geonameId: string): readonly PlaceName[] {
  return addedNamesById.get(geonameId) ?? [];
}

/** Smaller places are not among the exonyms but may share a name with a city there. */
const MIN_POPULATION = 100_000;

const languagesByExonym = new Map<string, string[]>();
for (const { language, country, name } of readTable('exonyms')) {
  const key = exonymKey(country, name);
  languagesByExonym.set(key, [...(languagesByExonym.get(key) ?? []), language]);
}

/** Names of the city that gives a time zone its name: Accra for Africa/Accra. */
const exemplarNames = Map.groupBy(readTable('exemplar-cities'), ({ timezone }) => timezone);

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
  const exemplars = exemplarNames.get(timezone) ?? [];
  const city = exemplars[0]?.city; // in English
  const isExemplar = city !== undefined && (main === city || values.includes(city));
  if (!isExemplar) return listed;
  for (const { language, name } of exemplars) {
    if (!listed.has(language) && values.includes(name)) listed.set(language, name);
  }
  return listed;
}

function exonymKey(country: string, name: string): string {
  return `${country} ${name}`;
}
