/** Builds a gap filter: see index-file/trie.ts. */

import {
  appendLetter,
  appendLetters,
  BITS_PER_ENTRY,
  BLOCK_CELLS,
  firstCell,
  GAP,
  secondCell,
} from '../../index-file/trie.ts';
import type { SortedKeys } from './key-table.ts';

const BITS_PER_CELL = 32;

interface GapFilterInput {
  readonly keys: SortedKeys;
  /** Number of letters that each key shares with the previous one. */
  readonly commonLengths: Uint32Array;
  readonly prefixLengths: readonly number[];
  readonly isIncluded?: (key: number) => boolean;
}

export function buildGapFilter(input: GapFilterInput): Int32Array {
  let entries = 0; // one for each letter of each prefix
  forEachPrefix(input, (length) => {
    entries += length;
  });
  const minCells = Math.max(BLOCK_CELLS, (entries * BITS_PER_ENTRY) / BITS_PER_CELL);
  const log2Cells = Math.ceil(Math.log2(minCells));
  const cells = new Int32Array(2 ** log2Cells);
  const { letters } = input.keys;
  // hashes[i] is the hash of the first i letters of the current prefix
  const hashes = new Int32Array(Math.max(...input.prefixLengths) + 1);
  forEachPrefix(input, (length, begin) => {
    for (let i = 0; i < length; i++) hashes[i + 1] = appendLetter(hashes[i]!, letters[begin + i]!);
    for (let gap = 0; gap < length; gap++) {
      const gappedHash = appendLetters(appendLetter(hashes[gap]!, GAP), hashes, gap + 1, length);
      const first = firstCell(gappedHash, log2Cells);
      const bit = 1 << letters[begin + gap]!; // `<<` uses the low five bits of the letter
      cells[first]! |= bit;
      cells[secondCell(gappedHash, first)]! |= bit;
    }
  });
  return cells;
}

/** Visits each distinct prefix once. */
function forEachPrefix(
  { keys, commonLengths, prefixLengths, isIncluded = () => true }: GapFilterInput,
  onPrefix: (length: number, begin: number) => void,
): void {
  let shared = 0; // letters that this key shares with the last included key
  for (let key = 0; key < keys.begin.length; key++) {
    shared = Math.min(shared, commonLengths[key]!);
    if (!isIncluded(key)) continue;
    const begin = keys.begin[key]!;
    for (const length of prefixLengths) {
      if (length > shared && length <= keys.end[key]! - begin) onPrefix(length, begin);
    }
    shared = keys.end[key]! - begin;
  }
}
