/**
 * Cuts a page to fewer items. Without guaranteed items a smaller page is the beginning of a larger one. With them, the
 * items of a smaller page, from two items on, are all on a larger one, in the same order.
 */

/** The largest page. Every smaller one is cut from it. */
export const MAX_HITS = 20;

/** `items` best first. Guaranteed items take the places of the last others; a page of one has the best item. */
export function cutPage<T>(items: readonly T[], limit: number, isGuaranteed: (item: T) => boolean): readonly T[] {
  if (items.length <= limit) return items;
  const guaranteed = limit === 1 ? [] : items.filter(isGuaranteed).slice(0, limit);
  if (guaranteed.length === 0) return items.slice(0, limit);
  let room = limit - guaranteed.length;
  return items.filter((item) => guaranteed.includes(item) || room-- > 0);
}
