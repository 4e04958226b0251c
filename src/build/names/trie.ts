/** Builds a trie of sorted keys: see index-file/trie.ts for its structure. */
import { GAP_LENGTHS } from '../../index-file/gap-filter.ts';
import type { SectionName, Sections } from '../../index-file/layout.ts';
import type { Trie, TrieName } from '../../index-file/trie.ts';
import { buildGapFilter } from './gap-filter.ts';
import type { SortedKeys } from './key-table.ts';

interface TrieInput {
  readonly keys: SortedKeys;
  /** Start of each key's postings, and one more entry for the end. */
  readonly starts: Uint32Array;
  /** Upper bound of the importance of each key's postings. */
  readonly best: Uint8Array;
  /** 1 for each key that starts at the first word of a main name, otherwise 0. */
  readonly main: Uint8Array;
}

export function buildTrie(input: TrieInput): Trie {
  return new TrieBuilder(input).build();
}

export type TrieSections<Name extends TrieName> = Pick<Sections, Extract<SectionName, `${Name}${string}`>>;

/** The inverse of `openTrie`. */
export function trieSections<Name extends TrieName>(trie: Trie, name: Name): TrieSections<Name> {
  return {
    [`${name}Char`]: trie.char,
    [`${name}Child`]: trie.child,
    [`${name}Tail`]: trie.tail,
    [`${name}Value`]: trie.value,
    [`${name}Best`]: trie.best,
    [`${name}Main`]: trie.main,
    [`${name}Tails`]: trie.tails,
    [`${name}Gaps`]: trie.gaps,
    [`${name}MainGaps`]: trie.mainGaps,
  } as TrieSections<Name>;
}

/**
 * Adds nodes in breadth-first order; node 0 is the root. A node's keys are those from `firstKey` up
 * to `endKey`, and share their first `depth` letters. The arrays are allocated at their maximum
 * length; memory pages that are never written take no memory.
 */
class TrieBuilder {
  private readonly input: TrieInput;
  /** Number of letters that each key shares with the previous one. */
  private readonly commonLengths: Uint32Array;
  private readonly firstKey: Uint32Array;
  private readonly endKey: Uint32Array;
  private readonly depth: Uint32Array;
  private readonly char: Uint16Array;
  private readonly child: Uint32Array;
  private readonly tail: Uint32Array;
  private readonly tails: Uint16Array;
  private nodes = 1;
  private tailsLength = 0;

  constructor(input: TrieInput) {
    const count = input.keys.begin.length;
    // each node except the root has its own key or is where two keys diverge
    const maxNodes = 2 * count + 2;
    this.input = input;
    this.commonLengths = commonPrefixLengths(input.keys);
    this.firstKey = new Uint32Array(maxNodes);
    this.endKey = new Uint32Array(maxNodes);
    this.depth = new Uint32Array(maxNodes);
    this.char = new Uint16Array(maxNodes);
    this.child = new Uint32Array(maxNodes);
    this.tail = new Uint32Array(maxNodes);
    this.tails = new Uint16Array(input.keys.letters.length);
    this.endKey[0] = count;
  }

  build(): Trie {
    for (let node = 0; node < this.nodes; node++) {
      this.child[node] = this.nodes;
      this.addChildren(node);
    }
    const { nodes, commonLengths } = this;
    const { keys } = this.input;
    this.child[nodes] = nodes;
    this.tail[nodes] = this.tailsLength;
    const value = new Uint32Array(nodes);
    const best = new Uint8Array(nodes);
    const main = new Uint8Array(nodes);
    // children come after their parents, so in reverse order their values are already known
    for (let node = nodes - 1; node >= 0; node--) {
      value[node] = this.input.starts[this.firstKey[node]!]!;
      best[node] = this.subtreeMax(node, this.input.best, best);
      main[node] = this.subtreeMax(node, this.input.main, main);
    }
    return {
      char: this.char.slice(0, nodes),
      child: this.child.slice(0, nodes + 1),
      tail: this.tail.slice(0, nodes + 1),
      value,
      best,
      main,
      tails: this.tails.slice(0, this.tailsLength),
      gaps: buildGapFilter({ keys, commonLengths, prefixLengths: GAP_LENGTHS.all }),
      mainGaps: buildGapFilter({
        keys,
        commonLengths,
        prefixLengths: GAP_LENGTHS.main,
        isIncluded: (key) => this.input.main[key] === 1,
      }),
    };
  }

  /** Adds a child for each letter that follows the node's letters in its keys. */
  private addChildren(node: number): void {
    const { commonLengths } = this;
    const end = this.endKey[node]!;
    const depth = this.depth[node]!;
    let lo = this.firstKey[node]!;
    if (lo < end && this.keyLength(lo) === depth) lo++; // the node's own key
    while (lo < end) {
      let shared = this.keyLength(lo);
      let hi = lo + 1;
      for (; hi < end && commonLengths[hi]! > depth; hi++) shared = Math.min(shared, commonLengths[hi]!);
      this.addNode(lo, hi, { from: depth, to: shared });
      lo = hi;
    }
  }

  /** Adds the node of keys `lo` up to `hi`; its edge has their letters `from` up to `to`. */
  private addNode(lo: number, hi: number, { from, to }: { readonly from: number; readonly to: number }): void {
    const { letters, begin } = this.input.keys;
    const node = this.nodes++;
    const start = begin[lo]!;
    this.firstKey[node] = lo;
    this.endKey[node] = hi;
    this.depth[node] = to;
    this.char[node] = letters[start + from]!;
    this.tail[node] = this.tailsLength;
    for (let i = from + 1; i < to; i++) this.tails[this.tailsLength++] = letters[start + i]!;
  }

  /** Maximum over the node's own key and its children, whose `nodeValues` must be known. */
  private subtreeMax(node: number, keyValues: Uint8Array, nodeValues: Uint8Array): number {
    const key = this.firstKey[node]!;
    const isOwnKey = key < this.endKey[node]! && this.keyLength(key) === this.depth[node];
    let max = isOwnKey ? keyValues[key]! : 0;
    for (let child = this.child[node]!; child < this.child[node + 1]!; child++) max = Math.max(max, nodeValues[child]!);
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
