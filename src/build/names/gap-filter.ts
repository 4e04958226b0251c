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

export interface GapKeys {
  readonly keys: SortedKeys;
  /** Number of letters that each key shares with the previous one. */
  readonly common: Uint32Array;
  /** Lengths of the prefixes to add. */
  readonly lengths: readonly number[];
  /** Selects the keys to add (default: all). */
  readonly isIncluded?: (key: number) => boolean;
}

export function buildGapFilter(gapKeys: GapKeys): Int32Array {
  let entries = 1;
  forEachPrefix(gapKeys, (length) => {
    entries += length;
  });
  const log2Words = Math.max(Math.log2(BLOCK_WORDS), Math.ceil(Math.log2(entries * BITS_PER_ENTRY)) - 5);
  const words = new Int32Array(2 ** log2Words);
  const { units } = gapKeys.keys;
  const hashes = new Int32Array(Math.max(...gapKeys.lengths) + 1);
  forEachPrefix(gapKeys, (length, begin) => {
    for (let i = 0; i < length; i++) hashes[i + 1] = rolled(hashes[i]!, units[begin + i]!);
    for (let gap = 0; gap < length; gap++) {
      const hash = joined(rolled(hashes[gap]!, GAP), hashes, gap + 1, length);
      const first = firstWord(hash, log2Words);
      const bit = 1 << units[begin + gap]!;
      words[first]! |= bit;
      words[secondWord(hash, first)]! |= bit;
    }
  });
  return words;
}

/** Calls back once for each distinct prefix that has one of the lengths. */
function forEachPrefix(
  { keys, common, lengths, isIncluded }: GapKeys,
  onPrefix: (length: number, begin: number) => void,
): void {
  let shared = 0; // letters in common with the last included key
  for (let key = 0; key < keys.begin.length; key++) {
    shared = Math.min(shared, common[key]!);
    if (isIncluded?.(key) === false) continue;
    const begin = keys.begin[key]!;
    for (const length of lengths) if (length > shared && length <= keys.end[key]! - begin) onPrefix(length, begin);
    shared = Number.POSITIVE_INFINITY;
  }
}
