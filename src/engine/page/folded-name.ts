/** Compares two names without regard to case, accents and punctuation. Creates no strings. */
import { FoldedText } from '../../text/fold.ts';
import type { StoredText } from './stored-text.ts';

const folded = new FoldedText();
const otherFolded = new FoldedText();

export function isSameWhenFolded(name: StoredText, other: StoredText): boolean {
  folded.foldBytes(name.bytes, name.start, name.end);
  otherFolded.foldBytes(other.bytes, other.start, other.end);
  return folded.equals(otherFolded);
}
