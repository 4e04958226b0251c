/** The same array with as much room again: lists without objects grow so. */
export function doubled<A extends Int32Array | Uint32Array | Uint16Array | Uint8Array>(array: A): A {
  const larger = new (array.constructor as new (length: number) => A)(2 * array.length);
  larger.set(array);
  return larger;
}
