/**
 * Cuts a page to fewer items. Guaranteed items, such as the best match nearby, stay on the page.
 * Without guaranteed items, a smaller page is a prefix of a larger one. With them, a page of
 * two or more items is a subsequence of every larger page.
 */

/** Maximum number of hits on a page. A text search selects that many, then cuts the page. */
export const MAX_HITS = 20;

/** The first `limit` items. Later guaranteed items replace the last of them, if `limit` > 1. */
export function cutPage<T>(items: readonly T[], limit: number, isGuaranteed: (item: T) => boolean): readonly T[] {
  if (items.length <= limit) return items;
  const guaranteed = limit === 1 ? [] : items.filter(isGuaranteed).slice(0, limit);
  if (guaranteed.length === 0) return items.slice(0, limit);
  const others = items.filter((item) => !guaranteed.includes(item)).slice(0, limit - guaranteed.length);
  return items.filter((item) => guaranteed.includes(item) || others.includes(item));
}
