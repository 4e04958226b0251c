/**
 * Cuts a page to fewer items. Without guaranteed items, a smaller page is a prefix of a larger one.
 * With them, all items of a page of two or more are on every larger page, in the same order.
 */

/** Size of the largest page, which every smaller one is cut from. */
export const MAX_HITS = 20;

/** Takes the first items. Guaranteed items replace the last others, except on a page of one. */
export function cutPage<T>(items: readonly T[], limit: number, isGuaranteed: (item: T) => boolean): readonly T[] {
  if (items.length <= limit) return items;
  const guaranteed = limit === 1 ? [] : items.filter(isGuaranteed).slice(0, limit);
  if (guaranteed.length === 0) return items.slice(0, limit);
  let room = limit - guaranteed.length;
  return items.filter((item) => guaranteed.includes(item) || room-- > 0);
}
