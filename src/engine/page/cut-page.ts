/**
 * Cuts a page to fewer items. Pages of two or more items have as many of the guaranteed items (see
 * `Guarantee` in engine.ts) as fit, and are subsequences of every larger page. If no item is
 * guaranteed, every page is a prefix of every larger page.
 */

/** Maximum number of hits on a page. A text search selects that many, then cuts the page. */
export const MAX_HITS = 20;

/** The first `limit` items. If `limit` > 1, later guaranteed items replace the last other ones. */
export function cutPage<T>(items: readonly T[], limit: number, isGuaranteed: (item: T) => boolean): readonly T[] {
  if (items.length <= limit) return items;
  const guaranteed = limit === 1 ? [] : items.filter(isGuaranteed).slice(0, limit);
  if (guaranteed.length === 0) return items.slice(0, limit);
  const others = items.filter((item) => !guaranteed.includes(item)).slice(0, limit - guaranteed.length);
  return items.filter((item) => guaranteed.includes(item) || others.includes(item));
}
