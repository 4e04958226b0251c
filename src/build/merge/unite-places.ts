/** Several records of one settlement to one, field by field: docs/data.md has the table. */
import type { Place, PlaceName } from '../../place/place.ts';

/** `members` by source order: the first is the one whose id and point stay. */
export function unitePlaces(members: readonly [Place, ...Place[]]): Place {
  const [first] = members;
  const sized = members.find(({ population }) => (population ?? 0) > 0);
  const population = sized?.population ?? first.population;
  const divided = members.find(({ admin1 }) => admin1 !== undefined);
  const timezone = members.find((member) => member.timezone !== undefined)?.timezone;
  const importance = members.find((member) => member.importance !== undefined)?.importance;
  const externalIds = [...new Set(members.flatMap((member) => member.externalIds ?? []))];
  return {
    id: first.id,
    // the type of a place whose size is not known is a guess
    type: (sized ?? first).type,
    names: uniteNames(members),
    lat: first.lat,
    lng: first.lng,
    country: first.country,
    ...(divided?.admin1 === undefined ? {} : { admin1: divided.admin1 }),
    ...(divided?.admin2 === undefined ? {} : { admin2: divided.admin2 }),
    ...(population === undefined ? {} : { population }),
    ...(timezone === undefined ? {} : { timezone }),
    adminRank: Math.max(...members.map(({ adminRank }) => adminRank)),
    ...(importance === undefined ? {} : { importance }),
    ...(externalIds.length === 0 ? {} : { externalIds }),
  };
}

/** The first member's names as they are, then what the others add. */
function uniteNames([first, ...others]: readonly [Place, ...Place[]]): PlaceName[] {
  const names: PlaceName[] = [...first.names];
  const positions = new Map<string, number[]>();
  names.forEach(({ value }, i) => {
    positions.set(value, [...(positions.get(value) ?? []), i]);
  });
  for (const name of others.flatMap((place) => place.names)) {
    const known = positions.get(name.value);
    if (known === undefined) {
      positions.set(name.value, [names.push(name.kind === 'main' ? { ...name, kind: 'alternate' } : name) - 1]);
    } else learn(names, known, name);
  }
  return names;
}

/** A text that is there already can still bring its language, or that it is no guess of a machine. */
function learn(names: PlaceName[], known: number[], { value, kind, language }: PlaceName): void {
  const same = known.find((i) => names[i]!.language === language);
  // the main name keeps no language of its own: it is shown where no language is asked for
  const open = known.find((i) => i > 0 && names[i]!.language === undefined);
  const at = same ?? open;
  if (at !== undefined) {
    const name = names[at]!;
    const surer = name.kind === 'romanized' && kind !== 'main' ? kind : name.kind;
    const spoken = name.language ?? language;
    names[at] = spoken === undefined ? { value, kind: surer } : { value, kind: surer, language: spoken };
  } else if (language !== undefined) {
    known.push(names.push({ value, kind: kind === 'main' ? 'alternate' : kind, language }) - 1);
  }
}
