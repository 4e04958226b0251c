/** Merges the records of a settlement field by field, by the rules of the table in docs/data.md. */
import type { Place, PlaceName } from '../../place/place.ts';

/** `records` are in source order: the merged place keeps the id and the point of the first. */
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

/** Returns the names of the first record unchanged, then the names that the other records add. */
function mergeNames([first, ...others]: readonly [Place, ...Place[]]): PlaceName[] {
  const names: PlaceName[] = [...first.names];
  const positions = new Map<string, number[]>();
  names.forEach(({ value }, i) => {
    positions.set(value, [...(positions.get(value) ?? []), i]);
  });
  for (const name of others.flatMap((place) => place.names)) {
    const known = positions.get(name.value);
    if (known === undefined) {
      positions.set(name.value, [names.push(name.kind === 'main' ? { ...name, kind: 'alternate' } : name) - 1]);
    } else addDetails(names, known, name);
  }
  return names;
}

/** Adds the language of a known name, or replaces the kind `romanized` with a better one. */
function addDetails(names: PlaceName[], known: number[], { value, kind, language }: PlaceName): void {
  const same = known.find((i) => names[i]!.language === language);
  // the main name stays without a language: it is shown if no language is requested
  const untagged = known.find((i) => i > 0 && names[i]!.language === undefined);
  const at = same ?? untagged;
  if (at !== undefined) {
    const name = names[at]!;
    const bestKind = name.kind === 'romanized' && kind !== 'main' ? kind : name.kind;
    const tag = name.language ?? language;
    names[at] = tag === undefined ? { value, kind: bestKind } : { value, kind: bestKind, language: tag };
  } else if (language !== undefined) {
    known.push(names.push({ value, kind: kind === 'main' ? 'alternate' : kind, language }) - 1);
  }
}
