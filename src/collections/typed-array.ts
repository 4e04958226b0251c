/** Typed arrays that are filled and that grow. */

export type TypedArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** A zero-padded copy, at least twice as long and at least `minLength` long. */
export function grown<A extends TypedArray>(array: A, minLength = 0): A {
  const longer = new (array.constructor as new (length: number) => A)(Math.max(minLength, 2 * array.length));
  longer.set(array);
  return longer;
}

/** Fills the array in place, more than ten times as fast as `TypedArray.from`. */
export function fillWith<A extends TypedArray>(array: A, valueAt: (i: number) => number): A {
  for (let i = 0; i < array.length; i++) array[i] = valueAt(i);
  return array;
}

export function sequence(length: number): Uint32Array<ArrayBuffer> {
  return fillWith(new Uint32Array(length), (i) => i);
}

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
