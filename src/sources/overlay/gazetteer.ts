/**
 * Applies an overlay (corrections and additions) to a base index. The result is a gazetteer of the
 * changed and added places only.
 */

import { isInBox } from '../../place/bounding-box.ts';
import type { Gazetteer } from '../../place/gazetteer.ts';
import type { Place, PlaceName, Region } from '../../place/place.ts';
import { bboxFault, parseBbox } from '../ndjson/bbox.ts';
import { KnownDivisions, type WrittenDivisions } from '../regions/known-divisions.ts';
import { createReport } from '../report.ts';
import { type ChangedFields, type OverlayChange, type OverlayLine, throwErrors } from './lines.ts';

interface BaseIndex {
  readonly regions: Iterable<Region>;
  /** The place must include its importance. */
  place(id: string): Place | undefined;
}

/** Applies the lines in order. Throws a SourceError that lists the lines that cannot be applied. */
export function overlayGazetteer(
  lines: readonly OverlayLine[],
  base: BaseIndex,
  { version, countries }: Pick<Gazetteer, 'version' | 'countries'>,
): Gazetteer {
  const changes = new OverlayChanges(base);
  const errors = lines.flatMap(({ at, change }) => {
    const error = changes.apply(change);
    return error === undefined ? [] : [`${at}: ${change.kind}: ${error}`];
  });
  throwErrors(errors);
  return {
    version,
    attribution: [],
    countries,
    regions: changes.divisions.regions,
    places: toStream(changes.places()),
    replaces: [...changes.replacedBaseIds].sort(),
    report: { ...createReport(), rowsRead: lines.length, rowsKept: lines.length },
  };
}

/** A line adds to the names in place: copying them would be quadratic for many lines of one place. */
type OverlayPlace = Omit<Place, 'names'> & { readonly names: PlaceName[] };

/** The places of the base that an overlay changes, and those that it adds. */
class OverlayChanges {
  readonly divisions = new KnownDivisions();
  readonly replacedBaseIds = new Set<string>();
  readonly #base: BaseIndex;
  readonly #changedPlaces = new Map<string, OverlayPlace | 'hidden'>();
  /** Ids of places with a `rank` line. */
  readonly #rankedIds = new Set<string>();

  constructor(base: BaseIndex) {
    this.#base = base;
    for (const region of base.regions) this.divisions.add(region);
  }

  places(): Place[] {
    return [...this.#changedPlaces.values()].filter((place) => place !== 'hidden');
  }

  /** Returns why the change cannot be applied, or undefined. */
  apply(change: OverlayChange): string | undefined {
    const id = change.kind === 'add' ? change.place.id : change.id;
    const changed = this.#changedPlaces.get(id);
    const current = changed ?? this.#readBase(id);
    const exists = current !== undefined && current !== 'hidden';
    if (change.kind === 'add') {
      return exists ? `place ${id} already exists; use "change" instead` : this.#add(change.place);
    }
    if (!exists) return `place ${id} does not exist`;
    if (changed === undefined) this.replacedBaseIds.add(id);
    if (change.kind === 'change') return this.#change(current, change.fields);
    if (change.kind === 'hide') {
      this.#changedPlaces.set(id, 'hidden');
      this.#rankedIds.delete(id); // an `add` line may use the id again
    }
    if (change.kind === 'rank') {
      this.#changedPlaces.set(id, { ...current, importance: change.importance });
      this.#rankedIds.add(id);
    }
    if (change.kind === 'addName') {
      current.names.push(change.name);
      this.#changedPlaces.set(id, current);
    }
    return undefined;
  }

  /** Called only until a line changes the place. */
  #readBase(id: string): OverlayPlace | undefined {
    const place = this.#base.place(id);
    return place && { ...place, names: [...place.names] };
  }

  #add(place: Place): string | undefined {
    const keysOrError = this.divisions.findKeys(place);
    if (typeof keysOrError === 'string') return keysOrError;
    this.#changedPlaces.set(place.id, { ...place, ...keysOrError, names: [...place.names] });
    return undefined;
  }

  #change(current: OverlayPlace, written: ChangedFields): string | undefined {
    const keysOrError = this.divisions.findKeys(changedDivisions(current, written));
    if (typeof keysOrError === 'string') return keysOrError;
    const fields = { ...written, ...keysOrError };
    const fault = fields.bbox && bboxFault(fields.bbox, { ...current, ...fields });
    if (fault) return `bbox: ${fault}`;
    const isRanked = this.#rankedIds.has(current.id);
    this.#changedPlaces.set(current.id, withFields(current, { fields, isRanked }));
    return undefined;
  }
}

function withFields(
  place: OverlayPlace,
  { fields, isRanked }: { fields: ChangedFields; isRanked: boolean },
): OverlayPlace {
  const { name, population, bbox, ...others } = fields;
  const changed: { -readonly [Field in keyof OverlayPlace]: OverlayPlace[Field] } = {
    ...withoutOldDivisions(place, fields),
    ...others,
  };
  if (name !== undefined) changed.names = renamed(place.names, name);
  if (bbox) changed.box = parseBbox(bbox);
  else if (bbox === null) delete changed.box;
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
function withoutOldDivisions(place: OverlayPlace, { country, admin1 }: ChangedFields): OverlayPlace {
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
