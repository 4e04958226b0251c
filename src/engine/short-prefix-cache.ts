/**
 * Cache of the result pages for queries of up to three letters. Most searches start with one of a
 * few thousand such texts, which match the most places.
 */
import type { SearchQuery } from './engine.ts';
import type { HitPage } from './page/hit-page.ts';

const MAX_LENGTH = 3;
/** A page takes about 2 KB, and each thread has its own cache. */
const MAX_PAGES = 4096;

export class ShortPrefixCache {
  private readonly pages = new Map<string, HitPage>();

  /** Whether a short text alone decides the hits; `copy` applies the language and the limit. */
  isCacheable({ text, types, countries, around, radiusMeters, explain }: SearchQuery): boolean {
    return text.length <= MAX_LENGTH && !types && !countries && !around && !radiusMeters && !explain;
  }

  get({ text }: SearchQuery): HitPage | undefined {
    return this.pages.get(text);
  }

  /** Stores a copy, because the original would keep its records in memory. */
  set({ text }: SearchQuery, page: HitPage): void {
    if (this.pages.size === MAX_PAGES) this.pages.clear();
    this.pages.set(text, page.copy(undefined, page.hits.length));
  }
}
