/** Binary search, and a pivot for quicksort. */

/**
 * Binary search for the first index for which `isBefore` is false, or `count`. `isBefore` must be
 * true up to some index and false from there on.
 */
export function lowerBound(count: number, isBefore: (i: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first index of `value`, or -1. */
export function indexInSorted(sorted: ArrayLike<number>, value: number): number {
  const i = lowerBound(sorted.length, (at) => (sorted[at] as number) < value);
  return sorted[i] === value ? i : -1;
}

/** A good pivot for quicksort, even on sorted input. */
export function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
