/** Builds the gap filter of sorted keys: see index-file/gap-filter.ts. */
import {
  BITS_PER_ENTRY,
  BLOCK_WORDS,
  firstWord,
  GAP,
  joined,
  rolled,
  secondWord,
} from '../../index-file/gap-filter.ts';
import type { SortedKeys } from './key-table.ts';

const BITS_PER_WORD = 32;

interface GapFilterInput {
  readonly keys: SortedKeys;
  /** Number of letters that each key shares with the previous one. */
  readonly commonLengths: Uint32Array;
  /** Lengths of the prefixes of keys to add. */
  readonly prefixLengths: readonly number[];
  /** Selects the keys whose prefixes are added (default: all). */
  readonly isIncluded?: (key: number) => boolean;
}

export function buildGapFilter(input: GapFilterInput): Int32Array {
  let entries = 0; // one for each letter of each prefix
  forEachPrefix(input, (length) => {
    entries += length;
  });
  const minWords = Math.max(BLOCK_WORDS, (entries * BITS_PER_ENTRY) / BITS_PER_WORD);
  const log2Words = Math.ceil(Math.log2(minWords));
  const words = new Int32Array(2 ** log2Words);
  const { letters } = input.keys;
  /** hashes[i] is the hash of the first i letters of the current prefix. */
  const hashes = new Int32Array(Math.max(...input.prefixLengths) + 1);
  forEachPrefix(input, (length, begin) => {
    for (let i = 0; i < length; i++) hashes[i + 1] = rolled(hashes[i]!, letters[begin + i]!);
    for (let gap = 0; gap < length; gap++) {
      const hash = joined(rolled(hashes[gap]!, GAP), hashes, gap + 1, length);
      const first = firstWord(hash, log2Words);
      const bit = 1 << letters[begin + gap]!; // a shift uses the low five bits of the letter
      words[first]! |= bit;
      words[secondWord(hash, first)]! |= bit;
    }
  });
  return words;
}

/** Calls back once for each distinct prefix that has one of the lengths. */
function forEachPrefix(
  { keys, commonLengths, prefixLengths, isIncluded = () => true }: GapFilterInput,
  onPrefix: (length: number, begin: number) => void,
): void {
  let shared = 0; // letters in common with the last included key
  for (let key = 0; key < keys.begin.length; key++) {
    shared = Math.min(shared, commonLengths[key]!);
    if (!isIncluded(key)) continue;
    const begin = keys.begin[key]!;
    for (const length of prefixLengths) {
      // shorter prefixes are also prefixes of the last included key
      if (length > shared && length <= keys.end[key]! - begin) onPrefix(length, begin);
    }
    shared = Number.POSITIVE_INFINITY;
  }
}
