/** The export `toponym-client/autocomplete`: a source for `@algolia/autocomplete-js`. */
import type { Hit } from './api-types.ts';
import type { Client } from './client.ts';
import { createWidgetSearch, type WidgetOptions } from './widget-search.ts';

/** Autocomplete wants items with an index signature. */
export type AutocompleteItem = Hit & Record<string, unknown>;

export function createAutocompleteSource(client: Client, options?: WidgetOptions) {
  const search = createWidgetSearch(client, options);
  return {
    sourceId: 'toponym',
    getItems: async ({ query }: { query: string }) => [...((await search(query))?.hits ?? [])] as AutocompleteItem[],
    getItemInputValue: ({ item }: { item: AutocompleteItem }): string => item.label,
    templates: { item: ({ item }: { item: AutocompleteItem }): string => item.label },
  };
}
