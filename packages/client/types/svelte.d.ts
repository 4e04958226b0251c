/** `import 'toponym-client/svelte'` defines `<toponym-search>`, and types it in the markup of Svelte 5. */
import type { HTMLAttributes } from 'svelte/elements';
import type { SearchListeners, SearchMarkup, ToponymSearch } from '../dist/search-element.js';

export * from '../dist/search-element.js';

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'toponym-search': HTMLAttributes<ToponymSearch> & SearchMarkup & SearchListeners<'on'>;
  }
}
