/** Checks the string pool: each text is a two-byte length, then UTF-8. */
import { isUtf8 } from 'node:buffer';
import { damagedSection } from '../format-error.ts';

const LENGTH_BYTES = 2;
const SPACE = 0x20;
const CHUNK_BYTES = 1 << 20;
const MAX_TEXT_BYTES = 0xffff;

/** Bitmap over the string pool: a bit is set where a text begins. */
type TextStarts = Uint8Array;

/** Throws IndexFormatError if the pool is not a sequence of texts. */
export function findTextStarts(texts: Uint8Array): TextStarts {
  const starts = new Uint8Array((texts.length >>> 3) + 1);
  // has room for a longest text that begins just before CHUNK_BYTES
  const chunk = Buffer.alloc(CHUNK_BYTES + LENGTH_BYTES + MAX_TEXT_BYTES);
  for (let from = 0; from < texts.length; ) {
    const copied = texts.subarray(from, from + chunk.length);
    chunk.set(copied);
    const end = markTexts(chunk.subarray(0, copied.length), from, starts);
    if (end > copied.length) throw damagedSection('texts', 'its last text is cut off');
    if (!isUtf8(chunk.subarray(0, end))) throw damagedSection('texts', 'a text is not UTF-8');
    from += end;
  }
  return starts;
}

/**
 * Marks the texts that begin in the first CHUNK_BYTES of a chunk, and returns where the last text
 * ends. Overwrites the lengths in the chunk with spaces, so that one call can check all UTF-8.
 */
function markTexts(chunk: Uint8Array, chunkOffset: number, starts: TextStarts): number {
  let at = 0;
  while (at < CHUNK_BYTES && at < chunk.length) {
    const offset = chunkOffset + at;
    starts[offset >>> 3]! |= 1 << (offset & 7);
    // a missing second byte counts as 0
    const length = chunk[at]! | (chunk[at + 1]! << 8);
    chunk[at] = SPACE;
    chunk[at + 1] = SPACE;
    at += LENGTH_BYTES + length;
  }
  return at;
}

/** Throws IndexFormatError unless a text begins at every offset. */
export function verifyTextOffsets(offsets: Uint32Array, starts: TextStarts, section: string): void {
  for (let i = 0; i < offsets.length; i++) {
    const offset = offsets[i]!;
    // a missing byte counts as 0
    const isStart = ((starts[offset >>> 3]! >>> (offset & 7)) & 1) === 1;
    if (!isStart) throw damagedSection(section, `entry ${i} is not the offset of a text`);
  }
}
