/** The events of `<toponym-search>`, and what it takes in the markup of frameworks, for their type checkers. */
import type { Hit, Hits, PlaceRecord, QueryOptions } from '../api-types.ts';
import type { ToponymError } from '../call.ts';
import type { Client } from '../client.ts';
import type { OptionAttribute } from './attributes.ts';
import type { SearchTexts } from './texts.ts';

type TextAttribute =
  | ('endpoint' | 'api-key' | 'key-header' | 'index' | 'worker')
  | ('loading' | 'debounce-ms' | 'max-suggestions' | 'take-certain')
  | ('label' | 'placeholder' | 'name' | 'value')
  | OptionAttribute;

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

/** Detail of the event `toponym-result`. */
export interface SearchResult {
  readonly result: Hits;
  /** The text that it answers. */
  readonly text: string;
}

export interface SearchEvents {
  /** The user has selected a place. */
  'toponym-select': CustomEvent<Hit>;
  /** The user has changed the text of the selected place, so that none is selected. */
  'toponym-clear': CustomEvent<void>;
  /** The user has pressed Enter without a suggestion. By default, the form is submitted. */
  'toponym-submit': CustomEvent<void>;
  'toponym-result': CustomEvent<SearchResult>;
  /** By default, the element says what is wrong. */
  'toponym-error': CustomEvent<ToponymError>;
}

/** Listeners of the events as attributes, such as `ontoponym-select`. */
export type SearchListeners<Prefix extends string> = {
  [Name in keyof SearchEvents as `${Prefix}${Name}`]?: ((event: SearchEvents[Name]) => void) | undefined;
};
