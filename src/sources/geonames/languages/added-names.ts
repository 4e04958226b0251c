/**
 * City names that GeoNames lacks, by city and GeoNames id ("Vienna 2761369"). Nicknames, airports
 * and their codes are in no single language, so they are found but not shown.
 */
import { type PlaceName, SEVERAL_LANGUAGES } from '../../../place/place.ts';
import ownNames from './added-names.json' with { type: 'json' };
import airports from './airports.json' with { type: 'json' };
import cldrNames from './cldr-names.json' with { type: 'json' };
import divisionNames from './division-names.json' with { type: 'json' };
import nicknames from './nicknames.json' with { type: 'json' };

/** `|` separates several names of one language. */
type NamesByLanguage = Readonly<Record<string, string>>;

const namesById = new Map<string, PlaceName[]>();
for (const table of [ownNames, cldrNames, divisionNames]) {
  for (const [city, names] of Object.entries<NamesByLanguage>(table)) {
    addNames(city, parseNames(names));
  }
}
addAll(nicknames, { kind: 'alternate', language: SEVERAL_LANGUAGES });
addAll(airports, { kind: 'code' });

function addAll(namesByCity: Readonly<Record<string, string>>, tags: Omit<PlaceName, 'value'>): void {
  for (const [city, names] of Object.entries(namesByCity)) {
    addNames(
      city,
      names.split('|').map((value) => ({ value, ...tags })),
    );
  }
}

function addNames(city: string, names: readonly PlaceName[]): void {
  const id = city.slice(city.lastIndexOf(' ') + 1);
  namesById.set(id, [...(namesById.get(id) ?? []), ...names]);
}

export function addedNames(geonameId: string): readonly PlaceName[] {
  return namesById.get(geonameId) ?? [];
}

function parseNames(names: NamesByLanguage): PlaceName[] {
  return Object.entries(names).flatMap(([language, values]) =>
    values.split('|').map((value) => ({ value, kind: 'alternate' as const, language })),
  );
}
