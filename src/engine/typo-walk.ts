/**
 * Keys within a few typing errors of a text, or beginning with something that is: walks the trie and the typo
 * automaton together and leaves a branch as soon as no way down it can match, or none can be important enough.
 */

import { rolled } from '../index-file/start-filter.ts';
import { groupBits, lastLetter, scriptGroups } from '../text/script.ts';
import { createTypoAutomaton, DEAD, MANY, MAX_REST, START, type TypoAutomaton } from '../text/typo-automaton.ts';
import { doubled } from './doubled.ts';
import { KeyStarts } from './key-starts.ts';
import { findChild, type KeyTrie, SPACE } from './key-trie.ts';
import { MATCH, type MatchRanges } from './match-ranges.ts';

/** Letters, and the few past the end that a state may look at, fit the bits of one number. */
export const MAX_TYPO_TEXT = 28;

const automata: readonly TypoAutomaton[] = [1, 2].map(createTypoAutomaton);
/** Where in the text each letter stands, as bits; all zero between walks. */
const masks = new Uint32Array(0x1_0000);

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

/** One walker per trie: its stack is reused. */
export class TypoWalk {
  private readonly keys: KeyTrie;
  private readonly starts: KeyStarts;
  private nodes = new Uint32Array(4096);
  private ends = new Uint32Array(4096);
  private states = new Uint16Array(4096);
  private bases = new Uint8Array(4096);
  private covered = new Uint8Array(4096);
  private hashes = new Int32Array(4096);
  private lengths = new Uint16Array(4096);

  constructor(keys: KeyTrie) {
    this.keys = keys;
    this.starts = new KeyStarts(keys.trie.starts);
  }

  /** Adds what matches with 1..maxTypos errors (and without any) to `ranges`. */
  collectInto(ranges: MatchRanges, query: TypoQuery): void {
    const { text } = query;
    if (text.length > MAX_TYPO_TEXT) return;
    this.starts.setText(text);
    for (let i = 0; i < text.length; i++) masks[text.charCodeAt(i)]! |= 1 << i;
    this.walk(ranges, query, automata[query.maxTypos - 1]!);
    for (let i = 0; i < text.length; i++) masks[text.charCodeAt(i)] = 0;
  }

