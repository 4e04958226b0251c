/** Describes how a query was changed to match the best hit: dropped, corrected, expanded words. */

import type { DegradedQuery } from '../engine.ts';
import type { WordFit } from '../search/word-by-word-scan.ts';
import { type ClosestSpelling, closestSpelling } from '../text/closest-spelling.ts';
import { fold, foldWords, type Word } from '../text/fold.ts';
import { TWO_TYPOS_MIN_LENGTH } from '../trie/typo-walk.ts';
import { type Interpretation, isExact, leavesOut, type RegionGroup, textOf } from './interpretations.ts';

interface BestMatch {
  readonly interpretation: Interpretation;
  readonly typos: number;
  /** Whether the name that matched goes on after the typed name. */
  readonly isPrefix: boolean;
  /** The fit of each query word. Set only if the place was found word by word. */
  readonly wordFits: readonly WordFit[] | undefined;
  readonly names: () => NameChoices;
  readonly regionNames: () => readonly RegionName[];
}

export interface RegionName {
  readonly id: number;
  readonly name: string;
}

/** The words from `from` up to, but not including, `to`, and the text used instead of them. */
interface Change {
  readonly kind: 'dropped' | 'corrected' | 'expanded';
  readonly from: number;
  readonly to: number;
  /** Empty if the words were dropped. */
  readonly replacement: string;
}

/** Minimum length of a text that may be corrected to a known name with one more typo. */
const ONE_MORE_TYPO_MIN_LENGTH = 6;

/** How the query was changed, or undefined if the best hit matches the words as typed. */
export function degradedQuery(text: string, words: readonly Word[], best: BestMatch): DegradedQuery | undefined {
  const changes =
    best.wordFits === undefined ? changesByInterpretation(words, best) : changesByWord(words, best.wordFits, best);
  if (changes.length === 0) return undefined;
  const typed = (from: number, to: number) => text.slice(words[from]!.start, words[to - 1]!.end);
  const pieces: string[] = [];
  for (let i = 0; i < words.length; ) {
    const change = changes.find(({ from }) => from === i);
    const end = change?.to ?? i + 1;
    pieces.push(change?.replacement ?? typed(i, end));
    i = end;
  }
  const ofKind = (kind: Change['kind']) => changes.filter((change) => change.kind === kind);
  const asReplaced = ({ from, to, replacement }: Change) => ({ from: typed(from, to), to: replacement });
  return {
    query: pieces.filter((piece) => piece !== '').join(' '),
    dropped: ofKind('dropped').map(({ from, to }) => typed(from, to)),
    corrected: ofKind('corrected').map(asReplaced),
    expanded: ofKind('expanded').map(asReplaced),
  };
}

function changesByInterpretation(words: readonly Word[], best: BestMatch): Change[] {
  const { interpretation } = best;
  return [
    ...words.flatMap((_, word) => (leavesOut(interpretation, word) ? [dropped(word)] : [])),
    ...changesOfName(words, best),
    ...interpretation.regionGroups.flatMap((group) => changesOfRegion(words, group, best)),
  ];
}

function dropped(word: number): Change {
  return { kind: 'dropped', from: word, to: word + 1, replacement: '' };
}

/** One change per misspelt word, or a single one if typed words and name words do not pair up. */
function changesOfName(words: readonly Word[], { interpretation, typos, isPrefix, names }: BestMatch): Change[] {
  if (typos === 0) return [];
  const { from, to, text } = interpretation;
  const { name, closest } = correctedName({ text, typos, isPrefix }, names());
  const nameWords = wordsOf(name);
  const rightWords = closest?.from === 0 ? closest.spelling.split(' ') : [];
  if (nameWords.length !== to - from || rightWords.length !== to - from) {
    return fold(name) === text ? [] : [{ kind: 'corrected', from, to, replacement: name }];
  }
  return rightWords.flatMap((right, i) => {
    const typed = words[from + i]!.text;
    const isUnfinished = isPrefix && from + i === to - 1 && right.startsWith(typed);
    if (typed === right || isUnfinished) return [];
    return [{ kind: 'corrected', from: from + i, to: from + i + 1, replacement: nameWords[i]! }];
  });
}

