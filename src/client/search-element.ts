/** The export `toponym/client/search-element`: importing it defines the element `<toponym-search>`. */
import type { SearchEvents, SearchResult } from './element/search-events.ts';
import { ToponymSearch } from './element/toponym-search.ts';

export type { SearchTexts } from './element/texts.ts';
export type { SearchEvents, SearchResult };
export { ToponymSearch };

declare global {
  interface HTMLElementTagNameMap {
    'toponym-search': ToponymSearch;
  }
  interface HTMLElementEventMap extends SearchEvents {}
}

// servers that render pages have no customElements
if (globalThis.customElements?.get('toponym-search') === undefined) {
  globalThis.customElements?.define('toponym-search', ToponymSearch);
}
