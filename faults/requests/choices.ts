/** Sources of choices for the request grammar. Choice 0 is the simplest alternative everywhere. */

/** Returns an integer from 0 to `limit - 1`. */
export type Choose = (limit: number) => number;

/** Repeatable random choices (mulberry32), the same for the same seed and number. */
export function randomChoices(seed: number, number: number): Choose {
  let state = (seed ^ Math.imul(number + 1, 0x9e3779b1)) | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((((mixed ^ (mixed >>> 14)) >>> 0) * limit) / 2 ** 32) | 0;
  };
}

/** Choices from a list, then only the simplest, so that fast-check can shrink a request. */
export function listedChoices(list: readonly number[]): Choose {
  let next = 0;
  return (limit) => (list[next++] ?? 0) % limit;
}

export function pick<T>(choose: Choose, values: readonly [T, ...T[]]): T {
  return values[choose(values.length)] ?? values[0];
}

/** True in one of `times` cases; false is the simplest. */
export function rarely(choose: Choose, times: number): boolean {
  return choose(times) === times - 1;
}
