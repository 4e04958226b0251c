/**
 * Overlays, which correct an index or add to it: files of JSON lines, each of which describes one
 * change, such as `{"hide":"G42"}` (see docs/data.md). Applied to the places of an index, an overlay
 * gives the gazetteer of another one.
 */
import { createHash } from 'node:crypto';
import { isInBox } from 'toponym-engine/place/bounding-box';
import { definedFields, type Gazetteer, type Place, type PlaceName } from 'toponym-engine/place/place';
import { didYouMean } from 'toponym-files/errors/did-you-mean';
import { UsageError } from 'toponym-files/errors/errors';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  BboxSchema,
  bboxFault,
  createPlace,
  describeUnknownField,
  formatFieldPath,
  LANGUAGE_PATTERN,
  type PlaceLine,
  PlaceLineSchema,
  parseBbox,
  reservedIdFault,
} from './place-line.ts';
import { canonicalLanguage } from './place-values.ts';
import { COUNTRY_CODES } from './regions/countries.ts';
import { KnownDivisions, type WrittenDivisions } from './regions/known-divisions.ts';
import { countKept, rejectKept } from './report.ts';

/** The divisions are names or keys, as written. `null` removes the extent. */
type ChangedFields = Partial<Omit<PlaceLine, 'id' | 'names' | 'externalIds' | 'bbox'>> & {
  readonly bbox?: number[] | null;
};

interface OverlayLine {
  /** `file:line`, for messages. */
  readonly at: string;
  readonly kind: ChangeKind;
  readonly line: ValidLine;
}

const MAX_LISTED_ERRORS = 10;

const strict = { additionalProperties: false } as const;
const { id: idSchema, ...fieldSchemas } = PlaceLineSchema.properties;
const { names: _names, externalIds: _externalIds, bbox: _bbox, ...others } = fieldSchemas;
const changeableSchemas = { ...others, bbox: Type.Union([BboxSchema, Type.Null()]) };