  // biome-ignore lint/complexity/noExcessiveLinesPerFunction: one hot loop over local variables
  private walk(ranges: MatchRanges, query: TypoQuery, automaton: TypoAutomaton): void {
    const { text, isPrefix, leastBest } = query;
    const { char, child, tail, value, best, main, tails } = this.keys.trie;
    const { next, fewest, wanted, swapped, consumed, ended, window } = automaton;
    const { starts } = this;
    const windowMask = (1 << window) - 1;
    const length = text.length;
    const groups = scriptGroups(text);
    const last = lastLetter(groups);
    const firstLetter = text.charCodeAt(0);
    const { first: wantedFirst = 'any', isMainOnly = false } = query;
    let depth = 0;
    this.push(depth++, 0, this.keys.postingCount, START, 0, MANY, 0, 0);
    while (depth > 0) {
      depth--;
      const parent = this.nodes[depth]!;
      const parentEnd = this.ends[depth]!;
      const parentState = this.states[depth]! << window;
      const parentBase = this.bases[depth]!;
      const parentCovered = this.covered[depth]!;
      const parentHash = this.hashes[depth]!;
      const parentLength = this.lengths[depth]!;
      const parentWanted = wanted[this.states[depth]!]!;
      const firstChild = child[parent]!;
      const lastChild = child[parent + 1]!;
      // every child, or, where no more errors are allowed, those whose letters alone lead on
      let pending = parentWanted;
      for (let node = firstChild - 1; ; ) {
        if (parentWanted === 0) {
          node++;
          if (node >= lastChild || char[node]! > last) break; // children are in the order of their letters
          if (isMainOnly && main[node] === 0) continue;
          if ((groupBits[char[node]!]! & groups) === 0) continue;
          if (parent === 0 && wantedFirst !== 'any' && (char[node] === firstLetter) !== (wantedFirst === 'right'))
            continue;
        } else {
          if (pending === 0) break;
          const lowest = pending & -pending;
          pending ^= lowest;
          const wantedLetter = text.charCodeAt(parentBase + 31 - Math.clz32(lowest));
          if (((masks[wantedLetter]! >>> parentBase) & parentWanted & (lowest - 1)) !== 0) continue; // had it
          node = findChild(char, firstChild, lastChild, wantedLetter);
          if (node === -1 || (isMainOnly && main[node] === 0)) continue;
        }
        const step = next[parentState | ((masks[char[node]!]! >>> parentBase) & windowMask)]!;
        if (step === DEAD) continue;
        let state = step >> 3;
        let base = parentBase + (step & 7);
        let hash = rolled(parentHash, char[node]!);
        const only = wanted[state]!;
        if (only !== 0 && !mayEnd(automaton, state, length - base)) {
          // no more errors are allowed: some key must go on as the text does
          if (!mayGoOn(starts, only, swapped[state]!, base, hash, parentLength + 1)) continue;
        }
        if (best[node]! < leastBest[fewest[state]!]!) continue;
        let done = parentCovered;
        const lo = value[node]!;
        const hi = node + 1 < lastChild ? value[node + 1]! : parentEnd;
        let t = tail[node]!;
        const tailEnd = tail[node + 1]!;
        for (; t < tailEnd; t++) {
          const tailLetter = tails[t]!;
          const rest = length - base;
          if (rest >= 0 && rest <= MAX_REST && (isPrefix || tailLetter === SPACE)) {
            const typos = consumed[(state << 3) | rest]!;
            if (typos < done) {
              ranges.add(lo, hi, tailLetter === SPACE ? MATCH.words : MATCH.prefix, typos);
              done = typos;
            }
          }
          const onward = next[(state << window) | ((masks[tailLetter]! >>> base) & windowMask)]!;
          if (onward === DEAD) break;
          state = onward >> 3;
          base += onward & 7;
          hash = rolled(hash, tailLetter);
        }
        if (t < tailEnd) continue;
        const rest = length - base;
        if (rest < 0) continue;
        const first = child[node]!;
        const end = child[node + 1]!;
        if (rest <= MAX_REST) {
          const ownEnd = first < end ? value[first]! : hi;
          const whole = ended[(state << 3) | rest]!;
          if (whole !== MANY && lo < ownEnd) ranges.add(lo, ownEnd, MATCH.exact, whole);
          const typos = consumed[(state << 3) | rest]!;
          if (typos < done && first < end) {
            const hasWords = char[first] === SPACE;
            const wordsEnd = !hasWords ? ownEnd : first + 1 < end ? value[first + 1]! : hi;
            ranges.add(ownEnd, wordsEnd, MATCH.words, typos);
            if (isPrefix) {
              ranges.add(wordsEnd, hi, MATCH.prefix, typos);
              done = typos;
            }
          }
        }
        if (first < end) {
          const keyLength = parentLength + 1 + tailEnd - tail[node]!;
          this.push(depth++, node, hi, state, base, done, hash, keyLength);
        }
      }
    }
  }

  private push(
    at: number,
    node: number,
    end: number,
    state: number,
    base: number,
    covered: number,
    hash: number,
    length: number,
  ): void {
    if (at === this.nodes.length) this.grow();
    this.nodes[at] = node;
    this.ends[at] = end;
    this.states[at] = state;
    this.bases[at] = base;
    this.covered[at] = covered;
    this.hashes[at] = hash;
    this.lengths[at] = length;
  }

  private grow(): void {
    this.nodes = doubled(this.nodes);
    this.ends = doubled(this.ends);
    this.states = doubled(this.states);
    this.bases = doubled(this.bases);
    this.covered = doubled(this.covered);
    this.hashes = doubled(this.hashes);
    this.lengths = doubled(this.lengths);
  }
}

function mayEnd({ consumed, ended }: TypoAutomaton, state: number, rest: number): boolean {
  return rest <= MAX_REST && (consumed[(state << 3) | rest] !== MANY || ended[(state << 3) | rest] !== MANY);
}

/** Whether some key may go on, from what was read of it (`hash`, `length`), as the text does from one of the offsets. */
function mayGoOn(
  starts: KeyStarts,
  offsets: number,
  swapped: number,
  base: number,
  hash: number,
  length: number,
): boolean {
  for (let bits = offsets, at = base; bits !== 0; bits >>= 1, at++) {
    if ((bits & 1) !== 0 && starts.mayGoOn(hash, length, at)) return true;
  }
  for (let bits = swapped, at = base; bits !== 0; bits >>= 1, at++) {
    if ((bits & 1) !== 0 && starts.mayGoOnSwapped(hash, length, at)) return true;
  }
  return false;
}
