/** Merges the records of a settlement field by field, by the rules of the table in docs/data.md. */
import type { Place, PlaceName } from '../../place/place.ts';

/** Expects the most trusted record first: the merged place keeps its id, point and country. */
export function mergeRecords(records: readonly [Place, ...Place[]]): Place {
  const [first] = records;
  const withPopulation = records.find(({ population }) => (population ?? 0) > 0);
  const population = withPopulation?.population ?? first.population;
  const withDivisions = records.find(({ admin1 }) => admin1 !== undefined);
  const timezone = records.find((record) => record.timezone !== undefined)?.timezone;
  const importance = records.find((record) => record.importance !== undefined)?.importance;
  const externalIds = [...new Set(records.flatMap((record) => record.externalIds ?? []))];
  return {
    id: first.id,
    // the type of a place of unknown population is a guess
    type: (withPopulation ?? first).type,
    names: mergeNames(records),
    lat: first.lat,
    lng: first.lng,
    country: first.country,
    ...(withDivisions?.admin1 === undefined ? {} : { admin1: withDivisions.admin1 }),
    ...(withDivisions?.admin2 === undefined ? {} : { admin2: withDivisions.admin2 }),
    ...(population === undefined ? {} : { population }),
    ...(timezone === undefined ? {} : { timezone }),
    adminRank: Math.max(...records.map(({ adminRank }) => adminRank)),
    ...(importance === undefined ? {} : { importance }),
    ...(externalIds.length === 0 ? {} : { externalIds }),
  };
}

/** Returns the names of the first record, then the names that only other records have. */
function mergeNames([first, ...others]: readonly [Place, ...Place[]]): PlaceName[] {
  const names: PlaceName[] = [...first.names];
  for (const name of others.flatMap((place) => place.names)) mergeNameInto(names, name);
  return names;
}

/**
 * Merges a name into one with the same text and language, or else the same text and no language.
 * If there is none, adds the name, unless it has no language and another name has its text.
 */
function mergeNameInto(names: PlaceName[], name: PlaceName): void {
  const { value, kind, language } = name;
  const sameText = [...names.keys()].filter((i) => names[i]!.value === value);
  const sameLanguage = sameText.find((i) => names[i]!.language === language);
  // `i > 0`: the main name never gets a language, because it serves requests without a language
  const noLanguage = sameText.find((i) => i > 0 && names[i]!.language === undefined);
  const at = sameLanguage ?? noLanguage;
  if (at !== undefined) {
    const existing = names[at]!;
    // any other kind replaces 'romanized', except 'main': the place already has a main name
    const mergedKind = existing.kind === 'romanized' && kind !== 'main' ? kind : existing.kind;
    const mergedLanguage = existing.language ?? language;
    names[at] = { value, kind: mergedKind, ...(mergedLanguage === undefined ? {} : { language: mergedLanguage }) };
  } else if (sameText.length === 0 || language !== undefined) {
    names.push(demoteMainName(name));
  }
}

/** The main name of another record becomes an alternate name. */
function demoteMainName(name: PlaceName): PlaceName {
  return name.kind === 'main' ? { ...name, kind: 'alternate' } : name;
}
