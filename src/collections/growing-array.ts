/** A typed array that grows by doubling: numbers at their own size, where a list of them would take eight bytes or more. */
export class GrowingArray<Numbers extends Uint32Array | Int32Array | Float64Array | Uint8Array> {
  length = 0;
  #items: Numbers;
  readonly #create: (length: number) => Numbers;

  constructor(create: (length: number) => Numbers) {
    this.#create = create;
    this.#items = create(1024);
  }

  push(value: number): void {
    this.#reserve(1);
    this.#items[this.length++] = value;
  }

  pushAll(values: ArrayLike<number>): void {
    this.#reserve(values.length);
    this.#items.set(values, this.length);
    this.length += values.length;
  }

  /** What was pushed, as a view that later pushes may leave behind. */
  view(): Numbers {
    return this.#items.subarray(0, this.length) as Numbers;
  }

  #reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.#items.length) return;
    const larger = this.#create(Math.max(needed, 2 * this.#items.length));
    larger.set(this.#items.subarray(0, this.length));
    this.#items = larger;
  }
}

/** The position of a value in ascending numbers, or -1. */
export function positionIn(sorted: ArrayLike<number>, value: number): number {
  let lo = 0;
  let hi = sorted.length;
  while (lo < hi) {
    const middle = (lo + hi) >>> 1;
    if ((sorted[middle] as number) < value) lo = middle + 1;
    else hi = middle;
  }
  return sorted[lo] === value ? lo : -1;
}
