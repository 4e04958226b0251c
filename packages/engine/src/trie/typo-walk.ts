/**
 * Finds keys that equal a text, or start with it, apart from one or two typos. The walk follows the
 * text down the trie and tries every edit at each letter. The gap filter (gap-letters.ts) rules out
 * most edits without reading the trie.
 */

import { appendLetter, GAP, GAP_LENGTHS } from '../index-file/trie.ts';
import { groupBits, highestLetter, scriptGroups } from '../text/script.ts';
import type { WorkBudget } from '../work-budget.ts';
import { ANY_LETTER, GapLetters, hasLetter, NO_LETTER } from './gap-letters.ts';
import { findChild, type KeyTrie } from './key-trie.ts';
import type { MatchRanges } from './match-ranges.ts';

/** Minimum length of a name or word that may have a typo. */
export const ONE_TYPO_MIN_LENGTH = 4;
/** Minimum length of a name or word that may have two typos. */
export const TWO_TYPOS_MIN_LENGTH = 8;
/** Longer texts are not corrected. */
const MAX_TEXT_LENGTH = 56;
const MAX_TYPOS = 2;
/** A number with a typo is another number, so it is not corrected: "75011" is not "75001". */
const HAS_DIGIT = /\d/;
/** Units of work for each letter in `follow` and each call of `finish`. */
const STEP_WORK = 4;
/**
 * A value of `coveredTypos`: no keys are covered. If so few letters of the text are left that all
 * can be deleted, every key below the cursor is covered: it matches with `coveredTypos` typos.
 * Other edits then add unfinished matches only with fewer typos.
 */
const NOT_COVERED = MAX_TYPOS + 1;

/** Whether a key's first letter must equal the text's (`right`) or differ from it (`wrong`). */
type FirstLetter = 'any' | 'right' | 'wrong';

export interface TypoQuery {
  readonly text: string;
  readonly maxTypos: 1 | 2;
  /** Whether the last word may be unfinished. */
  readonly isPrefix: boolean;
  /** `any` by default. `right` skips four fifths of the trie. */
  readonly firstLetter?: FirstLetter;
  /** By number of typos so far: branches without a place this important (0..255) are skipped. */
  readonly minImportance: ArrayLike<number>;
  /** Whether to skip branches without a whole main name. */
  readonly isMainOnly?: boolean;
}

/**
 * The edit of the text just before the current letter. Edits that would find nothing new are
 * skipped after it:
 * - insertion after deletion, deletion after insertion: both pairs amount to a substitution;
 * - substitution after deletion, insertion after substitution: the reverse order does the same.
 */
const EDIT = { none: 0, deletion: 1, insertion: 2, substitution: 3 } as const;

/** Where a walk is in the trie, and the hash of the letters read on the way there. */
class TrieCursor {
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

export class TypoWalk {
  private readonly keys: KeyTrie;
  private readonly work: WorkBudget;
  private readonly allGaps: GapLetters;
  private readonly mainGaps: GapLetters;
  /** Where the walk is in the trie after 0, 1 and 2 typos. */
  private readonly cursors: readonly TrieCursor[] = [new TrieCursor(), new TrieCursor(), new TrieCursor()];
  private readonly minImportance = new Int16Array(MAX_TYPOS + 1);
  private gaps: GapLetters;
  /** Only the first `length` letters belong to the current text. */
  private letters: Uint16Array;
  private ranges!: MatchRanges;
  private length = 0;
  private maxTypos = 0;
  private isPrefix = false;
  private isMainOnly = false;
  private firstLetter: FirstLetter = 'any';
  /** Script groups of the text, as bits. Letters of other groups are not tried. */
  private groups = 0;
  private highestLetter = 0;

  constructor(keys: KeyTrie, work: WorkBudget) {
    this.keys = keys;
    this.work = work;
    this.allGaps = new GapLetters(keys.trie.gaps, GAP_LENGTHS.all);
    this.mainGaps = new GapLetters(keys.trie.mainGaps, GAP_LENGTHS.main);
    this.gaps = this.allGaps;
    this.letters = this.gaps.letters;
  }

