/**
 * Whether a word is another one but for a few letters added, lost, replaced, or swapped. Letters are swapped with the next, or,
 * which counts as two errors, around one that is added or lost between them.
 */

/** A word as letters from..to of a list. */
export interface Letters {
  readonly list: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
}

export interface Tolerance {
  readonly most: number;
  readonly isPrefix: boolean;
}

export class TypingErrors {
  private word = '';
  private list: ArrayLike<number> = [];
  private to = 0;
  private isPrefix = false;

  /** Whether the word is the other, with `isPrefix` the beginning of the other, but for so many errors. */
  isWithin(word: string, { list, from, to }: Letters, { most, isPrefix }: Tolerance): boolean {
    this.word = word;
    this.list = list;
    this.to = to;
    this.isPrefix = isPrefix;
    return this.reaches(0, from, most);
  }

  /** From letter `i` of the word and `j` of the list on: they go on the same, and then so again with an error fewer. */
  private reaches(i: number, j: number, most: number): boolean {
    const { word, list, to } = this;
    let at = i;
    let on = j;
    while (at < word.length && on < to && word.charCodeAt(at) === list[on]) {
      at++;
      on++;
    }
    if (at === word.length) return this.isPrefix || to - on <= most;
    if (most === 0) return false;
    if (this.reaches(at + 1, on, most - 1)) return true;
    if (on === to) return false;
    return (
      this.reaches(at + 1, on + 1, most - 1) || this.reaches(at, on + 1, most - 1) || this.reachesSwapped(at, on, most)
    );
  }

  private reachesSwapped(at: number, on: number, most: number): boolean {
    const { word, list, to } = this;
    if (on + 1 >= to || at + 1 >= word.length) return false;
    const [first, second, third] = [word.charCodeAt(at), word.charCodeAt(at + 1), word.charCodeAt(at + 2)];
    if (second === list[on] && first === list[on + 1]) return this.reaches(at + 2, on + 2, most - 1);
    if (most < 2) return false;
    if (third === list[on] && first === list[on + 1] && this.reaches(at + 3, on + 2, most - 2)) return true;
    return second === list[on] && on + 2 < to && first === list[on + 2] && this.reaches(at + 2, on + 3, most - 2);
  }
}
