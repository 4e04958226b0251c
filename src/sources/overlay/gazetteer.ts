/**
 * Applies an overlay (corrections and additions) to a base index. The result is a small gazetteer
 * of the changed and added places. An index is built from it and searched together with the base
 * index (engine/layered-engine.ts).
 */
import type { Gazetteer } from '../../place/gazetteer.ts';
import type { Place, PlaceName, Region } from '../../place/place.ts';
import { type DivisionKeys, KnownDivisions, type WrittenDivisions } from '../regions/known-divisions.ts';
import { createReport } from '../report.ts';
import { SourceError } from '../source-error.ts';
import type { ChangedFields, OverlayLine } from './lines.ts';

interface BaseIndex {
  readonly regions: Iterable<Region>;
  /** The place with its importance; undefined if no place has this id. */
  place(id: string): Place | undefined;
}

/**
 * Applies the lines in order. Throws a SourceError if a line adds a place that exists already,
 * concerns a place that does not exist, or has divisions that `KnownDivisions` does not accept.
 */
export function overlayGazetteer(
  lines: readonly OverlayLine[],
  base: BaseIndex,
  { version, countries }: Pick<Gazetteer, 'version' | 'countries'>,
): Gazetteer {
  const divisions = new KnownDivisions();
  for (const region of base.regions) divisions.add(region);
  const divisionKeys = (written: WrittenDivisions, at: string): DivisionKeys => {
    const keysOrError = divisions.findKeys(written);
    if (typeof keysOrError === 'string') throw new SourceError(`${at}: ${keysOrError}`);
    return keysOrError;
  };
  /** Changed, added and hidden places by id, in their state after the lines so far. */
  const changedPlaces = new Map<string, Place | 'hidden'>();
  /** Ids of places of the base index that the overlay changes or hides. */
  const replacedBaseIds = new Set<string>();
  /** Ids of places whose importance a `rank` line has set. */
  const rankedIds = new Set<string>();
  for (const { at, change } of lines) {
    const id = change.kind === 'add' ? change.place.id : change.id;
    const current = changedPlaces.get(id) ?? base.place(id);
    const exists = current !== undefined && current !== 'hidden';
    if (change.kind === 'add') {
      if (exists) throw new SourceError(`${at}: add: place ${id} already exists; use "change" instead`);
      changedPlaces.set(id, { ...change.place, ...divisionKeys(change.place, `${at}: add`) });
      continue;
    }
    if (!exists) throw new SourceError(`${at}: ${change.kind}: place ${id} does not exist`);
    if (base.place(id) !== undefined) replacedBaseIds.add(id);
    if (change.kind === 'hide') {
      changedPlaces.set(id, 'hidden');
      rankedIds.delete(id); // if an `add` line uses the id again, that place has no `rank` line yet
    }
    if (change.kind === 'rank') {
      changedPlaces.set(id, { ...current, importance: change.importance });
      rankedIds.add(id);
    }
    if (change.kind === 'addName') changedPlaces.set(id, { ...current, names: [...current.names, change.name] });
    if (change.kind === 'change') {
      const keys = divisionKeys(changedDivisions(current, change.fields), `${at}: change`);
      const fields = { ...change.fields, ...keys };
      changedPlaces.set(id, withFields(current, { fields, isRanked: rankedIds.has(id) }));
    }
  }
  const places = [...changedPlaces.values()].filter((place) => place !== 'hidden');
  return {
    version,
    attribution: [],
    countries,
    regions: divisions.regions,
    places: toStream(places),
    replaces: [...replacedBaseIds].sort(),
    report: { ...createReport(), rowsRead: lines.length, rowsKept: lines.length },
  };
}

/**
 * Returns the place with the changed fields. If these affect the importance, and no `rank` line has
 * set it (`isRanked`), the importance is dropped, so that the builder computes it again.
 */
function withFields(place: Place, { fields, isRanked }: { fields: ChangedFields; isRanked: boolean }): Place {
  const { name, population, ...others } = fields;
  const changed: { -readonly [Field in keyof Place]: Place[Field] } = {
    ...withoutOldDivisions(place, fields),
    ...others,
  };
  if (name !== undefined) changed.names = renamed(place.names, name);
  // as in NDJSON files, 0 means unknown
  if (population === 0) delete changed.population;
  else if (population !== undefined) changed.population = population;
  const affectsImportance = population !== undefined || fields.adminRank !== undefined;
  if (affectsImportance && !isRanked) delete changed.importance;
  return changed;
}

/** The divisions in a line. If only `admin2` changes, `admin1` is that of the place. */
function changedDivisions(place: Place, { country = place.country, admin1, admin2 }: ChangedFields): WrittenDivisions {
  const changesOnlyAdmin2 = admin1 === undefined && admin2 !== undefined && country === place.country;
  return { country, admin1: changesOnlyAdmin2 ? place.admin1 : admin1, admin2 };
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

async function* toStream<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