  /** Adds the matches to `ranges`, some more than once. The text must be longer than `maxTypos`. */
  collectInto(ranges: MatchRanges, query: TypoQuery): void {
    const { text } = query;
    if (text.length > MAX_TEXT_LENGTH || HAS_DIGIT.test(text)) return;
    this.ranges = ranges;
    this.length = text.length;
    this.maxTypos = query.maxTypos;
    this.isPrefix = query.isPrefix;
    this.isMainOnly = query.isMainOnly ?? false;
    this.firstLetter = query.firstLetter ?? 'any';
    for (let typos = 0; typos <= query.maxTypos; typos++) this.minImportance[typos] = query.minImportance[typos]!;
    this.gaps = this.isMainOnly ? this.mainGaps : this.allGaps;
    this.gaps.setText(text);
    this.letters = this.gaps.letters;
    this.groups = scriptGroups(text);
    this.highestLetter = highestLetter(this.groups);
    this.cursors[0]!.moveToRoot();
    this.follow(/* typos */ 0, /* from */ 0, NOT_COVERED, EDIT.none);
  }

  /** Follows the text from index `from` on and tries edits. `typos` must be below `maxTypos`. */
  private follow(typos: number, from: number, coveredTypos: number, editBefore: number): void {
    const { length, maxTypos, isPrefix } = this;
    const cursor = this.cursors[typos]!;
    let lastEdit = editBefore;
    for (let at = from; ; at++) {
      if (!this.work.spend(STEP_WORK)) return;
      if (at === length) this.add(cursor.node, cursor.tailAt, cursor.nextSibling, typos, coveredTypos);
      // if the rest can be deleted, `tryDeletion` adds all keys below the cursor: see NOT_COVERED
      const typosIfRestDeleted = typos + length - at;
      const canDeleteRest = isPrefix && typosIfRestDeleted <= maxTypos;
      const coveredForOtherEdits = canDeleteRest ? Math.min(coveredTypos, typosIfRestDeleted) : coveredTypos;
      if (at < length) {
        if (lastEdit !== EDIT.insertion) this.tryDeletion(typos, at, coveredTypos);
        this.tryTransposition(typos, at, coveredForOtherEdits);
        if (typos + 2 === maxTypos) {
          // each costs two typos
          this.tryTranspositionAroundExtra(typos, at, coveredForOtherEdits);
          this.tryTranspositionAroundMissing(typos, at, coveredForOtherEdits);
        }
      }
      if (lastEdit !== EDIT.deletion) this.tryInsertOrSubstitute(typos, at, coveredForOtherEdits, lastEdit);
      if (at === length || !this.step(cursor, this.letters[at]!, typos)) return;
      lastEdit = EDIT.none;
    }
  }

  private tryDeletion(typos: number, at: number, coveredTypos: number): void {
    const cursor = this.cursors[typos]!;
    if (typos + 1 < this.maxTypos) {
      this.cursors[typos + 1]!.copyFrom(cursor);
      this.follow(typos + 1, at + 1, coveredTypos, EDIT.deletion);
      return;
    }
    // deleting the next letter, which is equal, has the same effect
    if (at + 1 < this.length && this.letters[at] === this.letters[at + 1]) return;
    if (this.gaps.mayContinue(cursor.hash, cursor.depth, at + 1))
      this.finish(cursor.node, cursor.tailAt, cursor.nextSibling, at + 1, coveredTypos);
  }

  private tryTransposition(typos: number, at: number, coveredTypos: number): void {
    const { letters } = this;
    const cursor = this.cursors[typos]!;
    const letter = letters[at]!;
    const following = letters[at + 1]!;
    if (at + 1 >= this.length || letter === following) return;
    const isLastTypo = typos + 1 === this.maxTypos;
    const hash = appendLetter(appendLetter(cursor.hash, following), letter);
    if (isLastTypo && !this.gaps.mayContinue(hash, cursor.depth + 2, at + 2)) return;
    const next = this.cursors[typos + 1]!;
    next.copyFrom(cursor);
    if (!this.step(next, following, typos + 1) || !this.step(next, letter, typos + 1)) return;
    if (isLastTypo) this.finish(next.node, next.tailAt, next.nextSibling, at + 2, coveredTypos);
    else this.follow(typos + 1, at + 2, coveredTypos, EDIT.none);
  }

