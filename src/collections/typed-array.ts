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
