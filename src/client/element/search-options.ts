/** The options of a search that the element's attributes set, such as `hits-per-page`. */
import type { QueryOptions } from '../api-types.ts';

const NAMES = [
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

const OPTIONS: ReadonlyMap<string, string> = new Map(
  NAMES.map((name) => [name.replace(/[A-Z]+/g, (letters) => `-${letters.toLowerCase()}`), name]),
);

export const OPTION_ATTRIBUTES: readonly string[] = [...OPTIONS.keys()];

/** The values are text, as in the form that is sent. Empty attributes are left out. */
export function readOptions(element: Element): QueryOptions {
  const pairs = [...OPTIONS].map(([attribute, name]) => [name, element.getAttribute(attribute)]);
  return Object.fromEntries(pairs.filter(([, value]) => value));
}
