/**
 * Parses overlay files, which correct an index or add to it. Each line is a JSON object that
 * describes one change, such as `{"hide":"G42"}`. See docs/data.md.
 */
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Place, PlaceName } from '../../place/place.ts';
import { canonicalLanguage } from '../language-tag.ts';
import { bboxFault, formatFieldPath } from '../ndjson/bbox.ts';
import { createPlace } from '../ndjson/parse-line.ts';
import { BboxSchema, LANGUAGE_PATTERN, type PlaceLine, PlaceLineSchema } from '../ndjson/schema.ts';
import { COUNTRY_CODES } from '../regions/countries.ts';
import { SourceError } from '../source-error.ts';

export type OverlayChange =
  /** The divisions of the place are names or keys, as written. */
  | { readonly kind: 'add'; readonly place: Place }
  | { readonly kind: 'change'; readonly id: string; readonly fields: ChangedFields }
  | { readonly kind: 'hide'; readonly id: string }
  | { readonly kind: 'rank'; readonly id: string; readonly importance: number }
  | { readonly kind: 'addName'; readonly id: string; readonly name: PlaceName };

/** The divisions are names or keys, as written. `null` removes the extent. */
export type ChangedFields = Partial<Omit<PlaceLine, 'id' | 'names' | 'externalIds' | 'bbox'>> & {
  readonly bbox?: number[] | null;
};

export interface OverlayLine {
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
export function throwErrors(errors: readonly string[]): void {
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
