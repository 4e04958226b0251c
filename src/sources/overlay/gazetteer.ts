/**
 * Applies an overlay to a base index. The result is a small gazetteer of the changed and added
 * places; its index is opened on top of the base index.
 */
import type { Country, Gazetteer } from '../../place/gazetteer.ts';
import type { Place, PlaceName, Region } from '../../place/place.ts';
import { namedDivisionKey } from '../regions/regions.ts';
import { createReport } from '../report.ts';
import { SourceError } from '../source-error.ts';
import type { ChangedFields, OverlayLine } from './lines.ts';

/** The part of the base index that an overlay reads. */
interface BasePlaces {
  readonly regions: Iterable<Region>;
  /** Undefined if no place has this id. */
  place(id: string): Place | undefined;
}

interface OverlayOptions {
  readonly version: string;
  readonly countries: readonly Country[];
}

/** Throws a SourceError if a line changes an unknown place or adds an existing one. */
export function overlayGazetteer(
  lines: readonly OverlayLine[],
  base: BasePlaces,
  { version, countries }: OverlayOptions,
): Gazetteer {
  const divisions = new Divisions(base.regions);
  const changed = new Map<string, Place | 'hidden'>();
  const replacedIds = new Set<string>();
  /** Ids of places whose importance a line has set. */
  const rankedIds = new Set<string>();
  for (const { at, change } of lines) {
    const id = change.kind === 'add' ? change.place.id : change.id;
    const current = changed.get(id) ?? base.place(id);
    const exists = current !== undefined && current !== 'hidden';
    if (change.kind === 'add') {
      if (exists) throw new SourceError(`${at}: add: place ${id} already exists; use "change" instead`);
      changed.set(id, divisions.resolvePlace(change.place));
      continue;
    }
    if (!exists) throw new SourceError(`${at}: ${change.kind}: place ${id} does not exist`);
    if (base.place(id) !== undefined) replacedIds.add(id);
    if (change.kind === 'hide') {
      changed.set(id, 'hidden');
      rankedIds.delete(id);
    }
    if (change.kind === 'rank') {
      changed.set(id, { ...current, importance: change.importance });
      rankedIds.add(id);
    }
    if (change.kind === 'addName') changed.set(id, { ...current, names: [...current.names, change.name] });
    if (change.kind === 'change') {
      const fields = divisions.resolveFields(change.fields, current.country);
      changed.set(id, divisions.resolvePlace(withFields(current, { fields, isRanked: rankedIds.has(id) })));
    }
  }
  const places = [...changed.values()].filter((place) => place !== 'hidden');
  return {
    version,
    attribution: [],
    countries,
    regions: divisions.regions,
    places: toStream(places),
    replaces: [...replacedIds].sort(),
    report: { ...createReport(), rowsRead: lines.length, rowsKept: lines.length },
  };
}

/** Drops an importance that the fields affect, to be computed again, unless a line has set it. */
function withFields(
  place: Place,
  { fields, isRanked }: { readonly fields: ChangedFields; readonly isRanked: boolean },
): Place {
  const { name, population, ...others } = fields;
  const changed: { -readonly [Field in keyof Place]: Place[Field] } = {
    ...withoutOldDivisions(place, fields),
    ...others,
  };
  if (name !== undefined) changed.names = renamed(place.names, name);
  if (population === 0)
    delete changed.population; // 0 means unknown, as in NDJSON files
  else if (population !== undefined) changed.population = population;
  const affectsImportance = population !== undefined || fields.adminRank !== undefined;
  if (affectsImportance && !isRanked) delete changed.importance;
  return changed;
}

/** Removes the divisions of a place that moves to another country or first-level division. */
function withoutOldDivisions(place: Place, { country, admin1 }: ChangedFields): Place {
  const { admin1: _admin1, admin2: _admin2, ...rest } = place;
  const changesCountry = country !== undefined && country !== place.country;
  const changesAdmin1 = admin1 !== undefined && admin1 !== place.admin1;
  return changesCountry || changesAdmin1 ? rest : place;
}

/** Makes `name` the main name. The old main name stays as an alternate name. */
function renamed(names: readonly PlaceName[], name: string): PlaceName[] {
  const others = names
    .filter(({ value }) => value !== name)
    .map((old) => ({ ...old, kind: old.kind === 'main' ? 'alternate' : old.kind }) as const);
  return [{ value: name, kind: 'main' }, ...others];
}

/** Finds divisions by key or by name; an unknown name creates a division. */
class Divisions {
  readonly regions: Region[];
  private readonly byKey = new Map<string, Region>();
  /** By parent key, tab and lower-case name. */
  private readonly byName = new Map<string, Region>();

  constructor(regions: Iterable<Region>) {
    this.regions = [...regions];
    for (const region of this.regions) this.addToMaps(region);
  }

  /** Replaces the names of divisions with their keys. */
  resolvePlace(place: Place): Place {
    if (place.admin1 === undefined) return place;
    const admin1 = this.findKey(place.admin1, place.country, 1);
    const resolved = { ...place, admin1 };
    return place.admin2 === undefined ? resolved : { ...resolved, admin2: this.findKey(place.admin2, admin1, 2) };
  }

  /** Replaces the name of the first-level division with its key, as the place has it. */
  resolveFields(fields: ChangedFields, country: string): ChangedFields {
    const { admin1 } = fields;
    return admin1 === undefined ? fields : { ...fields, admin1: this.findKey(admin1, fields.country ?? country, 1) };
  }

  private findKey(keyOrName: string, parent: string, level: 1 | 2): string {
    const known = this.byKey.get(keyOrName) ?? this.byName.get(`${parent}\t${keyOrName.toLowerCase()}`);
    if (known !== undefined) return known.key;
    const key = namedDivisionKey(parent, keyOrName);
    const region: Region = { key, level, country: parent.slice(0, 2), name: keyOrName, aliases: [] };
    this.regions.push(region);
    this.addToMaps(region);
    return key;
  }

  private addToMaps(region: Region): void {
    this.byKey.set(region.key, region);
    const parent = region.key.slice(0, region.key.lastIndexOf('.'));
    this.byName.set(`${parent}\t${region.name.toLowerCase()}`, region);
  }
}

async function* toStream<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
