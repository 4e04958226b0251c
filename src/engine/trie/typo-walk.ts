/**
 * Keys within one or two typing errors of a text, or beginning with something that is. Before an error a key goes on as the
 * text does, and behind it again: so a walk follows the text down the trie, and at each letter also leaves it in every way
 * that is one error. A filter tells which of those lead anywhere, and branches without anything important enough are left.
 */
import { GAP_LENGTHS, rolled } from '../../index-file/gap-filter.ts';
import { groupBits, lastLetter, scriptGroups } from '../../text/script.ts';
import type { WorkBudget } from '../work-budget.ts';
import { ANY_LETTER, GapLetters, has } from './gap-letters.ts';
import { findChild, type KeyTrie } from './key-trie.ts';
import type { MatchRanges } from './match-ranges.ts';

/** What is longer is no place name with a typing error. */
const MAX_TYPO_TEXT = 28;
const MAX_TYPOS = 2;
/** Work of following the text by one letter with all ways to leave it, or of finishing it. */
const WALK_STEP = 4;
/** More errors than are looked for. */
const MANY = MAX_TYPOS + 1;

export type FirstLetter = 'any' | 'right' | 'wrong';

export interface TypoQuery {
  readonly text: string;
  readonly maxTypos: 1 | 2;
  /** Whether the last word may go on. */
  readonly isPrefix: boolean;
  /** Only keys whose first letter is the text's, or not: most errors come later, and it leaves a fifth of the trie. */
  readonly first?: FirstLetter;
  /** leastBest[e]: branches whose best importance (0..255) is below this need not be walked once e errors are made. */
  readonly minImportance: ArrayLike<number>;
  /** Skips branches in which no key is a main name, from its first word on: two in three keys are other names. */
  readonly isMainOnly?: boolean;
}

/** How the text was left last: of two errors in a row, some are one error, or the same two the other way round. */
const EDIT = { not: 0, deletion: 1, insertion: 2, substitution: 3 } as const;

/** How far a key was read: its node, how much of the node's tail, where its postings end; its letters so far. */
class TrieCursor {
  node = 0;
  tailAt = 0;
  hi = 0;
  depth = 0;
  hash = 0;

  /** At the root. */
  begin(postingCount: number): void {
    this.node = 0;
    this.tailAt = 0;
    this.hi = postingCount;
    this.depth = 0;
    this.hash = 0;
  }

  copy(from: TrieCursor): void {
    this.node = from.node;
    this.tailAt = from.tailAt;
    this.hi = from.hi;
    this.depth = from.depth;
    this.hash = from.hash;
  }

  /** With this letter read. */
  advance(node: number, tailAt: number, hi: number, letter: number): void {
    this.node = node;
    this.tailAt = tailAt;
    this.hi = hi;
    this.depth++;
    this.hash = rolled(this.hash, letter);
  }
}

/** One walker per trie. */
export class TypoWalk {
  private readonly keys: KeyTrie;
  private readonly work: WorkBudget;
  private readonly gapsOfAll: GapLetters;
  private readonly gapsOfMain: GapLetters;
  /** Where the walk is with 0, 1 and 2 errors made. */
  private readonly cursors: readonly TrieCursor[] = [new TrieCursor(), new TrieCursor(), new TrieCursor()];
  private readonly minImportance = new Int16Array(MAX_TYPOS + 1);
  private gaps: GapLetters;
  private letters: Uint16Array;
  private ranges!: MatchRanges;
  private length = 0;
  private maxTypos = 0;
  private isPrefix = false;
  private isMainOnly = false;
  private first: FirstLetter = 'any';
  private groups = 0;
  private lastLetter = 0;

  constructor(keys: KeyTrie, work: WorkBudget) {
    this.keys = keys;
    this.work = work;
    this.gapsOfAll = new GapLetters(keys.trie.gaps, GAP_LENGTHS.all);
    this.gapsOfMain = new GapLetters(keys.trie.mainGaps, GAP_LENGTHS.main);
    this.gaps = this.gapsOfAll;
    this.letters = this.gaps.letters;
  }

  /** Adds what matches with up to maxTypos errors, or with none, to `ranges`, some of it more than once. The text is longer than that. */
  collectInto(ranges: MatchRanges, query: TypoQuery): void {
    const { text } = query;
    if (text.length > MAX_TYPO_TEXT) return;
    this.ranges = ranges;
    this.length = text.length;
    this.maxTypos = query.maxTypos;
    this.isPrefix = query.isPrefix;
    this.isMainOnly = query.isMainOnly ?? false;
    this.first = query.first ?? 'any';
    for (let typos = 0; typos <= query.maxTypos; typos++) this.minImportance[typos] = query.minImportance[typos]!;
    this.gaps = this.isMainOnly ? this.gapsOfMain : this.gapsOfAll;
    this.gaps.setText(text);
    this.letters = this.gaps.letters;
    this.groups = scriptGroups(text);
    this.lastLetter = lastLetter(this.groups);
    this.cursors[0]!.begin(this.keys.postingCount);
    this.follow(0, 0, MANY, EDIT.not);
  }

