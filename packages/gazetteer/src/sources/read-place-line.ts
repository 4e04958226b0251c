/** Checks the fields of a place against its schema, and makes the place: for NDJSON, and for other formats with these fields. */

import type { Place } from 'toponym-engine/place/place';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import {
  createPlace,
  describeUnknownField,
  formatFieldPath,
  type PlaceLine,
  PlaceLineSchema,
  reservedIdFault,
} from './place-line.ts';
import { COUNTRY_CODES } from './regions/countries.ts';
import type { KnownDivisions } from './regions/known-divisions.ts';
import { previewJson, type Rejection } from './report.ts';

export const placeValidator = Compile(PlaceLineSchema);

/** The place of a line that is not from an export of an index. */
export function placeOfOwnLine(line: PlaceLine, divisions: KnownDivisions): Place | Rejection {
  const fault = reservedIdFault(line.id);
  return fault === undefined ? placeOfLine(line, divisions) : { reason: 'reserved id', got: fault };
}

export function placeOfLine(line: PlaceLine, divisions: KnownDivisions): Place | Rejection {
  if (!COUNTRY_CODES.has(line.country)) return { reason: 'unknown country', got: line.country };
  const keysOrError = divisions.findKeys(line);
  if (typeof keysOrError === 'string') return { reason: 'unknown division', got: keysOrError };
  return createPlace(line, keysOrError);
}

/** The place that the fields of a line describe. */
export function placeOfFields(fields: object, divisions: KnownDivisions): Place | Rejection {
  if (!placeValidator.Check(fields)) return mismatch(fields, PlaceLineSchema, placeValidator.Errors(fields));
  return placeOfOwnLine(fields, divisions);
}

/** Says why the line does not match the schema. */
export function mismatch(line: object, schema: TSchema, errors: readonly TLocalizedValidationError[]): Rejection {
  const [error] = errors;
  if (error === undefined) return { reason: 'does not match the schema', got: previewJson(line) };
  const unknown = describeUnknownField(schema, errors);
  if (unknown !== undefined) return { reason: 'unknown field', got: `${unknown} The line: ${previewJson(line)}` };
  if (error.keyword === 'required') {
    return { reason: `${error.params.requiredProperties.join(', ')} missing`, got: previewJson(line) };
  }
  const path = error.instancePath.slice(1).split('/');
  const value = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], line);
  const prefix = path.length === 1 ? '' : `${formatFieldPath(error.instancePath)}: `;
  return { reason: `bad ${path[0]}`, got: `${prefix}${previewJson(value)} ${error.message}${swapHint(line)}` };
}

function swapHint(line: object): string {
  const { lat, lng } = line as { lat?: unknown; lng?: unknown };
  const mayBeSwapped = typeof lat === 'number' && typeof lng === 'number' && Math.abs(lat) > 90 && Math.abs(lng) <= 90;
  return mayBeSwapped ? ' (lat and lng swapped?)' : '';
}
