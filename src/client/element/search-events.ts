/** The events of the element. */
import type { Hit, Hits } from '../api-types.ts';
import type { ToponymError } from '../toponym-error.ts';

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
