/**
 * Applies an overlay (corrections and additions) to a base index. The result is a gazetteer of the
 * changed and added places only.
 */

import { isInBox } from '../../place/bounding-box.ts';
import type { Gazetteer } from '../../place/gazetteer.ts';
import type { Place, PlaceName, Region } from '../../place/place.ts';
import { bboxFault, parseBbox } from '../ndjson/bbox.ts';
import { type DivisionKeys, KnownDivisions, type WrittenDivisions } from '../regions/known-divisions.ts';
import { createReport } from '../report.ts';
import { SourceError } from '../source-error.ts';
import type { ChangedFields, OverlayLine } from './lines.ts';

interface BaseIndex {
  readonly regions: Iterable<Region>;
  /** The place must include its importance. */
  place(id: string): Place | undefined;
}

/** Applies the lines in order. Throws a SourceError at the first line that cannot be applied. */
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
  const changedPlaces = new Map<string, Place | 'hidden'>();
  const replacedBaseIds = new Set<string>();
  /** Ids of places with a `rank` line. */
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
      rankedIds.delete(id); // an `add` line may use the id again
    }
    if (change.kind === 'rank') {
      changedPlaces.set(id, { ...current, importance: change.importance });
      rankedIds.add(id);
    }
    if (change.kind === 'addName') changedPlaces.set(id, { ...current, names: [...current.names, change.name] });
    if (change.kind === 'change') {
      const keys = divisionKeys(changedDivisions(current, change.fields), `${at}: change`);
      const fields = { ...change.fields, ...keys };
      const fault = fields.bbox && bboxFault(fields.bbox, { ...current, ...fields });
      if (fault !== undefined) throw new SourceError(`${at}: change: bbox: ${fault}`);
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

function withFields(place: Place, { fields, isRanked }: { fields: ChangedFields; isRanked: boolean }): Place {
  const { name, population, bbox, ...others } = fields;
  const changed: { -readonly [Field in keyof Place]: Place[Field] } = {
    ...withoutOldDivisions(place, fields),
    ...others,
  };
  if (name !== undefined) changed.names = renamed(place.names, name);
  if (bbox !== undefined) changed.box = parseBbox(bbox);
  else if (changed.box && !isInBox(changed.box, changed.lat, changed.lng)) delete changed.box; // the place has moved
  // 0 means unknown
  if (population === 0) delete changed.population;
  else if (population !== undefined) changed.population = population;
  const affectsImportance = population !== undefined || fields.adminRank !== undefined;
  if (affectsImportance && !isRanked) delete changed.importance; // the builder computes it again
  return changed;
}

/** If only `admin2` changes, `admin1` is that of the place. */
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

/** The old main name becomes an alternate name. */
function renamed(names: readonly PlaceName[], name: string): PlaceName[] {
  const others = names
    .filter(({ value }) => value !== name)
    .map((old) => ({ ...old, kind: old.kind === 'main' ? 'alternate' : old.kind }) as const);
  return [{ value: name, kind: 'main' }, ...others];
}

async function* toStream<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
