/** Where a typo walk is in the trie, and the hash of the letters read on the way there. */
import { appendLetter } from '../../index-file/gap-filter.ts';

export class TrieCursor {
  /** The node that the current edge leads to. The cursor may be in the middle of that edge. */
  node = 0;
  /** Index in `Trie.tailLetters` of the next letter of the current edge. */
  tailAt = 0;
  /** End of the postings at or below the node. */
  postingsEnd = 0;
  /** Number of letters read. */
  depth = 0;
  hash = 0;

  moveToRoot(postingCount: number): void {
    this.node = 0;
    this.tailAt = 0;
    this.postingsEnd = postingCount;
    this.depth = 0;
    this.hash = 0;
  }

  copyFrom(other: TrieCursor): void {
    this.node = other.node;
    this.tailAt = other.tailAt;
    this.postingsEnd = other.postingsEnd;
    this.depth = other.depth;
    this.hash = other.hash;
  }

  advance(node: number, tailAt: number, postingsEnd: number, letter: number): void {
    this.node = node;
    this.tailAt = tailAt;
    this.postingsEnd = postingsEnd;
    this.depth++;
    this.hash = appendLetter(this.hash, letter);
  }
}
