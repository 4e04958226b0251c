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
const MOST_TYPOS = 2;
/** Work of following the text by one letter with all ways to leave it, or of finishing it. */
const WALK_STEP = 4;
/** More errors than are looked for. */
const MANY = MOST_TYPOS + 1;

export type FirstLetter = 'any' | 'right' | 'wrong';

export interface TypoQuery {
  readonly text: string;
  readonly maxTypos: 1 | 2;
  /** Whether the last word may go on. */
  readonly isPrefix: boolean;
  /** Only keys whose first letter is the text's, or not: most errors come later, and it leaves a fifth of the trie. */
  readonly first?: FirstLetter;
  /** leastBest[e]: branches whose best importance (0..255) is below this need not be walked once e errors are made. */
  readonly leastBest: ArrayLike<number>;
  /** Skips branches in which no key is a main name, from its first word on: two in three keys are other names. */
  readonly isMainOnly?: boolean;
}

/** How the text was left last: of two errors in a row, some are one error, or the same two the other way round. */
const LEFT = { not: 0, byOmission: 1, byOtherBefore: 2, byOtherInstead: 3 } as const;

/** How far a key was read: its node, how much of the node's tail, where its postings end; its letters so far. */
class Spot {
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

  copy(from: Spot): void {
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
  private readonly spots: readonly Spot[] = [new Spot(), new Spot(), new Spot()];
  private readonly leastBest = new Int16Array(MOST_TYPOS + 1);
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
    for (let typos = 0; typos <= query.maxTypos; typos++) this.leastBest[typos] = query.leastBest[typos]!;
    this.gaps = this.isMainOnly ? this.gapsOfMain : this.gapsOfAll;
    this.gaps.setText(text);
    this.letters = this.gaps.letters;
    this.groups = scriptGroups(text);
    this.lastLetter = lastLetter(this.groups);
    this.spots[0]!.begin(this.keys.postingCount);
    this.follow(0, 0, MANY, LEFT.not);
  }

  /**
   * Goes on from the spot as the text does from `from`, and at each letter also elsewhere. With `covered` errors or more,
   * all that goes on from the spot matches already as unfinished.
   */
  private follow(typos: number, from: number, covered: number, left: number): void {
    const { length, maxTypos, isPrefix } = this;
    const spot = this.spots[typos]!;
    let by = left;
    for (let at = from; ; at++) {
      if (!this.work.spend(WALK_STEP)) return;
      if (at === length) this.add(spot.node, spot.tailAt, spot.hi, typos, covered);
      // leaving out the rest of the text makes all that begins like this match
      const typosOfRest = typos + length - at;
      const within = isPrefix && typosOfRest <= maxTypos ? Math.min(covered, typosOfRest) : covered;
      if (at < length) {
        if (by !== LEFT.byOtherBefore) this.leaveOut(typos, at, covered); // or the other was instead
        this.swap(typos, at, within);
        if (typos + 2 === maxTypos) {
          this.swapAroundExtra(typos, at, within);
          this.swapAroundMissing(typos, at, within);
        }
      }
      if (by !== LEFT.byOmission) this.putOthers(typos, at, within, by);
      if (at === length || !this.step(spot, this.letters[at]!, typos)) return;
      by = LEFT.not;
    }
  }

  /** The letter at `at` was typed and is not in the key. */
  private leaveOut(typos: number, at: number, covered: number): void {
    const spot = this.spots[typos]!;
    if (typos + 1 < this.maxTypos) {
      this.spots[typos + 1]!.copy(spot);
      this.follow(typos + 1, at + 1, covered, LEFT.byOmission);
      return;
    }
    if (at + 1 < this.length && this.letters[at] === this.letters[at + 1]) return; // as well the next one
    if (this.gaps.mayGoOn(spot.hash, spot.depth, at + 1)) this.finish(spot.node, spot.tailAt, spot.hi, at + 1, covered);
  }

  /** The letters at `at` and behind it were typed in the wrong order. */
  private swap(typos: number, at: number, covered: number): void {
    const { letters } = this;
    const spot = this.spots[typos]!;
    const letter = letters[at]!;
    const following = letters[at + 1]!;
    if (at + 1 >= this.length || letter === following) return;
    const isLast = typos + 1 === this.maxTypos;
    const hash = rolled(rolled(spot.hash, following), letter);
    if (isLast && !this.gaps.mayGoOn(hash, spot.depth + 2, at + 2)) return;
    const next = this.spots[typos + 1]!;
    next.copy(spot);
    if (!this.step(next, following, typos + 1) || !this.step(next, letter, typos + 1)) return;
    if (isLast) this.finish(next.node, next.tailAt, next.hi, at + 2, covered);
    else this.follow(typos + 1, at + 2, covered, LEFT.not);
  }

