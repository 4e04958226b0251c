import { grown, type TypedArray } from './typed-array.ts';

/** A list of numbers in a typed array that doubles when full. */
export class GrowingArray<Items extends TypedArray> {
  length = 0;
  #items: Items;

  constructor(ItemArray: new (length: number) => Items) {
    this.#items = new ItemArray(1024);
  }

  push(value: number): void {
    if (this.length === this.#items.length) this.#items = grown(this.#items);
    this.#items[this.length++] = value;
  }

  pushAll(values: ArrayLike<number>): void {
    const end = this.length + values.length;
    if (end > this.#items.length) this.#items = grown(this.#items, end);
    this.#items.set(values, this.length);
    this.length = end;
  }

  /** `i` must be below `length`. */
  at(i: number): number {
    return this.#items[i] as number;
  }

  /** The items, not copied. After a push, the view may be stale. */
  view(): Items {
    return this.#items.subarray(0, this.length) as Items;
  }

  toArray(): Items {
    return this.#items.slice(0, this.length) as Items;
  }
}
