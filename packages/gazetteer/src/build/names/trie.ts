/** Builds a trie of sorted keys and its gap filters: see index-file/trie.ts. */

import type { Trie } from 'toponym-engine/index-file/trie';
import {
  appendLetter,
  appendLetters,
  BITS_PER_ENTRY,
  BLOCK_CELLS,
  firstCell,
  GAP,
  GAP_LENGTHS,
  secondCell,
} from 'toponym-engine/index-file/trie';
import type { SortedKeys } from './key-table.ts';

interface TrieInput {
  readonly keys: SortedKeys;
  /** Start of the postings of each key, and one more entry for the end. */
  readonly postingStarts: Uint32Array;
  /** By key, 0..255, rounded up. */
  readonly maxImportance: Uint8Array;
  /** By key, 0 or 1: whether the key starts at the first word of a main name. */
  readonly mainFromStart: Uint8Array;
}

export function buildTrie(input: TrieInput): Trie {
  const { keys, mainFromStart } = input;
  const commonLengths = commonPrefixLengths(keys);
  return {
    ...buildNodes(input, commonLengths),
    gaps: buildGapFilter({ keys, commonLengths, prefixLengths: GAP_LENGTHS.all }),
    mainGaps: buildGapFilter({
      keys,
      commonLengths,
      prefixLengths: GAP_LENGTHS.main,
      isIncluded: (key) => mainFromStart[key] === 1,
    }),
  };
}

/**
 * Adds nodes breadth-first, from node 0, the root. The keys of a node share `depth` letters.
 * `commonLengths`: how many letters each key shares with the previous one.
 */
function buildNodes(
  { keys, postingStarts, ...keyValues }: TrieInput,
  commonLengths: Uint32Array,
): Omit<Trie, 'gaps' | 'mainGaps'> {
  const { letters, begin, end } = keys;
  const keyCount = begin.length;
  // a node per key and per fork, the root and the end; memory that is not used is never touched
  const maxNodes = 2 * keyCount + 2;
  const firstKey = new Uint32Array(maxNodes);
  const endKey = new Uint32Array(maxNodes);
  const depth = new Uint32Array(maxNodes);
  const edgeLetter = new Uint16Array(maxNodes);
  const childStart = new Uint32Array(maxNodes);
  const tailStart = new Uint32Array(maxNodes);
  const tailLetters = new Uint16Array(letters.length);
  const keyLength = (key: number) => end[key]! - begin[key]!;
  const hasOwnKey = (node: number) => firstKey[node]! < endKey[node]! && keyLength(firstKey[node]!) === depth[node];
  let nodeCount = 1;
  let tailLength = 0;
  endKey[0] = keyCount;
  for (let node = 0; node < nodeCount; node++) {
    childStart[node] = nodeCount;
    let hi = firstKey[node]! + (hasOwnKey(node) ? 1 : 0); // the node's own key ends here
    while (hi < endKey[node]!) {
      const child = nodeCount++;
      const lo = hi++;
      let shared = keyLength(lo);
      for (; hi < endKey[node]! && commonLengths[hi]! > depth[node]!; hi++) {
        shared = Math.min(shared, commonLengths[hi]!); // letters that all keys of the child begin with
      }
      const edgeStart = begin[lo]! + depth[node]!;
      firstKey[child] = lo;
      endKey[child] = hi;
      depth[child] = shared;
      edgeLetter[child] = letters[edgeStart]!;
      tailStart[child] = tailLength;
      for (let i = edgeStart + 1; i < begin[lo]! + shared; i++) tailLetters[tailLength++] = letters[i]!;
    }
  }
  childStart[nodeCount] = nodeCount;
  tailStart[nodeCount] = tailLength;
  /** The maximum of a value at or below each node. In reverse: children come after their parent. */
  const subtreeMax = (values: Uint8Array) => {
    const max = new Uint8Array(nodeCount);
    for (let node = nodeCount - 1; node >= 0; node--) {
      if (hasOwnKey(node)) max[node] = values[firstKey[node]!]!;
      for (let child = childStart[node]!; child < childStart[node + 1]!; child++)
        max[node] = Math.max(max[node]!, max[child]!);
    }
    return max;
  };
  return {
    edgeLetter: edgeLetter.subarray(0, nodeCount),
    tailStart: tailStart.subarray(0, nodeCount + 1),
    tailLetters: tailLetters.subarray(0, tailLength),
    childStart: childStart.subarray(0, nodeCount + 1),
    postingStart: firstKey.subarray(0, nodeCount).map((key) => postingStarts[key]!),
    maxImportance: subtreeMax(keyValues.maxImportance),
    hasMainName: subtreeMax(keyValues.mainFromStart),
  };
}

function commonPrefixLengths({ letters, begin, end }: SortedKeys): Uint32Array {
  const lengths = new Uint32Array(begin.length);
  for (let key = 1; key < begin.length; key++) {
    const a = begin[key - 1]!;
    const b = begin[key]!;
    const maxLength = Math.min(end[key - 1]! - a, end[key]! - b);
    let length = 0;
    while (length < maxLength && letters[a + length] === letters[b + length]) length++;
    lengths[key] = length;
  }
  return lengths;
}

const BITS_PER_CELL = 32;

interface GapFilterInput {
  readonly keys: SortedKeys;
  /** Number of letters that each key shares with the previous one. */
  readonly commonLengths: Uint32Array;
  readonly prefixLengths: readonly number[];
  readonly isIncluded?: (key: number) => boolean;
}

function buildGapFilter(input: GapFilterInput): Int32Array {
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
