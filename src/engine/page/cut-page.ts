/**
 * Cuts a page to fewer items. Some items may be guaranteed, such as the best match nearby: a page
 * of two or more items has as many of them as fit. It is a subsequence of every larger page.
 * Without guaranteed items, a page is a prefix of every larger one.
 */

/** Maximum number of hits on a page. A text search selects that many, then cuts the page. */
export const MAX_HITS = 20;

/** The first `limit` items. If `limit` > 1, guaranteed items after these replace the last ones. */
export function cutPage<T>(items: readonly T[], limit: number, isGuaranteed: (item: T) => boolean): readonly T[] {
  if (items.length <= limit) return items;
  const guaranteed = limit === 1 ? [] : items.filter(isGuaranteed).slice(0, limit);
  if (guaranteed.length === 0) return items.slice(0, limit);
  const others = items.filter((item) => !guaranteed.includes(item)).slice(0, limit - guaranteed.length);
  return items.filter((item) => guaranteed.includes(item) || others.includes(item));
}
