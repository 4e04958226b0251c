/** `import 'toponym-client/preact'` defines `<toponym-search>`, and types it in the JSX of Preact. */
import type { HTMLAttributes } from 'preact';
import type { SearchListeners, SearchMarkup, ToponymSearch } from '../dist/search-element.js';

export * from '../dist/search-element.js';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'toponym-search': HTMLAttributes<ToponymSearch> & SearchMarkup & SearchListeners<'on'>;
    }
  }
}
