/** What `<toponym-search>` takes in the markup of frameworks, for their type checkers. */
import type { PlaceRecord, QueryOptions } from '../api-types.ts';
import type { Client } from '../client.ts';
import type { SearchEvents } from '../search-element.ts';
import type { SearchTexts } from './texts.ts';

type TextAttribute =
  | ('endpoint' | 'api-key' | 'key-header' | 'index' | 'worker')
  | ('loading' | 'debounce-ms' | 'max-suggestions' | 'take-certain')
  | ('label' | 'placeholder' | 'name' | 'value')
  | ('type' | 'language' | 'countries' | 'hits-per-page' | 'min-confidence' | 'typo-tolerance')
  | ('around-lat-lng' | 'around-lat-lng-via-ip' | 'around-radius' | 'inside-bounding-box');

/** The attributes, and the properties that frameworks set. */
export type SearchMarkup = { [Name in TextAttribute]?: string | number | undefined } & {
  [Name in 'required' | 'disabled' | 'autofocus' | 'locate']?: boolean | undefined;
} & {
  client?: Client | undefined;
  options?: QueryOptions | undefined;
  texts?: Partial<SearchTexts> | undefined;
  hit?: PlaceRecord | undefined;
  text?: string | undefined;
};

/** Listeners of the events as attributes, such as `ontoponym-select`. */
export type SearchListeners<Prefix extends string> = {
  [Name in keyof SearchEvents as `${Prefix}${Name}`]?: ((event: SearchEvents[Name]) => void) | undefined;
};
