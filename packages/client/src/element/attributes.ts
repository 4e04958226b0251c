/** The attributes of `<toponym-search>` that are options of a search. */
import type { QueryOptions } from '../api-types.ts';

/** The attribute that sets an option, undefined if none does. */
const ATTRIBUTES = {
  type: 'type',
  language: 'language',
  countries: 'countries',
  hitsPerPage: 'hits-per-page',
  aroundLatLng: 'around-lat-lng',
  aroundLatLngViaIP: 'around-lat-lng-via-ip',
  aroundRadius: 'around-radius',
  insideBoundingBox: 'inside-bounding-box',
  minConfidence: 'min-confidence',
  typoTolerance: 'typo-tolerance',
  getRankingInfo: undefined,
} as const satisfies Readonly<Record<keyof QueryOptions, string | undefined>>;

export type OptionAttribute = Exclude<(typeof ATTRIBUTES)[keyof QueryOptions], undefined>;

export const OPTION_ATTRIBUTES: readonly string[] = Object.values(ATTRIBUTES).filter((name) => name !== undefined);

/** The values are text, as in the form that is sent. Empty attributes are left out. */
export function readOptions(element: { getAttribute(name: string): string | null }): QueryOptions {
  const pairs = Object.entries(ATTRIBUTES).map(([name, attribute]) => [
    name,
    attribute && element.getAttribute(attribute),
  ]);
  return Object.fromEntries(pairs.filter(([, value]) => value));
}