  /** Tries keys with the letters at `at` and `at + 2` swapped, and without the letter between. */
  private tryTranspositionAroundExtra(typos: number, at: number, coveredTypos: number): void {
    const { letters, length, maxTypos } = this;
    const cursor = this.cursors[typos]!;
    const letter = letters[at]!;
    const far = letters[at + 2]!;
    if (at + 2 >= length || letter === far) return;
    if (!this.gaps.mayContinue(appendLetter(appendLetter(cursor.hash, far), letter), cursor.depth + 2, at + 3)) return;
    const next = this.cursors[typos + 1]!;
    next.copyFrom(cursor);
    if (this.step(next, far, maxTypos) && this.step(next, letter, maxTypos))
      this.finish(next.node, next.tailAt, next.nextSibling, at + 3, coveredTypos);
  }

  /** Tries keys with the letters at `at` and `at + 1` swapped, and with another letter between. */
  private tryTranspositionAroundMissing(typos: number, at: number, coveredTypos: number): void {
    const { letters, length, maxTypos, gaps } = this;
    const letter = letters[at]!;
    const following = letters[at + 1]!;
    if (at + 1 >= length || letter === following) return;
    const next = this.cursors[typos + 1]!;
    next.copyFrom(this.cursors[typos]!);
    if (!this.step(next, following, maxTypos)) return;
    const { node, tailAt, nextSibling, depth, hash } = next;
    const possible = gaps.lettersInGap(appendLetter(appendLetter(hash, GAP), letter), depth + 2, at + 2);
    if (possible === NO_LETTER) return;
    const { edgeLetter, childStart, tailStart, tailLetters } = this.keys.trie;
    const isInTail = tailAt < tailStart[node + 1]!; // then the loop runs once, with `target` = `node`
    const end = isInTail ? node + 1 : childStart[node + 1]!;
    for (let target = isInTail ? node : childStart[node]!; target < end; target++) {
      const missing = isInTail ? tailLetters[tailAt]! : edgeLetter[target]!;
      if (!hasLetter(possible, missing) || (groupBits[missing]! & this.groups) === 0) continue;
      next.node = node; // moves the cursor back, except its depth and hash, which `finish` does not need
      next.tailAt = tailAt;
      next.nextSibling = nextSibling;
      if (this.step(next, missing, maxTypos) && this.step(next, letter, maxTypos))
        this.finish(next.node, next.tailAt, next.nextSibling, at + 2, coveredTypos);
    }
  }

  /** Tries keys with another letter before the letter at `at`, or instead of it. */
  private tryInsertOrSubstitute(typos: number, at: number, coveredTypos: number, lastEdit: number): void {
    const { cursors, letters, length, groups, highestLetter, isMainOnly, gaps } = this;
    const { edgeLetter, childStart, tailStart, tailLetters, maxImportance, hasMainName } = this.keys.trie;
    const cursor = cursors[typos]!;
    const { node, tailAt, nextSibling, depth, hash } = cursor;
    const isLastTypo = typos + 1 === this.maxTypos;
    let insertable = ANY_LETTER;
    let substitutable = ANY_LETTER;
    if (isLastTypo) {
      const gapHash = appendLetter(hash, GAP);
      insertable = lastEdit === EDIT.substitution ? NO_LETTER : gaps.lettersInGap(gapHash, depth + 1, at);
      substitutable = at === length ? NO_LETTER : gaps.lettersInGap(gapHash, depth + 1, at + 1);
    }
    const possible = insertable | substitutable;
    if (possible === NO_LETTER) return;
    const typed = at === length ? -1 : letters[at]!; // -1: no letter is left
    const next = cursors[typos + 1]!;
    const minImportance = this.minImportance[typos + 1]!;
    const isInTail = tailAt < tailStart[node + 1]!; // then the loop runs once, with `target` = `node`
    const end = isInTail ? node + 1 : childStart[node + 1]!;
    if (!this.work.spend(isInTail ? 1 : end - childStart[node]!)) return;
    for (let target = isInTail ? node : childStart[node]!; target < end; target++) {
      const letter = isInTail ? tailLetters[tailAt]! : edgeLetter[target]!;
      if (letter > highestLetter) return; // children are in the order of their letters
      // skips the typed letter: it cannot replace itself, and may as well be inserted after itself
      if (!hasLetter(possible, letter) || letter === typed || (groupBits[letter]! & groups) === 0) continue;
      if (
        maxImportance[target]! < minImportance ||
        (isMainOnly && hasMainName[target] === 0) ||
        (node === 0 && !this.mayStartWith(letter))
      )
        continue;
      const targetTailAt = isInTail ? tailAt + 1 : tailStart[target]!;
      const targetSibling = isInTail || target + 1 === end ? nextSibling : target + 1;
      if (isLastTypo) {
        if (hasLetter(insertable, letter)) this.finish(target, targetTailAt, targetSibling, at, coveredTypos);
        if (hasLetter(substitutable, letter)) this.finish(target, targetTailAt, targetSibling, at + 1, coveredTypos);
        continue;
      }
      next.copyFrom(cursor);
      next.advance(target, targetTailAt, targetSibling, letter);
      this.follow(typos + 1, at, coveredTypos, EDIT.insertion);
      if (at === length) continue;
      next.copyFrom(cursor);
      next.advance(target, targetTailAt, targetSibling, letter);
      this.follow(typos + 1, at + 1, coveredTypos, EDIT.substitution);
    }
  }

