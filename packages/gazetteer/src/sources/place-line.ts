/**
 * Lines of Toponym's NDJSON format: their schemas, and the places that they describe. A line is a place, a division
 * (`region`) or, only as the first line, a description of the data (`dataset`).
 */

import { type BoundingBox, isInBox } from 'toponym-engine/place/bounding-box';
import { definedFields, NAME_KINDS, PLACE_TYPES, type Place, type PlaceName } from 'toponym-engine/place/place';
import type { LatLng } from 'toponym-engine/place/sphere';
import { didYouMean } from 'toponym-files/errors/did-you-mean';
import { type Static, type TSchema, Type } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { canonicalLanguage, guessType, UNKNOWN_LANGUAGE } from './place-values.ts';
import type { DivisionKeys } from './regions/known-divisions.ts';

/** Roughly matches BCP 47 language tags. */
export const LANGUAGE_PATTERN = '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$';

const strict = { additionalProperties: false } as const;
const nonBlank = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' });
const oneOf = <Value extends string>(values: readonly Value[]) => Type.Enum([...values]);

const NameSchema = Type.Union([
  nonBlank,
  Type.Object({ value: nonBlank, kind: oneOf(NAME_KINDS) }, { ...strict, description: 'A name with its kind' }),
]);

const lat = Type.Number({ minimum: -90, maximum: 90 });
const lng = Type.Number({ minimum: -180, maximum: 180 });

// Type.Tuple would write `items` for each number, which draft 2020-12 calls `prefixItems`
export const BboxSchema = Type.Unsafe<number[]>({
  type: 'array',
  prefixItems: [lng, lat, lng, lat],
  minItems: 4,
  maxItems: 4,
  description: 'The extent: west, south, east, north. West is greater than east if the box crosses the antimeridian',
});

export const PlaceLineSchema = Type.Object(
  {
    id: Type.String({
      pattern: '^[A-Z][1-9][0-9]{0,14}$',
      description:
        'A capital letter for the source, then digits. C and D are for places and divisions of the embedded data',
    }),
    name: nonBlank,
    names: Type.Optional(
      Type.Record(Type.String({ pattern: LANGUAGE_PATTERN }), Type.Array(NameSchema), {
        ...strict,
        description:
          'Alternate names by BCP 47 language tag, the preferred one first; `und` if the language is unknown',
      }),
    ),
    type: Type.Optional(oneOf(PLACE_TYPES)),
    lat,
    lng,
    bbox: Type.Optional(BboxSchema),
    country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2' }),
    admin1: Type.Optional(Type.String({ ...nonBlank, description: 'Key or name of the first-level division' })),
    admin2: Type.Optional(
      Type.String({ ...nonBlank, description: 'Key or name of the second-level division; requires admin1' }),
    ),
    // an index stores the population in 32 bits
    population: Type.Optional(Type.Integer({ minimum: 0, maximum: 0xffff_fffe })),
    timezone: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_+/-]{1,64}$', description: 'IANA name' })),
    externalIds: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z]{1,8}:\\S{1,64}$' }), {
        description: 'Ids of the same settlement in other data: wd:Q90, gn:2988507, wof:101751119',
      }),
    ),
    adminRank: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 5,
        description:
          '0 not a seat, 1 seat of a lower division, 2 of a third-level, 3 of a second-level, 4 of a first-level division, 5 national capital',
      }),
    ),
  },
  { ...strict, description: 'A place' },
);

export const RegionLineSchema = Type.Object(
  {
    region: Type.Object(
      {
        key: Type.String({
          pattern: '^[A-Z]{2}(\\.[^.]+){1,2}$',
          maxLength: 200,
          description: 'Country and code, `US.TX`; for the second level `US.TX.113`',
        }),
        name: nonBlank,
        aliases: Type.Optional(
          Type.Array(nonBlank, { description: 'Alternate names, codes and abbreviations that people type' }),
        ),
        names: Type.Optional(
          Type.Record(Type.String({ pattern: LANGUAGE_PATTERN }), nonBlank, {
            ...strict,
            description: 'Names to show in other languages, by BCP 47 language tag',
          }),
        ),
      },
      strict,
    ),
  },
  { ...strict, description: 'A division of a country; must come before the places that use its key' },
);

