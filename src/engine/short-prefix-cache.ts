/**
 * Caches the result pages for queries of up to three letters, which match the most places and so
 * cost the most. A page serves all languages: `HitPage.copy` sets the language.
 */
import type { SearchQuery } from './engine.ts';
import type { HitPage } from './page/hit-page.ts';

const MAX_TEXT_LENGTH = 3;
/** A page takes about 2 KB, so a full cache takes 8 MB per thread. */
const MAX_PAGES = 4096;

export class ShortPrefixCache {
  private readonly pages = new Map<string, HitPage>();

  isCacheable({ text, around, explain, ...options }: SearchQuery): boolean {
    return text.length <= MAX_TEXT_LENGTH && !around && !explain && !isRestricted(options);
  }

  get({ text }: SearchQuery): HitPage | undefined {
    return this.pages.get(text);
  }

  /** Stores a copy, so that records that the given page creates are not kept in memory. */
  set({ text }: SearchQuery, page: HitPage): void {
    if (this.pages.size === MAX_PAGES) this.pages.clear();
    this.pages.set(text, page.copy({ limit: page.hits.length }));
  }
}

type Restrictions = Pick<SearchQuery, 'types' | 'countries' | 'radiusMeters' | 'box' | 'minConfidence' | 'allowsTypos'>;

function isRestricted(options: Restrictions): boolean {
  const { types, countries, radiusMeters, box, minConfidence = 0, allowsTypos = true } = options;
  return Boolean(types || countries || radiusMeters || box) || minConfidence > 0 || !allowsTypos;
}
