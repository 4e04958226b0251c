/** Describes how a query was changed to match the best hit: dropped, corrected, expanded words. */
import { closestSpelling } from '../../text/closest-spelling.ts';
import { fold, foldWords, type Word } from '../../text/fold.ts';
import type { DegradedQuery } from '../engine.ts';
import type { WordFit } from '../search/word-by-word-scan.ts';
import { correctedName, knownNames, type NameChoices } from './corrected-name.ts';
import { type Interpretation, leavesOut, type RegionGroup } from './interpretations.ts';

/** How the best hit matched. */
interface BestMatch {
  readonly interpretation: Interpretation;
  readonly typos: number;
  /** Whether the typed name may be the start of the name that matched. */
  readonly isPrefix: boolean;
  /** How the place has each word; undefined unless it was found word by word. */
  readonly wordFits: readonly WordFit[] | undefined;
  /** Reads names of the place. */
  readonly names: () => NameChoices;
  /** Reads the place's regions. */
  readonly regions: () => readonly NamedRegion[];
}

/** A name of a region of the place. */
export interface NamedRegion {
  /** Region id. */
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

/** In the word-by-word stage, longer words may have two typos. */
const TWO_TYPOS_MIN_LENGTH = 8;

/** How the query was changed; undefined if the best hit matches the words as typed. */
export function degradedQuery(text: string, words: readonly Word[], best: BestMatch): DegradedQuery | undefined {
  const changes =
    best.wordFits === undefined ? changesOfParts(words, best) : changesOfWords(words, best.wordFits, best);
  if (changes.length === 0) return undefined;
  const typed = (from: number, to: number) => text.slice(words[from]!.start, words[to - 1]!.end);
  const parts: string[] = [];
  for (let i = 0; i < words.length; ) {
    const change = changes.find(({ from }) => from === i);
    const end = change?.to ?? i + 1;
    parts.push(change?.replacement ?? typed(i, end));
    i = end;
  }
  const ofKind = (kind: Change['kind']) => changes.filter((change) => change.kind === kind);
  const asReplaced = ({ from, to, replacement }: Change) => ({ from: typed(from, to), to: replacement });
  return {
    query: parts.filter((part) => part !== '').join(' '),
    dropped: ofKind('dropped').map(({ from, to }) => typed(from, to)),
    corrected: ofKind('corrected').map(asReplaced),
    expanded: ofKind('expanded').map(asReplaced),
  };
}

/** Changes of the name and of the regions, as the interpretation splits the query. */
function changesOfParts(words: readonly Word[], best: BestMatch): Change[] {
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

/** One change per misspelt word, or one for the whole name if it has more or fewer words. */
function changesOfName(words: readonly Word[], { interpretation, typos, isPrefix, names }: BestMatch): Change[] {
  if (typos === 0) return [];
  const { from, to, text } = interpretation;
  const { name, closest } = correctedName({ text, typos, isPrefix }, names());
  const nameWords = wordsOf(name);
  const spelling = closest?.from === 0 ? closest.spelling.split(' ') : [];
  if (nameWords.length !== to - from || spelling.length !== to - from) {
    return fold(name) === text ? [] : [{ kind: 'corrected', from, to, replacement: name }];
  }
  return spelling.flatMap((right, i) => {
    const typed = words[from + i]!.text;
    const isUnfinished = isPrefix && from + i === to - 1 && right.startsWith(typed);
    if (typed === right || isUnfinished) return [];
    return [{ kind: 'corrected', from: from + i, to: from + i + 1, replacement: nameWords[i]! }];
  });
}

/** The change of an unfinished or misspelt region to the name of the region that was meant. */
function changesOfRegion(words: readonly Word[], group: RegionGroup, { regions }: BestMatch): Change[] {
  const { from, to } = group;
  if (group.isExact) return [];
  const typed = joined(words.slice(from, to));
  const isStart = ({ name }: NamedRegion) => fold(name).startsWith(typed);
  const isClose = ({ name }: NamedRegion) => closestSpelling(name, typed, { maxTypos: 1, isPrefix: true });
  const meant = regions().filter(({ id }) => group.regions.includes(id));
  const region = meant.find(isStart) ?? meant.find(isClose) ?? meant[0];
  if (region === undefined) return [];
  return [{ kind: isStart(region) ? 'expanded' : 'corrected', from, to, replacement: region.name }];
}

/** Changes of a query whose words were matched one by one. */
function changesOfWords(words: readonly Word[], fits: readonly WordFit[], best: BestMatch): Change[] {
  return words.flatMap((word, from): Change[] => {
    if (fits[from] === 'missing') return [dropped(from)];
    const replacement = fits[from] === 'misspelt' ? correctedWord(word.text, best) : undefined;
    return replacement === undefined ? [] : [{ kind: 'corrected', from, to: from + 1, replacement }];
  });
}

/** The words of a name of the place, or the region, that a misspelt word is closest to. */
function correctedWord(text: string, { names, regions }: BestMatch): string | undefined {
  const options = { maxTypos: text.length >= TWO_TYPOS_MIN_LENGTH ? 2 : 1, isPrefix: true };
  const choices = names();
  for (const name of [...knownNames(choices), choices.matched]) {
    const closest = closestSpelling(name, text, options);
    if (closest === undefined) continue;
    const { spelling, from, to } = closest;
    const firstWord = countWords(spelling.slice(0, from));
    const covered = wordsOf(name).slice(firstWord, firstWord + countWords(spelling.slice(from, to)));
    return covered.length === 0 ? name : covered.join(' ');
  }
  return regions().find(({ name }) => closestSpelling(name, text, options) !== undefined)?.name;
}

function countWords(spelling: string): number {
  return spelling.split(' ').filter((word) => word !== '').length;
}

function joined(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** The words of a name as written: Biel and Bienne for Biel/Bienne. */
function wordsOf(name: string): string[] {
  return foldWords(name).map(({ start, end }) => name.slice(start, end));
}
