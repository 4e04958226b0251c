/** Reads a text of the string pool: two bytes of length, then UTF-8. */
import { decodeUtf8 } from '../text/utf8.ts';
import type { Sections } from './layout.ts';

export function readText({ texts }: Pick<Sections, 'texts'>, offset: number): string {
  const length = texts[offset]! | (texts[offset + 1]! << 8);
  return decodeUtf8(texts, offset + 2, offset + 2 + length);
}