  /**
   * Goes on from the spot as the text does from `from`, and at each letter also elsewhere. With `covered` errors or more,
   * all that goes on from the spot matches already as unfinished.
   */
  private follow(typos: number, from: number, covered: number, left: number): void {
    const { length, maxTypos, isPrefix } = this;
    const cursor = this.cursors[typos]!;
    let by = left;
    for (let at = from; ; at++) {
      if (!this.work.spend(WALK_STEP)) return;
      if (at === length) this.add(cursor.node, cursor.tailAt, cursor.hi, typos, covered);
      // leaving out the rest of the text makes all that begins like this match
      const typosOfRest = typos + length - at;
      const within = isPrefix && typosOfRest <= maxTypos ? Math.min(covered, typosOfRest) : covered;
      if (at < length) {
        if (by !== EDIT.insertion) this.tryDeletion(typos, at, covered); // or the other was instead
        this.tryTransposition(typos, at, within);
        if (typos + 2 === maxTypos) {
          this.tryTranspositionAroundExtra(typos, at, within);
          this.tryTranspositionAroundMissing(typos, at, within);
        }
      }
      if (by !== EDIT.deletion) this.tryInsertOrSubstitute(typos, at, within, by);
      if (at === length || !this.step(cursor, this.letters[at]!, typos)) return;
      by = EDIT.not;
    }
  }

  /** The letter at `at` was typed and is not in the key. */
  private tryDeletion(typos: number, at: number, covered: number): void {
    const cursor = this.cursors[typos]!;
    if (typos + 1 < this.maxTypos) {
      this.cursors[typos + 1]!.copy(cursor);
      this.follow(typos + 1, at + 1, covered, EDIT.deletion);
      return;
    }
    if (at + 1 < this.length && this.letters[at] === this.letters[at + 1]) return; // as well the next one
    if (this.gaps.mayContinue(cursor.hash, cursor.depth, at + 1))
      this.finish(cursor.node, cursor.tailAt, cursor.hi, at + 1, covered);
  }

  /** The letters at `at` and behind it were typed in the wrong order. */
  private tryTransposition(typos: number, at: number, covered: number): void {
    const { letters } = this;
    const cursor = this.cursors[typos]!;
    const letter = letters[at]!;
    const following = letters[at + 1]!;
    if (at + 1 >= this.length || letter === following) return;
    const isLast = typos + 1 === this.maxTypos;
    const hash = rolled(rolled(cursor.hash, following), letter);
    if (isLast && !this.gaps.mayContinue(hash, cursor.depth + 2, at + 2)) return;
    const next = this.cursors[typos + 1]!;
    next.copy(cursor);
    if (!this.step(next, following, typos + 1) || !this.step(next, letter, typos + 1)) return;
    if (isLast) this.finish(next.node, next.tailAt, next.hi, at + 2, covered);
    else this.follow(typos + 1, at + 2, covered, EDIT.not);
  }

  /** Two letters were typed in the wrong order, with one between them that is not in the key. */
  private tryTranspositionAroundExtra(typos: number, at: number, covered: number): void {
    const { letters, length, maxTypos } = this;
    const cursor = this.cursors[typos]!;
    const letter = letters[at]!;
    const far = letters[at + 2]!;
    if (at + 2 >= length || letter === far) return;
    if (!this.gaps.mayContinue(rolled(rolled(cursor.hash, far), letter), cursor.depth + 2, at + 3)) return;
    const next = this.cursors[typos + 1]!;
    next.copy(cursor);
    if (this.step(next, far, maxTypos) && this.step(next, letter, maxTypos))
      this.finish(next.node, next.tailAt, next.hi, at + 3, covered);
  }

  /** Two letters were typed in the wrong order, without one that is between them in the key. */
  private tryTranspositionAroundMissing(typos: number, at: number, covered: number): void {
    const { letters, length, maxTypos, gaps } = this;
    const letter = letters[at]!;
    const following = letters[at + 1]!;
    if (at + 1 >= length || letter === following) return;
    const next = this.cursors[typos + 1]!;
    next.copy(this.cursors[typos]!);
    if (!this.step(next, following, maxTypos)) return;
    const { node, tailAt, hi, depth, hash } = next;
    const lettersInGap = gaps.lettersInGapBefore(letter, hash, depth, at + 2);
    if (lettersInGap === 0) return;
    const { char, child, tail, tails } = this.keys.trie;
    const isInTail = tailAt < tail[node + 1]!;
    const end = isInTail ? node + 1 : child[node + 1]!;
    for (let to = isInTail ? node : child[node]!; to < end; to++) {
      const missed = isInTail ? tails[tailAt]! : char[to]!;
      if (!has(lettersInGap, missed) || (groupBits[missed]! & this.groups) === 0) continue;
      next.node = node; // its letters so far are not asked for again
      next.tailAt = tailAt;
      next.hi = hi;
      if (this.step(next, missed, maxTypos) && this.step(next, letter, maxTypos))
        this.finish(next.node, next.tailAt, next.hi, at + 2, covered);
    }
  }

