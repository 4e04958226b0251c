/** Compares two names without regard to case, accents and punctuation. */
import { fold } from '../../text/fold.ts';
import type { StoredText } from './stored-text.ts';

export function isSameWhenFolded(name: StoredText, other: StoredText): boolean {
  return fold(name.text) === fold(other.text);
}
