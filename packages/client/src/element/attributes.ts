/** The attributes of `<toponym-search>` that are options of a search. */
import type { QueryOptions } from '../api-types.ts';

/** The options of a search that attributes set, such as `hits-per-page`. */
const OPTION_NAMES = [
  'type',
  'language',
  'countries',
  'hitsPerPage',
  'aroundLatLng',
  'aroundLatLngViaIP',
  'aroundRadius',
  'insideBoundingBox',
  'minConfidence',
  'typoTolerance',
] as const satisfies readonly (keyof QueryOptions)[];

const OPTION_OF_ATTRIBUTE: ReadonlyMap<string, string> = new Map(
  OPTION_NAMES.map((name) => [name.replace(/[A-Z]+/g, (letters) => `-${letters.toLowerCase()}`), name]),
);

export const OPTION_ATTRIBUTES: readonly string[] = [...OPTION_OF_ATTRIBUTE.keys()];

/** The values are text, as in the form that is sent. Empty attributes are left out. */
export function readOptions(element: Element): QueryOptions {
  const pairs = [...OPTION_OF_ATTRIBUTE].map(([attribute, name]) => [name, element.getAttribute(attribute)]);
  return Object.fromEntries(pairs.filter(([, value]) => value));
}
