/**
 * Tests whether two words are within a few edits of each other: insertion, deletion, substitution,
 * and transposition of adjacent letters. A transposition with one letter inserted or deleted
 * between the two letters counts as two edits.
 */

/** The word to compare with: the UTF-16 code units of `list` from `from` up to `to`. */
export interface Letters {
  readonly list: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
}

export class TypoMatcher {
  private word = '';
  private list: ArrayLike<number> = [];
  private to = 0;
  private isPrefix = false;

  /** Whether the word is within `maxTypos` edits of the letters (`isPrefix`: of their start). */
  isWithin(word: string, letters: Letters, { maxTypos, isPrefix }: { maxTypos: number; isPrefix: boolean }): boolean {
    this.word = word;
    this.list = letters.list;
    this.to = letters.to;
    this.isPrefix = isPrefix;
    return this.matches(0, letters.from, maxTypos);
  }

  /** Whether the word from `wordStart` on matches the list from `listStart` on within `edits`. */
  private matches(wordStart: number, listStart: number, edits: number): boolean {
    const { word, list, to } = this;
    let i = wordStart;
    let j = listStart;
    while (i < word.length && j < to && word.charCodeAt(i) === list[j]) {
      i++;
      j++;
    }
    if (i === word.length) return this.isPrefix || to - j <= edits;
    if (edits === 0) return false;
    if (this.matches(i + 1, j, edits - 1)) return true; // the word has an extra letter
    if (j === to) return false;
    return (
      this.matches(i + 1, j + 1, edits - 1) || // the word has a wrong letter
      this.matches(i, j + 1, edits - 1) || // the word lacks a letter
      this.matchesTransposed(i, j, edits)
    );
  }

  private matchesTransposed(i: number, j: number, edits: number): boolean {
    const { word, list, to } = this;
    if (j + 1 >= to || i + 1 >= word.length) return false;
    const [first, second, third] = [word.charCodeAt(i), word.charCodeAt(i + 1), word.charCodeAt(i + 2)];
    if (second === list[j] && first === list[j + 1]) return this.matches(i + 2, j + 2, edits - 1);
    if (edits < 2) return false;
    const hasExtraLetter = third === list[j] && first === list[j + 1]; // word "axb" for letters "ba"
    if (hasExtraLetter && this.matches(i + 3, j + 2, edits - 2)) return true;
    const lacksLetter = second === list[j] && j + 2 < to && first === list[j + 2]; // word "ab" for letters "bxa"
    return lacksLetter && this.matches(i + 2, j + 3, edits - 2);
  }
}