  /** Some other letter is in the key: instead of the one at `at`, or before it. */
  private tryInsertOrSubstitute(typos: number, at: number, covered: number, left: number): void {
    const { cursors, letters, length, groups, lastLetter, isMainOnly, gaps } = this;
    const { char, child, tail, value, tails, best, main } = this.keys.trie;
    const cursor = cursors[typos]!;
    const { node, tailAt, hi, depth, hash } = cursor;
    const isLast = typos + 1 === this.maxTypos;
    const before = !isLast ? ANY_LETTER : left === EDIT.substitution ? 0 : gaps.lettersInGap(hash, depth, at);
    const instead = !isLast ? ANY_LETTER : at === length ? 0 : gaps.lettersInGap(hash, depth, at + 1);
    const either = before | instead;
    if (either === 0) return;
    const typed = at === length ? -1 : letters[at]!;
    const next = cursors[typos + 1]!;
    const least = this.minImportance[typos + 1]!;
    const isInTail = tailAt < tail[node + 1]!;
    const end = isInTail ? node + 1 : child[node + 1]!;
    if (!this.work.spend(isInTail ? 1 : end - child[node]!)) return;
    for (let to = isInTail ? node : child[node]!; to < end; to++) {
      const letter = isInTail ? tails[tailAt]! : char[to]!;
      if (letter > lastLetter) return; // children are in the order of their letters
      if (!has(either, letter) || letter === typed || (groupBits[letter]! & groups) === 0) continue;
      if (best[to]! < least || (isMainOnly && main[to] === 0) || (node === 0 && !this.mayBegin(letter))) continue;
      const toTail = isInTail ? tailAt + 1 : tail[to]!;
      const toHi = isInTail || to + 1 === end ? hi : value[to + 1]!;
      if (isLast) {
        if (has(before, letter)) this.finish(to, toTail, toHi, at, covered);
        if (has(instead, letter)) this.finish(to, toTail, toHi, at + 1, covered);
        continue;
      }
      next.copy(cursor);
      next.advance(to, toTail, toHi, letter);
      this.follow(typos + 1, at, covered, EDIT.insertion);
      if (at === length) continue;
      next.copy(cursor);
      next.advance(to, toTail, toHi, letter);
      this.follow(typos + 1, at + 1, covered, EDIT.substitution);
    }
  }

  /** No more errors are allowed: from this spot the key must go on as the text does from `from`. Most ways end here. */
  private finish(fromNode: number, fromTailAt: number, fromHi: number, from: number, covered: number): void {
    const { char, child, tail, value, tails, best, main } = this.keys.trie;
    const { letters, length, maxTypos, isMainOnly } = this;
    const least = this.minImportance[maxTypos]!;
    let node = fromNode;
    let tailAt = fromTailAt;
    let hi = fromHi;
    let tailEnd = tail[node + 1]!;
    if (!this.work.spend(WALK_STEP)) return;
    for (let at = from; at < length; at++) {
      const letter = letters[at]!;
      if (tailAt < tailEnd) {
        if (tails[tailAt++] !== letter) return;
        continue;
      }
      if (node === 0 && !this.mayBegin(letter)) return;
      const end = child[node + 1]!;
      const next = findChild(char, child[node]!, end, letter);
      if (next === -1 || best[next]! < least || (isMainOnly && main[next] === 0)) return;
      if (next + 1 < end) hi = value[next + 1]!;
      node = next;
      tailAt = tail[node]!;
      tailEnd = tail[node + 1]!;
    }
    this.add(node, tailAt, hi, maxTypos, covered);
  }

  /** Reads a letter of the key; false where none goes on with it. */
  private step(cursor: TrieCursor, letter: number, typos: number): boolean {
    const { char, child, tail, value, tails, best, main } = this.keys.trie;
    const { node, tailAt } = cursor;
    if (tailAt < tail[node + 1]!) {
      if (tails[tailAt] !== letter) return false;
      cursor.advance(node, tailAt + 1, cursor.hi, letter);
      return true;
    }
    if (node === 0 && !this.mayBegin(letter)) return false;
    const end = child[node + 1]!;
    const next = findChild(char, child[node]!, end, letter);
    if (next === -1 || best[next]! < this.minImportance[typos]! || (this.isMainOnly && main[next] === 0)) return false;
    cursor.advance(next, tail[next]!, next + 1 < end ? value[next + 1]! : cursor.hi, letter);
    return true;
  }

  private mayBegin(letter: number): boolean {
    return this.first === 'any' || (letter === this.letters[0]) === (this.first === 'right');
  }

  /** The text is used up: adds the keys that end here, those that go on with a word, and those whose last word goes on. */
  private add(node: number, tailAt: number, hi: number, typos: number, covered: number): void {
    this.keys.setRanges(node, tailAt, hi);
    this.ranges.addKeyRanges(this.keys, typos, this.isPrefix && typos < covered);
  }
}
