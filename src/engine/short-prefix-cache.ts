/**
 * The pages that the first letters of a name find, cached: most searches begin with one of a few thousand texts, and
 * those match the most places.
 */
import type { SearchQuery } from './engine.ts';
import type { HitPage } from './page/hit-page.ts';

const MAX_LETTERS = 3;
/** About 2 KB each, in each thread. */
const MAX_PAGES = 4096;

export class FirstLetters {
  private readonly pages = new Map<string, HitPage>();

  /** Whether only the letters decide what is found. */
  isKept({ text, types, countries, around, radiusMeters, explain }: SearchQuery): boolean {
    return text.length <= MAX_LETTERS && !types && !countries && !around && !radiusMeters && !explain;
  }

  find({ text }: SearchQuery): HitPage | undefined {
    return this.pages.get(text);
  }

  /** Keeps a copy, because the page itself would keep the records that are made from it. */
  keep({ text }: SearchQuery, page: HitPage): void {
    if (this.pages.size === MAX_PAGES) this.pages.clear();
    this.pages.set(text, page.copy(undefined, page.hits.length));
  }
}
