/** Cuts a page to fewer items. Pages of two or more items are subsequences of all larger pages. */

/** A text search selects this many hits, whatever its limit, and then cuts the page. */
export const MAX_HITS = 20;

/** The first `limit` items. If `limit` > 1, guaranteed items replace the last of the others. */
export function cutPage<T>(items: readonly T[], limit: number, isGuaranteed: (item: T) => boolean): readonly T[] {
  if (items.length <= limit) return items;
  const guaranteed = limit === 1 ? [] : items.filter(isGuaranteed).slice(0, limit);
  if (guaranteed.length === 0) return items.slice(0, limit);
  const others = items.filter((item) => !guaranteed.includes(item)).slice(0, limit - guaranteed.length);
  return items.filter((item) => guaranteed.includes(item) || others.includes(item));
}
