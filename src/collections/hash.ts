/**
 * 32-bit FNV-1a hashes for hash tables whose size is a power of two. These tables use only the low
 * bits of a hash, so the high bits, which FNV-1a mixes best, are XORed into them.
 */

const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** Hash of the UTF-16 code units. To hash two strings, pass the hash of the first as seed. */
export function hashText(text: string, seed = OFFSET_BASIS): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash ^ (hash >>> 15);
}

/** Hash of the bytes from `start` up to `end`. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = OFFSET_BASIS;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), PRIME);
  return hash ^ (hash >>> 15);
}