function changesOfRegion(words: readonly Word[], group: RegionGroup, { regionNames }: BestMatch): Change[] {
  const { from, to } = group;
  if (isExact(group)) return [];
  const typed = textOf(words, from, to);
  const startsWithTyped = ({ name }: RegionName) => fold(name).startsWith(typed);
  const isClose = ({ name }: RegionName) => closestSpelling(name, typed, { maxTypos: 1, isPrefix: true });
  const meant = regionNames().filter(({ id }) => group.regions.includes(id));
  const region = meant.find(startsWithTyped) ?? meant.find(isClose) ?? meant[0];
  if (region === undefined) return [];
  const isMisspelt = group.matching === 'misspelt' && !startsWithTyped(region); // an alias may be what is unfinished
  return [{ kind: isMisspelt ? 'corrected' : 'expanded', from, to, replacement: region.name }];
}

function changesByWord(words: readonly Word[], fits: readonly WordFit[], best: BestMatch): Change[] {
  return words.flatMap((word, from): Change[] => {
    if (fits[from] === 'missing') return [dropped(from)];
    const replacement = fits[from] === 'misspelt' ? correctedWord(word.text, best) : undefined;
    return replacement === undefined ? [] : [{ kind: 'corrected', from, to: from + 1, replacement }];
  });
}

/** The similar words in a name of the place, or else the name of a region. */
function correctedWord(text: string, { names, regionNames }: BestMatch): string | undefined {
  const options = { maxTypos: text.length >= TWO_TYPOS_MIN_LENGTH ? 2 : 1, isPrefix: true };
  const choices = names();
  for (const name of [...knownNames(choices), choices.matched]) {
    const closest = closestSpelling(name, text, options);
    if (closest === undefined) continue;
    const { spelling, from, to } = closest;
    const firstWord = countWords(spelling.slice(0, from));
    const covered = wordsOf(name).slice(firstWord, firstWord + countWords(spelling.slice(from, to)));
    return covered.length === 0 ? name : covered.join(' '); // none if the name has fewer words than its spelling
  }
  return regionNames().find(({ name }) => closestSpelling(name, text, options) !== undefined)?.name;
}

function countWords(spelling: string): number {
  return spelling.split(' ').filter((word) => word !== '').length;
}

/** The words as written: Biel and Bienne for Biel/Bienne. */
function wordsOf(name: string): string[] {
  return foldWords(name).map(({ start, end }) => name.slice(start, end));
}

export interface NameChoices {
  /** The name that results show, and the main name. */
  readonly preferred: readonly string[];
  /** Names of known language, perhaps hundreds. The most widespread come first. */
  readonly inLanguages: () => readonly string[];
  /** The name that the search matched. */
  readonly matched: string;
}

interface MisspeltText {
  /** Folded. */
  readonly text: string;
  /** Number of typos in the search's match. */
  readonly typos: number;
  readonly isPrefix: boolean;
}

interface CorrectedName {
  readonly name: string;
  /** The closest spelling of the name, or undefined if none is close. */
  readonly closest: ClosestSpelling | undefined;
}

/**
 * Corrects a misspelt text to a name that people know: "bombey" to Bombay, not to Bombej. Prefers a
 * known name to the one that matched, in long texts even with one more typo.
 */
function correctedName({ text, typos, isPrefix }: MisspeltText, choices: NameChoices): CorrectedName {
  const maxTypos = text.length >= ONE_MORE_TYPO_MIN_LENGTH ? typos + 1 : typos;
  let withOneMore: CorrectedName | undefined;
  for (const name of knownNames(choices)) {
    const closest = closestSpelling(name, text, { maxTypos, isPrefix });
    if (closest === undefined) continue;
    if (closest.typos <= typos) return { name, closest };
    withOneMore ??= { name, closest };
  }
  const name = choices.matched;
  return withOneMore ?? { name, closest: closestSpelling(name, text, { maxTypos: typos, isPrefix }) };
}

/** The names that people know. A generator, so that `inLanguages` is called only if needed. */
function* knownNames({ preferred, inLanguages }: NameChoices): Iterable<string> {
  yield* preferred;
  yield* inLanguages();
}
