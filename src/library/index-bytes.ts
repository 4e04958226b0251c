/** The bytes of an index file, as callers of the library pass them. They must not change later. */
export type IndexBytes = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/** The buffer with exactly these bytes: a copy if they are a part of a larger buffer. */
export function bufferOf(bytes: IndexBytes): ArrayBuffer | SharedArrayBuffer {
  if (!ArrayBuffer.isView(bytes)) {
    if (isBuffer(bytes)) return bytes;
    throw new TypeError(`openToponym: index must be the bytes of an index file, got ${typeof bytes}`);
  }
  const { buffer, byteOffset, byteLength } = bytes;
  return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
}

function isBuffer(value: unknown): boolean {
  if (value instanceof ArrayBuffer) return true;
  // pages that are not isolated from other origins have no SharedArrayBuffer
  return typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer;
}
