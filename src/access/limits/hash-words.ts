/** Hashes that identify the entries of tables in shared memory. */
import { hash } from 'node:crypto';

/** The first 128 bits of a hash, so that texts practically never collide. */
export function hashWords(text: string): Int32Array {
  const hex = hash('sha1', text, 'hex'); // parsing hex is four times as fast as creating a Buffer
  const words = new Int32Array(4);
  for (let i = 0; i < 4; i++) words[i] = Number.parseInt(hex.slice(8 * i, 8 * i + 8), 16);
  return words;
}
