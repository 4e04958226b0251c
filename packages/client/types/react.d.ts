/** `import 'toponym-client/react'` defines `<toponym-search>`, and types it in the JSX of React 19. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { SearchListeners, SearchMarkup, ToponymSearch } from '../dist/search-element.js';

export * from '../dist/search-element.js';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'toponym-search': DetailedHTMLProps<HTMLAttributes<ToponymSearch>, ToponymSearch> &
        SearchMarkup &
        SearchListeners<'on'>;
    }
  }
}
