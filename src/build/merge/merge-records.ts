/** Merges the records of a settlement field by field, by the rules of the table in docs/data.md. */
import type { Place, PlaceName } from '../../place/place.ts';

/** Takes the record of the most trusted source first; the merged place keeps its id and point. */
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
  const positionsByText = new Map<string, number[]>();
  names.forEach(({ value }, i) => {
    positionsByText.set(value, [...(positionsByText.get(value) ?? []), i]);
  });
  for (const name of others.flatMap((place) => place.names)) {
    const positions = positionsByText.get(name.value);
    if (positions === undefined) positionsByText.set(name.value, [names.push(notMain(name)) - 1]);
    else mergeIntoSameText(names, positions, name);
  }
  return names;
}

/**
 * Merges a name into those with the same text, which are at `positions` in `names`. The name
 * completes the one in its language, or else one without a language. If there is neither, it is
 * added, provided that it has a language.
 */
function mergeIntoSameText(names: PlaceName[], positions: number[], name: PlaceName): void {
  const { value, kind, language } = name;
  const sameLanguage = positions.find((i) => names[i]!.language === language);
  // the main name stays without a language: it is shown if no language is requested
  const noLanguage = positions.find((i) => i > 0 && names[i]!.language === undefined);
  const at = sameLanguage ?? noLanguage;
  if (at !== undefined) {
    const known = names[at]!;
    const bestKind = known.kind === 'romanized' && kind !== 'main' ? kind : known.kind;
    const tag = known.language ?? language;
    names[at] = tag === undefined ? { value, kind: bestKind } : { value, kind: bestKind, language: tag };
  } else if (language !== undefined) {
    positions.push(names.push(notMain(name)) - 1);
  }
}

/** The main name of another record becomes an alternate name. */
function notMain(name: PlaceName): PlaceName {
  return name.kind === 'main' ? { ...name, kind: 'alternate' } : name;
}
