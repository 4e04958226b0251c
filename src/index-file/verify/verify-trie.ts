/** Checks the links of a trie. */
import { damagedSection } from '../format-error.ts';
import type { Trie } from '../trie.ts';

/**
 * Throws IndexFormatError unless every node except the root is the child of exactly one earlier
 * node, tails are within `tailLetters`, and siblings have disjoint, ascending postings.
 */
export function verifyTrie(trie: Trie, name: string, postingCount: number): void {
  const { childStart, tailStart } = trie;
  const nodes = trie.edgeLetter.length;
  // node 0 is the root, which has no tail
  if (nodes === 0 || childStart[0] !== 1 || childStart[nodes] !== nodes)
    throw damagedSection(`${name}ChildStart`, 'it does not cover the nodes');
  if (tailStart[0] !== 0 || tailStart[1] !== 0 || tailStart[nodes] !== trie.tailLetters.length) {
    throw damagedSection(`${name}TailStart`, 'it does not cover the tails');
  }
  for (let node = 0; node < nodes; node++) {
    if (childStart[node]! <= node || childStart[node]! > childStart[node + 1]!) {
      throw damagedSection(`${name}ChildStart`, `node ${node} does not link forward`);
    }
    if (tailStart[node]! > tailStart[node + 1]!)
      throw damagedSection(`${name}TailStart`, `node ${node} has a tail that ends before it begins`);
  }
  verifyPostingStarts(trie, name, postingCount);
}

/**
 * Checks that `postingStart` ascends among siblings. Nodes are stored level by level, so it ascends
 * within each level, which ends where the children of its first node start.
 */
function verifyPostingStarts({ childStart, postingStart }: Trie, name: string, postingCount: number): void {
  for (let levelStart = 0; levelStart < postingStart.length; ) {
    const levelEnd = childStart[levelStart]!;
    for (let node = levelStart + 1; node < levelEnd; node++) {
      if (postingStart[node]! < postingStart[node - 1]!)
        throw damagedSection(`${name}PostingStart`, `node ${node} is out of order`);
    }
    if (postingStart[levelEnd - 1]! > postingCount)
      throw damagedSection(`${name}PostingStart`, 'it refers beyond the postings');
    levelStart = levelEnd;
  }
}
