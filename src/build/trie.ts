/** Sorted keys to a trie: see index-file/trie.ts for its shape. */
import type { Trie } from '../index-file/trie.ts';

export interface KeySet {
  /** Distinct, in code unit order. */
  readonly keys: readonly string[];
  /** Where each key's postings start; one more entry for the end. */
  readonly starts: Uint32Array;
  /** Upper bound of the importance of each key's postings. */
  readonly best: Uint8Array;
}

export function buildTrie(set: KeySet): Trie {
  return new TrieBuilder(set).build();
}

/** Node 0 is the root. Nodes are made in breadth-first order; `first`, `last` and `depth` are their keys while building. */
class TrieBuilder {
  private readonly set: KeySet;
  private readonly first: number[] = [0];
  private readonly last: number[];
  private readonly depth: number[] = [0];
  private readonly char: number[] = [0];
  private readonly child: number[] = [];
  private readonly tail: number[] = [0];
  private readonly tails: number[] = [];

  constructor(set: KeySet) {
    this.set = set;
    this.last = [set.keys.length];
  }

  build(): Trie {
    for (let node = 0; node < this.first.length; node++) {
      this.child.push(this.first.length);
      this.addChildren(node);
    }
    this.child.push(this.first.length);
    this.tail.push(this.tails.length);
    const nodes = this.first.length;
    const value = new Uint32Array(nodes);
    const best = new Uint8Array(nodes);
    for (let node = nodes - 1; node >= 0; node--) {
      value[node] = this.set.starts[this.first[node]!]!;
      best[node] = this.bestOf(node, best);
    }
    return {
      char: Uint16Array.from(this.char),
      child: Uint32Array.from(this.child),
      tail: Uint32Array.from(this.tail),
      value,
      best,
      tails: Uint16Array.from(this.tails),
    };
  }

  private addChildren(node: number): void {
    const { keys } = this.set;
    const end = this.last[node]!;
    const depth = this.depth[node]!;
    let lo = this.first[node]!;
    if (lo < end && keys[lo]!.length === depth) lo++; // the node's own key
    while (lo < end) {
      const char = keys[lo]!.charCodeAt(depth);
      let hi = lo + 1;
      while (hi < end && keys[hi]!.charCodeAt(depth) === char) hi++;
      this.addNode(lo, hi, depth);
      lo = hi;
    }
  }

  private addNode(lo: number, hi: number, depth: number): void {
    const key = this.set.keys[lo]!;
    const lastKey = this.set.keys[hi - 1]!;
    let end = depth + 1;
    while (end < key.length && key.charCodeAt(end) === lastKey.charCodeAt(end)) end++;
    this.first.push(lo);
    this.last.push(hi);
    this.depth.push(end);
    this.char.push(key.charCodeAt(depth));
    this.tail.push(this.tails.length);
    for (let i = depth + 1; i < end; i++) this.tails.push(key.charCodeAt(i));
  }

  /** Children come after their parents, so going backwards theirs are known. */
  private bestOf(node: number, best: Uint8Array): number {
    const lo = this.first[node]!;
    let most = lo < this.last[node]! && this.set.keys[lo]!.length === this.depth[node] ? this.set.best[lo]! : 0;
    for (let child = this.child[node]!; child < this.child[node + 1]!; child++) most = Math.max(most, best[child]!);
    return most;
  }
}
