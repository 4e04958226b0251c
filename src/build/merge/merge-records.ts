/** Merges the records of one settlement, each field by the rules of the table in docs/data.md. */
import { isInBox } from '../../place/bounding-box.ts';
import type { Place, PlaceName } from '../../place/place.ts';

/** Expects the most trusted record first. */
export function mergeRecords(records: readonly [Place, ...Place[]]): Place {
  const [first] = records;
  const withPopulation = records.find(({ population }) => (population ?? 0) > 0);
  const population = withPopulation?.population ?? first.population;
  const withDivisions = records.find(({ admin1 }) => admin1 !== undefined);
  const timezone = records.find((record) => record.timezone !== undefined)?.timezone;
  const importance = records.find((record) => record.importance !== undefined)?.importance;
  const box = records.find((record) => record.box && isInBox(record.box, first.lat, first.lng))?.box;
  const airports = records.flatMap((record) => record.airports ?? []);
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
    ...(box === undefined ? {} : { box }),
    ...(airports.length === 0 ? {} : { airports }),
  };
}

function mergeNames([first, ...others]: readonly [Place, ...Place[]]): PlaceName[] {
  const names: PlaceName[] = [...first.names];
  for (const name of others.flatMap((place) => place.names)) mergeNameInto(names, name);
  return names;
}

function mergeNameInto(names: PlaceName[], name: PlaceName): void {
  const { value, kind, language } = name;
  const sameText = [...names.keys()].filter((i) => names[i]!.value === value);
  const sameLanguage = sameText.find((i) => names[i]!.language === language);
  // the main name never gets a language, because it serves requests without a language
  const noLanguage = sameText.find((i) => i > 0 && names[i]!.language === undefined);
  const at = sameLanguage ?? noLanguage;
  if (at !== undefined) {
    const existing = names[at]!;
    // any kind is more certain than `romanized`, but only the first name may be `main`
    const isMoreCertain = existing.kind === 'romanized' && kind !== 'main';
    const knownLanguage = existing.language ?? language;
    names[at] = {
      value,
      kind: isMoreCertain ? kind : existing.kind,
      ...(knownLanguage === undefined ? {} : { language: knownLanguage }),
    };
  } else if (sameText.length === 0 || language !== undefined) {
    names.push(demoteMainName(name));
  }
}

function demoteMainName(name: PlaceName): PlaceName {
  return name.kind === 'main' ? { ...name, kind: 'alternate' } : name;
}