export const DatasetLineSchema = Type.Object(
  {
    dataset: Type.Object(
      {
        version: Type.String({ pattern: '^[\\w.+:-]{1,200}$' }),
        attribution: Type.Optional(Type.Array(nonBlank)),
      },
      strict,
    ),
  },
  { ...strict, description: 'Version and attribution of the data; allowed only as the first line' },
);

/** Why a place of the user's cannot have the id; undefined if it can. Exports have places with `C`. */
export function reservedIdFault(id: string): string | undefined {
  if (!/^[CD]/.test(id)) return undefined;
  return `${JSON.stringify(id)}: C and D are for places and divisions of the embedded data; choose another letter, such as L`;
}

export type PlaceLine = Static<typeof PlaceLineSchema>;
export type RegionLine = Static<typeof RegionLineSchema>;
export type DatasetLine = Static<typeof DatasetLineSchema>;

const SIDES = ['west', 'south', 'east', 'north'];

/** Names the first field that the schema does not have, and the nearest one that it has; undefined if there is none. */
export function describeUnknownField(
  schema: TSchema,
  errors: readonly TLocalizedValidationError[],
): string | undefined {
  const error = errors.find(({ keyword }) => keyword === 'boolean'); // the keyword for fields that are not allowed
  if (error === undefined) return undefined;
  const keys = error.schemaPath.split('/').slice(1, -1); // of `#/properties/add/additionalProperties`
  const parent = keys.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], schema);
  const { properties } = parent as { readonly properties?: object };
  const path = formatFieldPath(error.instancePath);
  if (properties === undefined) return `${path}: expected a language tag such as de, or und.`;
  const known = Object.keys(properties);
  const field = error.instancePath.split('/').at(-1) ?? '';
  return path + (didYouMean(field, known) || `; the known fields are ${known.join(', ')}.`);
}

/** Formats the path of a field for messages: `bbox.south` for the JSON pointer `/bbox/1`. */
export function formatFieldPath(pointer: string): string {
  const named = pointer.replace(/(?<=(^|\/)bbox\/)\d$/, (side) => SIDES[Number(side)] ?? side);
  return named.slice(1).replaceAll('/', '.');
}

/** `bbox` must have four numbers: `[west, south, east, north]` in degrees. */
export function parseBbox(bbox: readonly number[]): BoundingBox {
  const [west, south, east, north] = bbox as [number, number, number, number];
  return { south, west, north, east };
}

/** Returns what is wrong with the extent of a place at the point, or undefined. */
export function bboxFault(bbox: readonly number[], { lat, lng }: LatLng): string | undefined {
  const box = parseBbox(bbox);
  if (isInBox(box, lat, lng)) return undefined;
  return `${JSON.stringify(bbox)} must be [west, south, east, north] and contain the point ${lat}, ${lng}`;
}

/** Without `divisionKeys`, `admin1` and `admin2` stay as written, as keys or names. */
export function createPlace(line: PlaceLine, divisionKeys: DivisionKeys = {}): Place {
  const { name: _name, population: statedPopulation, adminRank = 0, bbox, ...fields } = line;
  // 0 means unknown
  const population = statedPopulation || undefined;
  return {
    ...fields,
    ...divisionKeys,
    type: line.type ?? guessType(population, adminRank),
    names: collectNames(line),
    adminRank,
    ...definedFields({ population, box: bbox && parseBbox(bbox) }),
  };
}

function collectNames({ name, names = {} }: PlaceLine): PlaceName[] {
  const all: PlaceName[] = [{ value: name, kind: 'main' }];
  const seen = new Set([`\t${name}`]);
  for (const [tag, values] of Object.entries(names)) {
    const language = tag === UNKNOWN_LANGUAGE ? undefined : canonicalLanguage(tag);
    for (const entry of values) {
      const { value, kind } = typeof entry === 'string' ? ({ value: entry, kind: 'alternate' } as const) : entry;
      const key = `${language ?? ''}\t${value}`;
      if (seen.has(key)) continue;
      seen.add(key);
      all.push(language === undefined ? { value, kind } : { value, kind, language });
    }
  }
  return all;
}
