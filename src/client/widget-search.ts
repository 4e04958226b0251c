import type { Hits, QueryOptions } from './api-types.ts';
import type { Client } from './client.ts';
import type { TypeaheadOptions } from './typeahead.ts';

export type WidgetOptions = Omit<TypeaheadOptions, 'onResult'>;

/**
 * A typeahead as a function that returns promises, as widgets expect. The promise for a text that a
 * newer one replaces stays pending, so that no widget shows its hits. So does the promise for a text
 * that the typeahead asks for again, as after 429, until it is answered. Empty text has no result.
 */
export function createWidgetSearch(client: Client, options: WidgetOptions | undefined) {
  let newest = Promise.withResolvers<Hits | undefined>();
  const typeahead = client.typeahead({
    ...options,
    onResult: (result) => newest.resolve(result),
    onError: (error, text) => {
      options?.onError?.(error, text);
      if (error.retryAfterSeconds === undefined) newest.reject(error);
    },
  });
  /** An option that is undefined does not replace that of the typeahead. */
  return (text: string, changed: QueryOptions = {}): Promise<Hits | undefined> => {
    newest = Promise.withResolvers();
    typeahead.type(text, Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)));
    if (text.trim() === '') newest.resolve(undefined);
    return newest.promise;
  };
}
