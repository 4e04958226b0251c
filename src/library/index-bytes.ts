/** The bytes of an index file, as callers of the library pass them. They must not change later. */
export type IndexBytes = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

export function isIndexBytes(value: unknown): value is IndexBytes {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return true;
  // pages that are not isolated from other origins have no SharedArrayBuffer
  return typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer;
}

/** The buffer with exactly these bytes: a copy if they are a part of a larger buffer. */
export function bufferOf(bytes: IndexBytes): ArrayBuffer | SharedArrayBuffer {
  if (!ArrayBuffer.isView(bytes)) return bytes;
  const { buffer, byteOffset, byteLength } = bytes;
  return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
}
