/** `import 'toponym-client/solid'` defines `<toponym-search>`, and types it in the JSX of Solid. */
import type { JSX } from 'solid-js';
import type { SearchListeners, SearchMarkup, ToponymSearch } from '../dist/search-element.js';

export * from '../dist/search-element.js';

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'toponym-search': JSX.HTMLAttributes<ToponymSearch> & SearchMarkup & SearchListeners<'on:'>;
    }
  }
}