  /** Two letters were typed in the wrong order, with one between them that is not in the key. */
  private swapAroundExtra(typos: number, at: number, covered: number): void {
    const { letters, length, maxTypos } = this;
    const spot = this.spots[typos]!;
    const letter = letters[at]!;
    const far = letters[at + 2]!;
    if (at + 2 >= length || letter === far) return;
    if (!this.gaps.mayGoOn(rolled(rolled(spot.hash, far), letter), spot.depth + 2, at + 3)) return;
    const next = this.spots[typos + 1]!;
    next.copy(spot);
    if (this.step(next, far, maxTypos) && this.step(next, letter, maxTypos))
      this.finish(next.node, next.tailAt, next.hi, at + 3, covered);
  }

  /** Two letters were typed in the wrong order, without one that is between them in the key. */
  private swapAroundMissing(typos: number, at: number, covered: number): void {
    const { letters, length, maxTypos, gaps } = this;
    const letter = letters[at]!;
    const following = letters[at + 1]!;
    if (at + 1 >= length || letter === following) return;
    const next = this.spots[typos + 1]!;
    next.copy(this.spots[typos]!);
    if (!this.step(next, following, maxTypos)) return;
    const { node, tailAt, hi, depth, hash } = next;
    const between = gaps.betweenAnd(letter, hash, depth, at + 2);
    if (between === 0) return;
    const { char, child, tail, tails } = this.keys.trie;
    const isInTail = tailAt < tail[node + 1]!;
    const end = isInTail ? node + 1 : child[node + 1]!;
    for (let to = isInTail ? node : child[node]!; to < end; to++) {
      const missed = isInTail ? tails[tailAt]! : char[to]!;
      if (!has(between, missed) || (groupBits[missed]! & this.groups) === 0) continue;
      next.node = node; // its letters so far are not asked for again
      next.tailAt = tailAt;
      next.hi = hi;
      if (this.step(next, missed, maxTypos) && this.step(next, letter, maxTypos))
        this.finish(next.node, next.tailAt, next.hi, at + 2, covered);
    }
  }

  /** Some other letter is in the key: instead of the one at `at`, or before it. */
  private putOthers(typos: number, at: number, covered: number, left: number): void {
    const { spots, letters, length, groups, lastLetter, isMainOnly, gaps } = this;
    const { char, child, tail, value, tails, best, main } = this.keys.trie;
    const spot = spots[typos]!;
    const { node, tailAt, hi, depth, hash } = spot;
    const isLast = typos + 1 === this.maxTypos;
    const before = !isLast ? ANY_LETTER : left === LEFT.byOtherInstead ? 0 : gaps.between(hash, depth, at);
    const instead = !isLast ? ANY_LETTER : at === length ? 0 : gaps.between(hash, depth, at + 1);
    const either = before | instead;
    if (either === 0) return;
    const typed = at === length ? -1 : letters[at]!;
    const next = spots[typos + 1]!;
    const least = this.leastBest[typos + 1]!;
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
      next.copy(spot);
      next.advance(to, toTail, toHi, letter);
      this.follow(typos + 1, at, covered, LEFT.byOtherBefore);
      if (at === length) continue;
      next.copy(spot);
      next.advance(to, toTail, toHi, letter);
      this.follow(typos + 1, at + 1, covered, LEFT.byOtherInstead);
    }
  }

  /** No more errors are allowed: from this spot the key must go on as the text does from `from`. Most ways end here. */
  private finish(fromNode: number, fromTailAt: number, fromHi: number, from: number, covered: number): void {
    const { char, child, tail, value, tails, best, main } = this.keys.trie;
    const { letters, length, maxTypos, isMainOnly } = this;
    const least = this.leastBest[maxTypos]!;
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
  private step(spot: Spot, letter: number, typos: number): boolean {
    const { char, child, tail, value, tails, best, main } = this.keys.trie;
    const { node, tailAt } = spot;
    if (tailAt < tail[node + 1]!) {
      if (tails[tailAt] !== letter) return false;
      spot.advance(node, tailAt + 1, spot.hi, letter);
      return true;
    }
    if (node === 0 && !this.mayBegin(letter)) return false;
    const end = child[node + 1]!;
    const next = findChild(char, child[node]!, end, letter);
    if (next === -1 || best[next]! < this.leastBest[typos]! || (this.isMainOnly && main[next] === 0)) return false;
    spot.advance(next, tail[next]!, next + 1 < end ? value[next + 1]! : spot.hi, letter);
    return true;
  }

  private mayBegin(letter: number): boolean {
    return this.first === 'any' || (letter === this.letters[0]) === (this.first === 'right');
  }

  /** The text is used up: adds the keys that end here, those that go on with a word, and those whose last word goes on. */
  private add(node: number, tailAt: number, hi: number, typos: number, covered: number): void {
    this.keys.setRuns(node, tailAt, hi);
    this.ranges.addRuns(this.keys, typos, this.isPrefix && typos < covered);
  }
}
