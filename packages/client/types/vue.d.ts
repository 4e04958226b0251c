/** `import 'toponym-client/vue'` defines `<toponym-search>`, and types it in the templates of Vue 3. */
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';
import type { SearchEvents, SearchMarkup } from '../dist/search-element.js';

export * from '../dist/search-element.js';

/** Vue checks `api-key` as `apiKey`. */
type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

declare module 'vue' {
  interface GlobalComponents {
    'toponym-search': new () => {
      $props: HTMLAttributes & { [Name in keyof SearchMarkup as Camel<Name>]: SearchMarkup[Name] } & PublicProps;
      $emit: EmitFn<{ [Name in keyof SearchEvents]: (event: SearchEvents[Name]) => void }>;
    };
  }
}
