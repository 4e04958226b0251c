/** 32-bit FNV-1a hashes. Hash tables use the low bits, so the high bits are XORed into them. */

const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** Hash of the UTF-16 code units. To hash two strings, pass the hash of the first as seed. */
export function hashText(text: string, seed = OFFSET_BASIS): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash ^ (hash >>> 15);
}

export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = OFFSET_BASIS;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), PRIME);
  return hash ^ (hash >>> 15);
}
