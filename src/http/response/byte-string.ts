/**
 * Bytes as a string with one character per byte, Node's encoding `latin1`. Node sends a response's
 * headers and a string in one write, but headers and a Buffer in two.
 */
export type ByteString = string & { readonly [byteString]: true };
declare const byteString: unique symbol;

export function byteStringFrom(buffer: Buffer, start = 0, end = buffer.length): ByteString {
  return buffer.toString('latin1', start, end) as ByteString;
}

export function decodeUtf8(bytes: ByteString): string {
  return Buffer.from(bytes, 'latin1').toString();
}
