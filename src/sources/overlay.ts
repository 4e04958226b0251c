/**
 * Overlays, which correct an index or add to it: files of JSON lines, each of which describes one
 * change, such as `{"hide":"G42"}` (see docs/data.md). Applied to a base index, an overlay is a
 * gazetteer of the changed and added places only.
 */
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { isInBox } from '../place/bounding-box.ts';
import type { Gazetteer, Place, PlaceName, Region } from '../place/place.ts';
import {
  BboxSchema,
  bboxFault,
  createPlace,
  formatFieldPath,
  LANGUAGE_PATTERN,
  type PlaceLine,
  PlaceLineSchema,
  parseBbox,
} from './place-line.ts';
import { canonicalLanguage } from './place-values.ts';
import { COUNTRY_CODES } from './regions/countries.ts';
import { KnownDivisions, type WrittenDivisions } from './regions/known-divisions.ts';
import { createReport, SourceError } from './report.ts';

type OverlayChange =
  /** The divisions of the place are names or keys, as written. */
  | { readonly kind: 'add'; readonly place: Place }
  | { readonly kind: 'change'; readonly id: string; readonly fields: ChangedFields }
  | { readonly kind: 'hide'; readonly id: string }
  | { readonly kind: 'rank'; readonly id: string; readonly importance: number }
  | { readonly kind: 'addName'; readonly id: string; readonly name: PlaceName };

/** The divisions are names or keys, as written. `null` removes the extent. */
type ChangedFields = Partial<Omit<PlaceLine, 'id' | 'names' | 'externalIds' | 'bbox'>> & {
  readonly bbox?: number[] | null;
};

interface OverlayLine {
  /** `file:line`, for messages. */
  readonly at: string;
  readonly change: OverlayChange;
}

const MAX_LISTED_ERRORS = 10;

const strict = { additionalProperties: false } as const;
const { id: idSchema, ...fieldSchemas } = PlaceLineSchema.properties;
const { names: _names, externalIds: _externalIds, bbox: _bbox, ...others } = fieldSchemas;
const changeableSchemas = { ...others, bbox: Type.Union([BboxSchema, Type.Null()]) };

const LINE_SCHEMAS = {
  add: Type.Object({ add: PlaceLineSchema }, strict),
  change: Type.Intersect([Type.Object({ change: idSchema }), Type.Partial(Type.Object(changeableSchemas))], {
    unevaluatedProperties: false,
  }),
  hide: Type.Object({ hide: idSchema }, strict),
  rank: Type.Object({ rank: idSchema, importance: Type.Number({ minimum: 0, maximum: 1 }) }, strict),
  addName: Type.Object(
    {
      addName: idSchema,
      name: fieldSchemas.name,
      language: Type.Optional(Type.String({ pattern: LANGUAGE_PATTERN })),
    },
    strict,
  ),
};
type ValidLine = Static<(typeof LINE_SCHEMAS)[keyof typeof LINE_SCHEMAS]>;
const VALIDATORS = Object.entries(LINE_SCHEMAS).map(([kind, schema]) => ({ kind, validator: Compile(schema) }));

const BYTE_ORDER_MARK = /^\ufeff/;

/** Throws a SourceError that lists the first invalid lines. */
export function parseOverlay(text: string, file: string): OverlayLine[] {
  const lines: OverlayLine[] = [];
  const errors: string[] = [];
  text
    .replace(BYTE_ORDER_MARK, '')
    .split('\n')
    .forEach((line, i) => {
      if (line.trim() === '') return;
      const at = `${file}:${i + 1}`;
      const change = parseLine(line);
      if (typeof change === 'string') errors.push(`${at}: ${change}`);
      else lines.push({ at, change });
    });
  throwErrors(errors);
  return lines;
}

/** Throws a SourceError that lists the first errors, if there are any. */
function throwErrors(errors: readonly string[]): void {
  if (errors.length > 0) throw new SourceError(errors.slice(0, MAX_LISTED_ERRORS).join('\n'));
}

/** Returns the change, or an error message. */
function parseLine(text: string): OverlayChange | string {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return 'not a JSON object';
  const found = VALIDATORS.find(({ kind }) => kind in line);
  if (found === undefined) return `contains no change: expected one of ${Object.keys(LINE_SCHEMAS).join(', ')}`;
  const { kind, validator } = found;
  if (!validator.Check(line)) {
    const [error] = validator.Errors(line);
    const field = formatFieldPath(error?.instancePath ?? '');
    return `${kind}: ${field || 'the line'} ${error?.message ?? 'does not match the schema'}`;
  }
  // only lines that add or change a place may have a country
  const { country } = ('add' in line ? line.add : line) as { country?: string };
  if (country !== undefined && !COUNTRY_CODES.has(country)) {
    return `${kind}: unknown country ${country}: expected an ISO 3166-1 alpha-2 code such as FR`;
  }
  const fault = 'add' in line && line.add.bbox && bboxFault(line.add.bbox, line.add);
  return fault ? `${kind}: bbox: ${fault}` : createChange(line);
}

function createChange(line: ValidLine): OverlayChange {
  if ('add' in line) return { kind: 'add', place: createPlace(line.add) };
  if ('hide' in line) return { kind: 'hide', id: line.hide };
  if ('rank' in line) return { kind: 'rank', id: line.rank, importance: line.importance };
  if ('addName' in line) {
    const languageField = line.language === undefined ? {} : { language: canonicalLanguage(line.language) };
    return { kind: 'addName', id: line.addName, name: { value: line.name, kind: 'alternate', ...languageField } };
  }
  const { change, ...fields } = line;
  return { kind: 'change', id: change, fields };
}

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
