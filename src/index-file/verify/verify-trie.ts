/** Checks the links of a trie: see trie.ts for their meaning. */
import { damagedSection } from '../format-error.ts';
import type { Trie } from '../trie.ts';

/**
 * Throws IndexFormatError unless every node except the root is the child of exactly one earlier
 * node, tails are within their table, and siblings have disjoint, ascending postings.
 */
export function verifyTrie(trie: Trie, name: string, postingCount: number): void {
  const { child, tail } = trie;
  const nodes = trie.char.length;
  if (nodes === 0 || child[0] !== 1 || child[nodes] !== nodes) throw damagedSection(`${name}Child`, 'it has no root');
  // the root has no edge, so no tail
  if (tail[0] !== 0 || tail[1] !== 0 || tail[nodes] !== trie.tails.length) {
    throw damagedSection(`${name}Tail`, 'it does not cover the tails');
  }
  for (let node = 0; node < nodes; node++) {
    if (child[node]! <= node || child[node]! > child[node + 1]!) {
      throw damagedSection(`${name}Child`, `node ${node} does not link forward`);
    }
    if (tail[node]! > tail[node + 1]!) throw damagedSection(`${name}Tail`, `node ${node} ends before it begins`);
  }
  verifyValues(trie, name, postingCount);
}

/**
 * The first postings of nodes must ascend within each level. Nodes are in breadth-first order, so
 * the next level starts at `end`, and ends where the children of node `end` start.
 */
function verifyValues({ child, value }: Trie, name: string, postingCount: number): void {
  for (let start = 0, end = 1; start < end; ) {
    for (let node = start + 1; node < end; node++) {
      if (value[node]! < value[node - 1]!) throw damagedSection(`${name}Value`, `node ${node} is out of order`);
    }
    if (value[end - 1]! > postingCount) throw damagedSection(`${name}Value`, 'it refers beyond the postings');
    [start, end] = [end, child[end]!];
  }
}
