/**
 * Bytes as a string with one character per byte, which is Node's encoding `latin1`. Node sends the
 * headers of a response and a string in one write, but headers and a Buffer in two: see
 * docs/performance.md.
 */
export type Latin1Bytes = string & { readonly [latin1Bytes]: true };
declare const latin1Bytes: unique symbol;

export function latin1FromBuffer(buffer: Buffer, start = 0, end = buffer.length): Latin1Bytes {
  return buffer.toString('latin1', start, end) as Latin1Bytes;
}

/** The text that the bytes encode in UTF-8. */
export function decodeUtf8(bytes: Latin1Bytes): string {
  return Buffer.from(bytes, 'latin1').toString();
}
