/** Builds a trie of sorted keys: see index-file/trie.ts for its structure. */
import { GAP_LENGTHS } from '../../index-file/gap-filter.ts';
import type { Trie } from '../../index-file/trie.ts';
import { buildGapFilter } from './gap-filter.ts';
import type { SortedKeys } from './key-table.ts';

export interface KeySet {
  readonly keys: SortedKeys;
  /** Start of each key's postings, and one more entry for the end. */
  readonly starts: Uint32Array;
  /** Upper bound of the importance of each key's postings. */
  readonly best: Uint8Array;
  /** 1 for each key that is a main name. */
  readonly main: Uint8Array;
}

export function buildTrie(set: KeySet): Trie {
  return new TrieBuilder(set).build();
}

/**
 * Adds nodes in breadth-first order; node 0 is the root. A node's keys are those from `first` up to
 * `last`, and share their first `depth` letters. The arrays are allocated at their maximum length;
 * pages that are never written take no memory.
 */
class TrieBuilder {
  private readonly set: KeySet;
  /** Number of letters that each key shares with the previous one. */
  private readonly common: Uint32Array;
  private readonly first: Uint32Array;
  private readonly last: Uint32Array;
  private readonly depth: Uint32Array;
  private readonly char: Uint16Array;
  private readonly child: Uint32Array;
  private readonly tail: Uint32Array;
  private readonly tails: Uint16Array;
  private nodes = 1;
  private tailsLength = 0;

  constructor(set: KeySet) {
    const count = set.keys.begin.length;
    // each node except the root has its own key or is where two keys diverge
    const maxNodes = 2 * count + 2;
    this.set = set;
    this.common = commonPrefixLengths(set.keys);
    this.first = new Uint32Array(maxNodes);
    this.last = new Uint32Array(maxNodes);
    this.depth = new Uint32Array(maxNodes);
    this.char = new Uint16Array(maxNodes);
    this.child = new Uint32Array(maxNodes);
    this.tail = new Uint32Array(maxNodes);
    this.tails = new Uint16Array(set.keys.units.length);
    this.last[0] = count;
  }

  build(): Trie {
    for (let node = 0; node < this.nodes; node++) {
      this.child[node] = this.nodes;
      this.addChildren(node);
    }
    const { nodes, common } = this;
    const { keys } = this.set;
    this.child[nodes] = nodes;
    this.tail[nodes] = this.tailsLength;
    const value = new Uint32Array(nodes);
    const best = new Uint8Array(nodes);
    const main = new Uint8Array(nodes);
    // children come after their parents, so in reverse order their values are already known
    for (let node = nodes - 1; node >= 0; node--) {
      value[node] = this.set.starts[this.first[node]!]!;
      best[node] = this.subtreeMax(node, this.set.best, best);
      main[node] = this.subtreeMax(node, this.set.main, main);
    }
    return {
      char: this.char.slice(0, nodes),
      child: this.child.slice(0, nodes + 1),
      tail: this.tail.slice(0, nodes + 1),
      value,
      best,
      main,
      tails: this.tails.slice(0, this.tailsLength),
      gaps: buildGapFilter({ keys, common, lengths: GAP_LENGTHS.all }),
      mainGaps: buildGapFilter({
        keys,
        common,
        lengths: GAP_LENGTHS.main,
        isIncluded: (key) => this.set.main[key] === 1,
      }),
    };
  }

  private addChildren(node: number): void {
    const { common } = this;
    const end = this.last[node]!;
    const depth = this.depth[node]!;
    let lo = this.first[node]!;
    if (lo < end && this.keyLength(lo) === depth) lo++; // the node's own key
    while (lo < end) {
      let shared = this.keyLength(lo);
      let hi = lo + 1;
      for (; hi < end && common[hi]! > depth; hi++) shared = Math.min(shared, common[hi]!);
      this.addNode(lo, hi, { depth, end: shared });
      lo = hi;
    }
  }

  /** Adds the node of keys `lo` up to `hi`, which share the letters up to `edge.end`. */
  private addNode(lo: number, hi: number, edge: { readonly depth: number; readonly end: number }): void {
    const { units, begin } = this.set.keys;
    const node = this.nodes++;
    const start = begin[lo]!;
    this.first[node] = lo;
    this.last[node] = hi;
    this.depth[node] = edge.end;
    this.char[node] = units[start + edge.depth]!;
    this.tail[node] = this.tailsLength;
    for (let i = edge.depth + 1; i < edge.end; i++) this.tails[this.tailsLength++] = units[start + i]!;
  }

  /** Maximum over the node's own key and its children, whose `nodeValues` must be known. */
  private subtreeMax(node: number, keyValues: Uint8Array, nodeValues: Uint8Array): number {
    const lo = this.first[node]!;
    let max = lo < this.last[node]! && this.keyLength(lo) === this.depth[node] ? keyValues[lo]! : 0;
    for (let child = this.child[node]!; child < this.child[node + 1]!; child++) max = Math.max(max, nodeValues[child]!);
    return max;
  }

  private keyLength(key: number): number {
    return this.set.keys.end[key]! - this.set.keys.begin[key]!;
  }
}

function commonPrefixLengths({ units, begin, end }: SortedKeys): Uint32Array {
  const common = new Uint32Array(begin.length);
  for (let key = 1; key < begin.length; key++) {
    const a = begin[key - 1]!;
    const b = begin[key]!;
    const maxLength = Math.min(end[key - 1]! - a, end[key]! - b);
    let length = 0;
    while (length < maxLength && units[a + length] === units[b + length]) length++;
    common[key] = length;
  }
  return common;
}
