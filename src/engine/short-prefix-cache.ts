/**
 * Cache of the result pages for queries of up to three letters. Most searches start with one of a
 * few thousand such texts, and those match the most places.
 */
import type { SearchQuery } from './engine.ts';
import type { HitPage } from './page/hit-page.ts';

const MAX_LENGTH = 3;
/** About 2 KB each, in each thread. */
const MAX_PAGES = 4096;

export class ShortPrefixCache {
  private readonly pages = new Map<string, HitPage>();

  /** Whether the result depends on the text alone. */
  isCacheable({ text, types, countries, around, radiusMeters, explain }: SearchQuery): boolean {
    return text.length <= MAX_LENGTH && !types && !countries && !around && !radiusMeters && !explain;
  }

  get({ text }: SearchQuery): HitPage | undefined {
    return this.pages.get(text);
  }

  /** Stores a copy, because the page itself would keep its records alive. */
  set({ text }: SearchQuery, page: HitPage): void {
    if (this.pages.size === MAX_PAGES) this.pages.clear();
    this.pages.set(text, page.copy(undefined, page.hits.length));
  }
}
