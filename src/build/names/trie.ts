/** Builds a trie of sorted keys and its gap filters: see index-file/trie.ts. */

import type { SectionName, Sections } from '../../index-file/layout.ts';
import type { Trie, TrieName } from '../../index-file/trie.ts';
import {
  appendLetter,
  appendLetters,
  BITS_PER_ENTRY,
  BLOCK_CELLS,
  firstCell,
  GAP,
  GAP_LENGTHS,
  secondCell,
} from '../../index-file/trie.ts';
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
    ...new TrieBuilder(input, commonLengths).build(),
    gaps: buildGapFilter({ keys, commonLengths, prefixLengths: GAP_LENGTHS.all }),
    mainGaps: buildGapFilter({
      keys,
      commonLengths,
      prefixLengths: GAP_LENGTHS.main,
      isIncluded: (key) => mainFromStart[key] === 1,
    }),
  };
}

export type TrieSections<Name extends TrieName> = Pick<Sections, Extract<SectionName, `${Name}${string}`>>;

export function trieSections<Name extends TrieName>(trie: Trie, name: Name): TrieSections<Name> {
  return {
    [`${name}EdgeLetter`]: trie.edgeLetter,
    [`${name}TailStart`]: trie.tailStart,
    [`${name}TailLetters`]: trie.tailLetters,
    [`${name}ChildStart`]: trie.childStart,
    [`${name}PostingStart`]: trie.postingStart,
    [`${name}MaxImportance`]: trie.maxImportance,
    [`${name}HasMainName`]: trie.hasMainName,
    [`${name}Gaps`]: trie.gaps,
    [`${name}MainGaps`]: trie.mainGaps,
  } as TrieSections<Name>;
}

/** Adds nodes breadth-first, from node 0, the root. The keys of a node share `depth` letters. */
class TrieBuilder {
  private readonly input: TrieInput;
  /** Number of letters that each key shares with the previous one. */
  private readonly commonLengths: Uint32Array;
  private readonly firstKey: Uint32Array;
  private readonly endKey: Uint32Array;
  private readonly depth: Uint32Array;
  private readonly edgeLetter: Uint16Array;
  private readonly tailStart: Uint32Array;
  private readonly tailLetters: Uint16Array;
  private readonly childStart: Uint32Array;
  private nodeCount = 1;
  private tailLength = 0;

  constructor(input: TrieInput, commonLengths: Uint32Array) {
    const count = input.keys.begin.length;
    // a node per key and per fork, the root and an entry for the end
    const maxNodes = 2 * count + 2;
    this.input = input;
    this.commonLengths = commonLengths;
    this.firstKey = new Uint32Array(maxNodes);
    this.endKey = new Uint32Array(maxNodes);
    this.depth = new Uint32Array(maxNodes);
    this.edgeLetter = new Uint16Array(maxNodes);
    this.childStart = new Uint32Array(maxNodes);
    this.tailStart = new Uint32Array(maxNodes);
    this.tailLetters = new Uint16Array(input.keys.letters.length);
    this.endKey[0] = count;
  }

  /** The sections of nodes. Arrays are as long as the trie; the memory behind them was never touched. */
  build(): Omit<Trie, 'gaps' | 'mainGaps'> {
    for (let node = 0; node < this.nodeCount; node++) {
      this.childStart[node] = this.nodeCount;
      this.addChildren(node);
    }
    const { nodeCount } = this;
    this.childStart[nodeCount] = nodeCount;
    this.tailStart[nodeCount] = this.tailLength;
    const postingStart = new Uint32Array(nodeCount);
    const maxImportance = new Uint8Array(nodeCount);
    const hasMainName = new Uint8Array(nodeCount);
    // in reverse, because children come after their parent
    for (let node = nodeCount - 1; node >= 0; node--) {
      postingStart[node] = this.input.postingStarts[this.firstKey[node]!]!;
      maxImportance[node] = this.subtreeMax(node, this.input.maxImportance, maxImportance);
      hasMainName[node] = this.subtreeMax(node, this.input.mainFromStart, hasMainName);
    }
    return {
      edgeLetter: this.edgeLetter.subarray(0, nodeCount),
      tailStart: this.tailStart.subarray(0, nodeCount + 1),
      tailLetters: this.tailLetters.subarray(0, this.tailLength),
      childStart: this.childStart.subarray(0, nodeCount + 1),
      postingStart,
      maxImportance,
      hasMainName,
    };
  }

  private addChildren(node: number): void {
    const { commonLengths } = this;
    const end = this.endKey[node]!;
    const depth = this.depth[node]!;
    let lo = this.firstKey[node]!;
    if (lo < end && this.keyLength(lo) === depth) lo++; // the node's own key, which ends here
    while (lo < end) {
      let shared = this.keyLength(lo);
      let hi = lo + 1;
      for (; hi < end && commonLengths[hi]! > depth; hi++) shared = Math.min(shared, commonLengths[hi]!);
      this.addNode(lo, hi, { from: depth, to: shared });
      lo = hi;
    }
  }

  /** The letters `from` up to `to` of the keys `lo` up to `hi` become the edge. */
  private addNode(lo: number, hi: number, { from, to }: { readonly from: number; readonly to: number }): void {
    const { letters, begin } = this.input.keys;
    const node = this.nodeCount++;
    const start = begin[lo]!;
    this.firstKey[node] = lo;
    this.endKey[node] = hi;
    this.depth[node] = to;
    this.edgeLetter[node] = letters[start + from]!;
    this.tailStart[node] = this.tailLength;
    for (let i = from + 1; i < to; i++) this.tailLetters[this.tailLength++] = letters[start + i]!;
  }

  private subtreeMax(node: number, keyValues: Uint8Array, nodeValues: Uint8Array): number {
    const key = this.firstKey[node]!;
    const hasOwnKey = key < this.endKey[node]! && this.keyLength(key) === this.depth[node];
    let max = hasOwnKey ? keyValues[key]! : 0;
    for (let child = this.childStart[node]!; child < this.childStart[node + 1]!; child++)
      max = Math.max(max, nodeValues[child]!);
    return max;
  }

  private keyLength(key: number): number {
    return this.input.keys.end[key]! - this.input.keys.begin[key]!;
  }
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
