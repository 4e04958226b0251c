/** Compares folded names in place, without creating strings. */
import { FoldedText } from '../../text/folded-text.ts';
import type { StoredText } from './stored-text.ts';

const folded = new FoldedText();
const otherFolded = new FoldedText();

export function isSameWhenFolded(name: StoredText, other: StoredText): boolean {
  folded.set(name.bytes, name.start, name.end);
  otherFolded.set(other.bytes, other.start, other.end);
  return folded.equals(otherFolded);
}
