/** Reads a text of the string pool: two bytes of length, then UTF-8. */
import type { Sections } from './layout.ts';

export function readText({ texts }: Pick<Sections, 'texts'>, offset: number): string {
  const length = texts[offset]! | (texts[offset + 1]! << 8);
  const start = texts.byteOffset + offset + 2;
  return Buffer.from(texts.buffer as ArrayBuffer, start, length).toString('utf8');
}
