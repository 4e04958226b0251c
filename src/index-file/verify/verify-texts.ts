/** The string pool: texts one after another, each behind two bytes of length, all of them well-formed UTF-8. */
import { isUtf8 } from 'node:buffer';
import { damagedSection } from '../format-error.ts';

const LENGTH_BYTES = 2;
const SPACE = 0x20;
/** UTF-8 is checked in pieces of about this size. */
const CHUNK_BYTES = 1 << 20;
const MAX_TEXT_BYTES = 0xffff;

/** Positions of the string pool at which a text begins, one bit each. */
export type TextStarts = Uint8Array;

/** Throws IndexFormatError if the pool is not a sequence of texts. */
export function findTexts(texts: Uint8Array): TextStarts {
  const starts = new Uint8Array((texts.length >>> 3) + 1);
  const chunk = Buffer.alloc(CHUNK_BYTES + LENGTH_BYTES + MAX_TEXT_BYTES);
  for (let from = 0; from < texts.length; ) {
    const copied = texts.subarray(from, from + chunk.length);
    chunk.set(copied);
    const bytes = markTexts(chunk.subarray(0, copied.length), from, starts);
    if (bytes > copied.length) throw damagedSection('texts', 'a text reaches beyond its end');
    if (!isUtf8(chunk.subarray(0, bytes))) throw damagedSection('texts', 'a text is not UTF-8');
    from += bytes;
  }
  return starts;
}

/**
 * Marks the texts that begin in the first CHUNK_BYTES of a copy of the pool, and replaces their lengths by spaces: so one
 * call checks the UTF-8 of them all, and a character that is cut off at the end of a text is not completed by the next.
 * Returns where the last text ends.
 */
function markTexts(chunk: Uint8Array, position: number, starts: TextStarts): number {
  let at = 0;
  while (at < CHUNK_BYTES && at < chunk.length) {
    starts[(position + at) >>> 3]! |= 1 << ((position + at) & 7);
    // in a length that is cut off, the second byte is undefined and counts as 0
    const length = chunk[at]! | (chunk[at + 1]! << 8);
    chunk[at] = SPACE;
    chunk[at + 1] = SPACE;
    at += LENGTH_BYTES + length;
  }
  return at;
}

/** Throws IndexFormatError unless a text begins at each of the positions. */
export function verifyTextPositions(positions: Uint32Array, starts: TextStarts, section: string): void {
  for (let i = 0; i < positions.length; i++) {
    const position = positions[i]!;
    // beyond the pool the byte is undefined, and so no bit of it is set
    if (((starts[position >>> 3]! >>> (position & 7)) & 1) === 0)
      throw damagedSection(section, `entry ${i} is no text`);
  }
}