  /** Matches the rest of the text, from index `from` on, after the last typo. */
  private finish(
    fromNode: number,
    fromTailAt: number,
    fromNextSibling: number,
    from: number,
    coveredTypos: number,
  ): void {
    const { edgeLetter, childStart, tailStart, tailLetters, maxImportance, hasMainName } = this.keys.trie;
    const { letters, length, maxTypos, isMainOnly } = this;
    const minImportance = this.minImportance[maxTypos]!;
    let node = fromNode;
    let tailAt = fromTailAt;
    let nextSibling = fromNextSibling;
    let tailEnd = tailStart[node + 1]!;
    if (!this.work.spend(STEP_WORK)) return;
    for (let at = from; at < length; at++) {
      const letter = letters[at]!;
      if (tailAt < tailEnd) {
        if (tailLetters[tailAt++] !== letter) return;
        continue;
      }
      if (node === 0 && !this.mayStartWith(letter)) return;
      const end = childStart[node + 1]!;
      const next = findChild(edgeLetter, childStart[node]!, end, letter);
      if (next === -1 || maxImportance[next]! < minImportance || (isMainOnly && hasMainName[next] === 0)) return;
      if (next + 1 < end) nextSibling = next + 1;
      node = next;
      tailAt = tailStart[node]!;
      tailEnd = tailStart[node + 1]!;
    }
    this.add(node, tailAt, nextSibling, maxTypos, coveredTypos);
  }

  /** Moves the cursor down by a letter. Returns false if the branch is missing or skipped. */
  private step(cursor: TrieCursor, letter: number, typos: number): boolean {
    const { edgeLetter, childStart, tailStart, tailLetters, maxImportance, hasMainName } = this.keys.trie;
    const { node, tailAt } = cursor;
    if (tailAt < tailStart[node + 1]!) {
      if (tailLetters[tailAt] !== letter) return false;
      cursor.advance(node, tailAt + 1, cursor.nextSibling, letter);
      return true;
    }
    if (node === 0 && !this.mayStartWith(letter)) return false;
    const end = childStart[node + 1]!;
    const next = findChild(edgeLetter, childStart[node]!, end, letter);
    if (
      next === -1 ||
      maxImportance[next]! < this.minImportance[typos]! ||
      (this.isMainOnly && hasMainName[next] === 0)
    )
      return false;
    cursor.advance(next, tailStart[next]!, next + 1 < end ? next + 1 : cursor.nextSibling, letter);
    return true;
  }

  private mayStartWith(letter: number): boolean {
    return this.firstLetter === 'any' || (letter === this.letters[0]) === (this.firstLetter === 'right');
  }

  private add(node: number, tailAt: number, nextSibling: number, typos: number, coveredTypos: number): void {
    this.keys.setRanges(node, tailAt, nextSibling);
    this.ranges.addKeyRanges(this.keys, typos, this.isPrefix && typos < coveredTypos);
  }
}
