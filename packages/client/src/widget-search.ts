/**
 * A typeahead as a function that returns promises, as widgets expect. The promise for a text that a
 * newer one replaces stays pending, so that no widget shows its hits. So does the promise for a text
 * that the typeahead asks for again, as after 429, until it is answered. Empty text has no result.
 */
import type { Hits, QueryOptions } from './api-types.ts';
import type { ToponymError } from './call.ts';
import type { Client } from './client.ts';
import type { TypeaheadOptions } from './typeahead.ts';

export type WidgetOptions = Omit<TypeaheadOptions, 'onResult'>;

export function createWidgetSearch(client: Client, options: WidgetOptions | undefined) {
  let newest: { resolve(result: Hits | undefined): void; reject(error: ToponymError): void } | undefined;
  const typeahead = client.typeahead({
    ...options,
    onResult: (result) => newest?.resolve(result),
    onError: (error, text) => {
      options?.onError?.(error, text);
      if (error.retryAfterSeconds === undefined) newest?.reject(error);
    },
  });
  /** An option that is undefined does not replace that of the typeahead. */
  return (text: string, changed: QueryOptions = {}) =>
    new Promise<Hits | undefined>((resolve, reject) => {
      newest = { resolve, reject };
      typeahead.type(text, Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)));
      if (text.trim() === '') resolve(undefined);
    });
}
