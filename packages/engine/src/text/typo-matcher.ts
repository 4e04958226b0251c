/**
 * Tests whether two texts are within a few insertions, deletions, substitutions and transpositions. A
 * letter more or less between two transposed letters counts as a second edit.
 */

/** UTF-16 code units of `list` from `from` up to `to` (exclusive). */
interface Letters {
  readonly list: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
}

interface Limits {
  readonly maxTypos: number;
  /** Whether the text only has to match the start of the letters. */
  readonly isPrefix: boolean;
}

export function isWithinTypos(text: string, { list, from, to }: Letters, { maxTypos, isPrefix }: Limits): boolean {
  const matches = (textStart: number, listStart: number, edits: number): boolean => {
    let i = textStart;
    let j = listStart;
    while (i < text.length && j < to && text.charCodeAt(i) === list[j]) {
      i++;
      j++;
    }
    if (i === text.length) return isPrefix || to - j <= edits;
    if (edits === 0) return false;
    if (matches(i + 1, j, edits - 1)) return true; // the text has an extra letter
    if (j === to) return false;
    return (
      matches(i + 1, j + 1, edits - 1) || // the text has a wrong letter
      matches(i, j + 1, edits - 1) || // the text lacks a letter
      matchesTransposed(i, j, edits)
    );
  };
  const matchesTransposed = (i: number, j: number, edits: number): boolean => {
    if (j + 1 >= to || i + 1 >= text.length) return false;
    const [first, second, third] = [text.charCodeAt(i), text.charCodeAt(i + 1), text.charCodeAt(i + 2)];
    if (second === list[j] && first === list[j + 1]) return matches(i + 2, j + 2, edits - 1);
    if (edits < 2) return false;
    const hasExtraLetter = third === list[j] && first === list[j + 1]; // text "axb" for letters "ba"
    if (hasExtraLetter && matches(i + 3, j + 2, edits - 2)) return true;
    const lacksLetter = second === list[j] && j + 2 < to && first === list[j + 2]; // text "ab" for letters "bxa"
    return lacksLetter && matches(i + 2, j + 3, edits - 2);
  };
  return matches(0, from, maxTypos);
}
