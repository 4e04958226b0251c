/**
 * An overlay applied: the changed and added places, and which places of the index they stand for, as a small gazetteer.
 * Its index is opened over the large one. A change to a place that is not there is an error that names its line.
 */
import type { Country, Gazetteer } from '../../place/gazetteer.ts';
import type { Place, PlaceName, Region } from '../../place/place.ts';
import { namedDivisionKey } from '../regions/regions.ts';
import { createReport } from '../report.ts';
import { SourceError } from '../source-error.ts';
import type { ChangedFields, OverlayLine } from './lines.ts';

/** What the overlay needs to know of the index under it. */
export interface OverlaidPlaces {
  readonly regions: Iterable<Region>;
  /** Undefined where there is no place of this id. */
  place(id: string): Place | undefined;
}

export interface OverlayOptions {
  readonly version: string;
  readonly countries: readonly Country[];
}

export function overlayGazetteer(
  lines: readonly OverlayLine[],
  base: OverlaidPlaces,
  { version, countries }: OverlayOptions,
): Gazetteer {
  const divisions = new Divisions(base.regions);
  const changed = new Map<string, Place | 'hidden'>();
  const replaces = new Set<string>();
  /** Places whose importance a line has set. */
  const ranked = new Set<string>();
  for (const { at, change } of lines) {
    const id = change.kind === 'add' ? change.place.id : change.id;
    const current = changed.get(id) ?? base.place(id);
    const exists = current !== undefined && current !== 'hidden';
    if (change.kind === 'add') {
      if (exists) throw new SourceError(`${at}: add: there is a place ${id} already; change it instead`);
      changed.set(id, divisions.settle(change.place));
      continue;
    }
    if (!exists) throw new SourceError(`${at}: ${change.kind}: there is no place ${id}`);
    if (base.place(id) !== undefined) replaces.add(id);
    if (change.kind === 'hide') {
      changed.set(id, 'hidden');
      ranked.delete(id);
    }
    if (change.kind === 'rank') {
      changed.set(id, { ...current, importance: change.importance });
      ranked.add(id);
    }
    if (change.kind === 'addName') changed.set(id, { ...current, names: [...current.names, change.name] });
    if (change.kind === 'change') {
      const fields = divisions.resolve(change.fields, current.country);
      changed.set(id, divisions.settle(withFields(current, { fields, isRanked: ranked.has(id) })));
    }
  }
  const places = [...changed.values()].filter((place) => place !== 'hidden');
  return {
    version,
    attribution: [],
    countries,
    regions: divisions.regions,
    places: streamOf(places),
    replaces: [...replaces].sort(),
    report: { ...createReport(), rowsRead: lines.length, rowsKept: lines.length },
  };
}

interface Change {
  readonly fields: ChangedFields;
  /** Whether a line of the overlay has set the importance: it then stays. */
  readonly isRanked: boolean;
}

function withFields(place: Place, { fields, isRanked }: Change): Place {
  const { name, population, ...others } = fields;
  const changed: { -readonly [Field in keyof Place]: Place[Field] } = {
    ...withoutLeftDivisions(place, fields),
    ...others,
  };
  if (name !== undefined) changed.names = renamed(place.names, name);
  if (population === 0)
    delete changed.population; // not known, as in every format
  else if (population !== undefined) changed.population = population;
  const isResized = population !== undefined || fields.adminRank !== undefined;
  if (isResized && !isRanked) delete changed.importance; // the builder computes it from the new fields
  return changed;
}

/** A place that moves to another country or first-level division is no longer in the divisions below the old one. */
function withoutLeftDivisions(place: Place, { country, admin1 }: ChangedFields): Place {
  const { admin1: oldAdmin1, admin2: _, ...outside } = place;
  if (country !== undefined && country !== place.country) return outside;
  if (admin1 === undefined || admin1 === oldAdmin1) return place;
  return oldAdmin1 === undefined ? outside : { ...outside, admin1: oldAdmin1 };
}

/** The old main name stays as an alternate name. */
function renamed(names: readonly PlaceName[], name: string): PlaceName[] {
  const others = names
    .filter(({ value }) => value !== name)
    .map((old) => ({ ...old, kind: old.kind === 'main' ? 'alternate' : old.kind }) as const);
  return [{ value: name, kind: 'main' }, ...others];
}

/** Divisions by key or by name; a name that the index does not know makes a new one. */
class Divisions {
  readonly regions: Region[];
  private readonly byKey = new Map<string, Region>();
  private readonly byName = new Map<string, Region>();

  constructor(regions: Iterable<Region>) {
    this.regions = [...regions];
    for (const region of this.regions) this.remember(region);
  }

  settle(place: Place): Place {
    if (place.admin1 === undefined) return place;
    const admin1 = this.keyOf(place.admin1, place.country, 1);
    const settled = { ...place, admin1 };
    return place.admin2 === undefined ? settled : { ...settled, admin2: this.keyOf(place.admin2, admin1, 2) };
  }

  /** The first-level division by its key, so that one that is given by its name can be compared. */
  resolve(fields: ChangedFields, country: string): ChangedFields {
    const { admin1 } = fields;
    return admin1 === undefined ? fields : { ...fields, admin1: this.keyOf(admin1, fields.country ?? country, 1) };
  }

  private keyOf(named: string, parent: string, level: 1 | 2): string {
    const known = this.byKey.get(named) ?? this.byName.get(`${parent}\t${named.toLowerCase()}`);
    if (known !== undefined) return known.key;
    const key = namedDivisionKey(parent, named);
    const region: Region = { key, level, country: parent.slice(0, 2), name: named, aliases: [] };
    this.regions.push(region);
    this.remember(region);
    return key;
  }

  private remember(region: Region): void {
    this.byKey.set(region.key, region);
    const parent = region.key.slice(0, region.key.lastIndexOf('.'));
    this.byName.set(`${parent}\t${region.name.toLowerCase()}`, region);
  }
}

async function* streamOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
