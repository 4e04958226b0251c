/** Where a typo walk is in the trie, and the hash of the letters read on the way there. */
import { appendLetter } from '../../index-file/gap-filter.ts';

export class TrieCursor {
  /** The node that the current edge leads to. The cursor may be in the middle of that edge. */
  node = 0;
  /** Index in `Trie.tailLetters` of the next letter of the current edge. */
  tailAt = 0;
  /**
   * The next sibling of the node, or of its nearest ancestor that has one; 0 if there is none. The
   * postings at or below the node end where those of this sibling start.
   */
  nextSibling = 0;
  /** Number of letters read. */
  depth = 0;
  hash = 0;

  moveToRoot(): void {
    this.node = 0;
    this.tailAt = 0;
    this.nextSibling = 0;
    this.depth = 0;
    this.hash = 0;
  }

  copyFrom(other: TrieCursor): void {
    this.node = other.node;
    this.tailAt = other.tailAt;
    this.nextSibling = other.nextSibling;
    this.depth = other.depth;
    this.hash = other.hash;
  }

  advance(node: number, tailAt: number, nextSibling: number, letter: number): void {
    this.node = node;
    this.tailAt = tailAt;
    this.nextSibling = nextSibling;
    this.depth++;
    this.hash = appendLetter(this.hash, letter);
  }
}
