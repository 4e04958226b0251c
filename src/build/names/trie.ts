/** Builds a trie of sorted keys: see index-file/trie.ts. */
import type { SectionName, Sections } from '../../index-file/layout.ts';
import { GAP_LENGTHS, type Trie, type TrieName } from '../../index-file/trie.ts';
import { buildGapFilter } from './gap-filter.ts';
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
  return new TrieBuilder(input).build();
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

  constructor(input: TrieInput) {
    const count = input.keys.begin.length;
    // a node per key and per fork, the root and an entry for the end
    const maxNodes = 2 * count + 2;
    this.input = input;
    this.commonLengths = commonPrefixLengths(input.keys);
    this.firstKey = new Uint32Array(maxNodes);
    this.endKey = new Uint32Array(maxNodes);
    this.depth = new Uint32Array(maxNodes);
    this.edgeLetter = new Uint16Array(maxNodes);
    this.childStart = new Uint32Array(maxNodes);
    this.tailStart = new Uint32Array(maxNodes);
    this.tailLetters = new Uint16Array(input.keys.letters.length);
    this.endKey[0] = count;
  }

  build(): Trie {
    for (let node = 0; node < this.nodeCount; node++) {
      this.childStart[node] = this.nodeCount;
      this.addChildren(node);
    }
    const { nodeCount, commonLengths } = this;
    const { keys } = this.input;
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
      edgeLetter: this.edgeLetter.slice(0, nodeCount),
      tailStart: this.tailStart.slice(0, nodeCount + 1),
      tailLetters: this.tailLetters.slice(0, this.tailLength),
      childStart: this.childStart.slice(0, nodeCount + 1),
      postingStart,
      maxImportance,
      hasMainName,
      gaps: buildGapFilter({ keys, commonLengths, prefixLengths: GAP_LENGTHS.all }),
      mainGaps: buildGapFilter({
        keys,
        commonLengths,
        prefixLengths: GAP_LENGTHS.main,
        isIncluded: (key) => this.input.mainFromStart[key] === 1,
      }),
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
