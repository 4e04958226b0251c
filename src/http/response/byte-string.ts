/**
 * A byte string: bytes as a string with one character per byte, Node's encoding `latin1`. Node
 * sends the headers of a response and a string in one write, but headers and a Buffer in two: see
 * docs/performance.md.
 */
export type ByteString = string & { readonly [byteString]: true };
declare const byteString: unique symbol;

export function byteStringFrom(buffer: Buffer, start = 0, end = buffer.length): ByteString {
  return buffer.toString('latin1', start, end) as ByteString;
}

/** The text that the bytes encode in UTF-8. */
export function decodeUtf8(bytes: ByteString): string {
  return Buffer.from(bytes, 'latin1').toString();
}
