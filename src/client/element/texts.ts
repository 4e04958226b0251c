/** What the element says. A page in another language replaces the texts. */
import type { PlaceType } from '../api-types.ts';

export interface SearchTexts {
  /** BCP 47 tag of the numbers. */
  readonly locale: string;
  /** Name of the field, unless the attribute `label` or a `<label>` has one. */
  readonly label: string;
  /** Name of the list. */
  readonly list: string;
  /** Name of the button that empties the field. */
  readonly clear: string;
  /** What the field says if it is required and no place is selected. */
  readonly required: string;
  readonly none: string;
  /** Names of types; the type itself if there is none. */
  readonly types: Readonly<Partial<Record<PlaceType, string>>>;
  people(count: string): string;
  /** Another name of the place, which matched. */
  alias(name: string): string;
  /** What screen readers say about a list of suggestions. `total`: how many places match. */
  found(count: number, firstLabel: string, total: number): string;
  /** Before a number of seconds. */
  readonly limited: string;
  /** Before a number of seconds. */
  readonly busy: string;
  /** Before a number of seconds, after one of the next three. */
  readonly retry: string;
  readonly offline: string;
  readonly unreachable: string;
  readonly slow: string;
  /** The service refused the key. */
  readonly refused: string;
}

export const ENGLISH: SearchTexts = {
  locale: 'en',
  label: 'Search for a place',
  list: 'Places',
  clear: 'Clear',
  required: 'Choose a place from the list.',
  none: 'No place found.',
  types: {},
  people: (count) => `${count} people`,
  alias: (name) => `also “${name}”`,
  found: (count, first, total) =>
    `${count}${total > count ? ` of ${total}` : ''} ${total === 1 ? 'place' : 'places'}. First: ${first}.`,
  limited: 'Too many searches from your address. The search goes on by itself in ',
  busy: 'The service is busy. The search goes on by itself in ',
  retry: ' Trying again in ',
  offline: 'You are offline.',
  unreachable: 'The service cannot be reached.',
  slow: 'The service is too slow.',
  refused: 'The service refused the key of this page.',
};
