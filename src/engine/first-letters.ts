/**
 * What the first letters of a name find, kept from the first time they are asked for: whoever types a name begins with one of a
 * few thousand texts, and they are the ones that most places match.
 */
import type { SearchQuery } from './engine.ts';
import type { HitPage } from './hit-page.ts';

const MOST_LETTERS = 3;
/** Some 2 KB each, in each thread. */
const MOST_KEPT = 4096;

export class FirstLetters {
  private readonly pages = new Map<string, HitPage>();

  find(query: SearchQuery): HitPage | undefined {
    return isKept(query) ? this.pages.get(keyOf(query)) : undefined;
  }

  /** Keeps a copy: records that the page itself makes would be kept with it. */
  keep(query: SearchQuery, page: HitPage): void {
    if (!isKept(query)) return;
    if (this.pages.size === MOST_KEPT) this.pages.clear();
    this.pages.set(keyOf(query), page.copy(undefined));
  }
}

/** Whether nothing but the letters decides what is found. */
function isKept({ text, types, countries, around, radiusMeters, explain }: SearchQuery): boolean {
  return text.length <= MOST_LETTERS && !types && !countries && !around && !radiusMeters && !explain;
}

function keyOf({ text, limit }: SearchQuery): string {
  return `${limit} ${text}`;
}
