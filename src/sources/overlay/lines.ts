/**
 * Parses overlay files: corrections and additions to an index, one JSON object per line. Each line
 * is one change. One key is the kind of change; its value is the id of the place, or for `add` the
 * place itself. See docs/data.md.
 */
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Place, PlaceName } from '../../place/place.ts';
import { canonicalLanguage } from '../language-tag.ts';
import { createPlace } from '../ndjson/parse-line.ts';
import { LANGUAGE_PATTERN, type PlaceLine, PlaceLineSchema } from '../ndjson/schema.ts';
import { COUNTRY_CODES } from '../regions/country-codes.ts';
import { SourceError } from '../source-error.ts';

type OverlayChange =
  /** The divisions of the place are names or keys, as written. */
  | { readonly kind: 'add'; readonly place: Place }
  | { readonly kind: 'change'; readonly id: string; readonly fields: ChangedFields }
  | { readonly kind: 'hide'; readonly id: string }
  | { readonly kind: 'rank'; readonly id: string; readonly importance: number }
  | { readonly kind: 'addName'; readonly id: string; readonly name: PlaceName };

export type ChangedFields = Partial<Omit<PlaceLine, 'id' | 'names' | 'externalIds'>>;

/** A change and where it was read. */
export interface OverlayLine {
  /** `file:line`, for messages. */
  readonly at: string;
  readonly change: OverlayChange;
}

/** Maximum invalid lines in one error message. */
const MAX_ERRORS = 10;

const strict = { additionalProperties: false } as const;
const { id: idSchema, ...fieldSchemas } = PlaceLineSchema.properties;
const { names: _names, externalIds: _externalIds, ...changeableSchemas } = fieldSchemas;

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
type Kind = keyof typeof LINE_SCHEMAS;
const KINDS = Object.keys(LINE_SCHEMAS) as Kind[];
const validators = Object.fromEntries(KINDS.map((kind) => [kind, Compile(LINE_SCHEMAS[kind])])) as {
  [K in Kind]: ReturnType<typeof Compile<(typeof LINE_SCHEMAS)[K]>>;
};

/** Skips empty lines. Throws a SourceError that lists the invalid lines. */
export function parseOverlay(text: string, file: string): OverlayLine[] {
  const lines: OverlayLine[] = [];
  const errors: string[] = [];
  text.split('\n').forEach((line, i) => {
    if (line.trim() === '') return;
    const at = `${file}:${i + 1}`;
    const change = parseLine(line);
    if (typeof change === 'string') errors.push(`${at}: ${change}`);
    else lines.push({ at, change });
  });
  if (errors.length > 0) throw new SourceError(errors.slice(0, MAX_ERRORS).join('\n'));
  return lines;
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
  const kind = KINDS.find((name) => name in line);
  if (kind === undefined) return `contains no change: expected one of ${KINDS.join(', ')}`;
  if (!validators[kind].Check(line)) {
    const [error] = validators[kind].Errors(line);
    const field = error?.instancePath.slice(1).replaceAll('/', '.');
    return `${kind}: ${field || 'the line'} ${error?.message ?? 'does not match the schema'}`;
  }
  return createChange(kind, line);
}

/** Returns the change, or an error message. */
function createChange(kind: Kind, line: unknown): OverlayChange | string {
  if (kind === 'add') {
    const { add } = line as Static<(typeof LINE_SCHEMAS)['add']>;
    return COUNTRY_CODES.has(add.country) ? { kind, place: createPlace(add) } : unknownCountry(kind, add.country);
  }
  if (kind === 'hide') return { kind, id: (line as Static<(typeof LINE_SCHEMAS)['hide']>).hide };
  if (kind === 'rank') {
    const { rank, importance } = line as Static<(typeof LINE_SCHEMAS)['rank']>;
    return { kind, id: rank, importance };
  }
  if (kind === 'addName') {
    const { addName, name, language } = line as Static<(typeof LINE_SCHEMAS)['addName']>;
    const tag = language === undefined ? {} : { language: canonicalLanguage(language) };
    return { kind, id: addName, name: { value: name, kind: 'alternate', ...tag } };
  }
  const { change, ...fields } = line as { change: string } & ChangedFields;
  const { country } = fields;
  return country === undefined || COUNTRY_CODES.has(country)
    ? { kind, id: change, fields }
    : unknownCountry(kind, country);
}

function unknownCountry(kind: Kind, code: string): string {
  return `${kind}: unknown country ${code}: expected an ISO 3166-1 alpha-2 code such as FR`;
}
