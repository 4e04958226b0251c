/**
 * Caches the result pages for queries of up to three letters, which match the most places and so
 * cost the most. A page serves all languages.
 */
import { hasMinConfidence, type SearchQuery } from './engine.ts';
import type { FoundPage } from './page/hit-page.ts';

const MAX_TEXT_LENGTH = 3;
/** A page takes about 2 KB, so a full cache takes 8 MB per thread. */
const MAX_PAGES = 4096;

export class ShortPrefixCache {
  private readonly pages = new Map<string, FoundPage>();

  isCacheable(query: SearchQuery): boolean {
    return query.text.length <= MAX_TEXT_LENGTH && !query.around && !query.explain && !isRestricted(query);
  }

  get({ text }: SearchQuery): FoundPage | undefined {
    return this.pages.get(text);
  }

  set({ text }: SearchQuery, page: FoundPage): void {
    if (this.pages.size === MAX_PAGES) this.pages.clear();
    this.pages.set(text, page);
  }
}

function isRestricted(query: SearchQuery): boolean {
  const { types, countries, radiusMeters, box, allowsTypos = true } = query;
  return Boolean(types || countries || radiusMeters || box) || hasMinConfidence(query) || !allowsTypos;
}