const LINE_SCHEMAS = {
  add: Type.Object({ add: PlaceLineSchema }, strict),
  change: Type.Object({ change: idSchema, ...Type.Partial(Type.Object(changeableSchemas)).properties }, strict),
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
type ChangeKind = keyof typeof LINE_SCHEMAS;
type ValidLine = Static<(typeof LINE_SCHEMAS)[ChangeKind]>;
const VALIDATORS = Object.entries(LINE_SCHEMAS).map(([kind, schema]) => {
  return { kind: kind as ChangeKind, schema, validator: Compile(schema) };
});

const BYTE_ORDER_MARK = /^\ufeff/;

/** Throws a UsageError that lists the first invalid lines. */
function parseOverlay(text: string, file: string): OverlayLine[] {
  const lines: OverlayLine[] = [];
  const errors: string[] = [];
  text
    .replace(BYTE_ORDER_MARK, '')
    .split('\n')
    .forEach((line, i) => {
      if (line.trim() === '') return;
      const at = `${file}:${i + 1}`;
      const parsed = parseLine(line);
      if (typeof parsed === 'string') errors.push(`${at}: ${parsed}`);
      else lines.push({ at, ...parsed });
    });
  throwErrors(errors);
  return lines;
}

/** Throws a UsageError that lists the first errors, if there are any. */
function throwErrors(errors: readonly string[]): void {
  if (errors.length > 0) throw new UsageError(errors.slice(0, MAX_LISTED_ERRORS).join('\n'));
}

/** Returns the change, or an error message. */
function parseLine(text: string): Omit<OverlayLine, 'at'> | string {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return 'not a JSON object';
  const found = VALIDATORS.find(({ kind }) => kind in line);
  if (found === undefined) {
    const kinds = Object.keys(LINE_SCHEMAS);
    const hint = didYouMean(Object.keys(line)[0] ?? '', kinds);
    return `contains no change: expected one of ${kinds.join(', ')}${hint}`;
  }
  const { kind, schema, validator } = found;
  if (!validator.Check(line)) {
    const errors = validator.Errors(line);
    const unknown = describeUnknownField(schema, errors);
    if (unknown !== undefined) return `${kind}: unknown field ${unknown}`;
    const [error] = errors;
    const field = formatFieldPath(error?.instancePath ?? '');
    return `${kind}: ${field || 'the line'} ${error?.message ?? 'does not match the schema'}`;
  }
  // only lines that add or change a place may have a country
  const { country } = ('add' in line ? line.add : line) as { country?: string };
  if (country !== undefined && !COUNTRY_CODES.has(country)) {
    return `${kind}: unknown country ${country}: expected an ISO 3166-1 alpha-2 code such as FR`;
  }
  const fault = 'add' in line && line.add.bbox && bboxFault(line.add.bbox, line.add);
  return fault ? `${kind}: bbox: ${fault}` : { kind, line };
}

/** The places of an index. */
export interface BaseGazetteer extends Gazetteer {
  place(id: string): Place | undefined;
}

/** Applies the lines of `text` in order. Throws a UsageError that lists the lines that cannot be read or applied. */
export function applyOverlay(base: BaseGazetteer, text: string, file: string): Gazetteer {
  const lines = parseOverlay(text, file);
  const changes = new OverlayChanges(base);
  const errors = lines.flatMap(({ at, kind, line }) => {
    const error = changes.apply(line);
    return error === undefined ? [] : [`${at}: ${kind}: ${error}`];
  });
  throwErrors(errors);
  const hash = createHash('sha256').update(text).digest('hex');
  return {
    ...base,
    version: `${base.version}+overlay-${hash.slice(0, 8)}`,
    regions: changes.divisions.regions,
    places: changes.places(),
  };
}

/** A line adds to the names in place: copying them would be quadratic for many lines of one place. */
type OverlayPlace = Omit<Place, 'names'> & { readonly names: PlaceName[] };
type Changed = OverlayPlace | 'hidden';

/** The places of the base that an overlay changes, and those that it adds. */
class OverlayChanges {
  readonly divisions = new KnownDivisions();
  readonly #base: BaseGazetteer;
  readonly #changedPlaces = new Map<string, Changed>();
  /** Ids of places with a `rank` line. */
  readonly #rankedIds = new Set<string>();

  constructor(base: BaseGazetteer) {
    this.#base = base;
    for (const region of base.regions) this.divisions.add(region);
  }

  /** The places of the base as changed, then those that lines add. */
  async *places(): AsyncGenerator<Place> {
    const { places, report } = this.#base;
    for await (const place of places) {
      const changed = this.#changedPlaces.get(place.id);
      this.#changedPlaces.delete(place.id);
      if (changed === 'hidden') rejectKept(report, 'hidden by the overlay', place.id);
      else yield changed ?? place;
    }
    for (const added of this.#changedPlaces.values()) {
      if (added === 'hidden') continue; // added and hidden again
      countKept(report);
      yield added;
    }
  }

  /** Returns why the line cannot be applied, or undefined. */
  apply(line: ValidLine): string | undefined {
    if ('add' in line) return this.#add(createPlace(line.add));
    if ('change' in line) {
      const { change: id, ...fields } = line;
      return this.#update(id, (place) => this.#change(place, fields));
    }
    if ('hide' in line) {
      this.#rankedIds.delete(line.hide); // an `add` line may use the id again
      return this.#update(line.hide, () => 'hidden');
    }
    if ('rank' in line) {
      this.#rankedIds.add(line.rank);
      return this.#update(line.rank, (place) => ({ ...place, importance: line.importance }));
    }
    return this.#update(line.addName, (place) => {
      const language = line.language && canonicalLanguage(line.language);
      place.names.push({ value: line.name, kind: 'alternate', ...definedFields({ language }) });
      return place;
    });
  }

  #add(place: Place): string | undefined {
    const fault = reservedIdFault(place.id);
    if (fault !== undefined && this.#base.place(place.id) === undefined) return fault;
    if (isPresent(this.#find(place.id))) return `place ${place.id} already exists; use "change" instead`;
    const keysOrError = this.divisions.findKeys(place);
    if (typeof keysOrError === 'string') return keysOrError;
    this.#changedPlaces.set(place.id, { ...place, ...keysOrError, names: [...place.names] });
    return undefined;
  }

  #update(id: string, change: (place: OverlayPlace) => Changed | { readonly error: string }): string | undefined {
    const current = this.#find(id);
    if (!isPresent(current)) return `place ${id} does not exist`;
    const changed = change(current);
    if (changed !== 'hidden' && 'error' in changed) return changed.error;
    this.#changedPlaces.set(id, changed);
    return undefined;
  }

  /** Reads the base only until a line changes the place. */
  #find(id: string): Changed | undefined {
    const changed = this.#changedPlaces.get(id);
    if (changed !== undefined) return changed;
    const place = this.#base.place(id);
    return place && { ...place, names: [...place.names] };
  }

  #change(current: OverlayPlace, written: ChangedFields): OverlayPlace | { readonly error: string } {
    const keysOrError = this.divisions.findKeys(changedDivisions(current, written));
    if (typeof keysOrError === 'string') return { error: keysOrError };
    const fields = { ...written, ...keysOrError };
    const fault = fields.bbox && bboxFault(fields.bbox, { ...current, ...fields });
    if (fault) return { error: `bbox: ${fault}` };
    return withFields(current, { fields, isRanked: this.#rankedIds.has(current.id) });
  }
}

function isPresent(place: Changed | undefined): place is OverlayPlace {
  return place !== undefined && place !== 'hidden';
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
