/** Describes how a query was changed to match the best hit: dropped, corrected, expanded words. */
import { fold, type Word } from '../../text/fold.ts';
import type { DegradedQuery, RecordRegions } from '../engine.ts';
import type { Interpretation } from './interpretations.ts';

export interface BestMatch {
  readonly regions: RecordRegions;
  readonly interpretation: Interpretation;
  /** The name that matched, as stored. */
  readonly name: string;
  readonly typos: number;
  /** Words of the query that the place lacks. */
  readonly missing: readonly Word[];
}

interface Change {
  readonly from: string;
  readonly to: string;
}

/** Undefined if the best hit matches the words as typed. */
export function degradedQuery(text: string, words: readonly Word[], best: BestMatch): DegradedQuery | undefined {
  const asTyped = (word: Word) => text.slice(word.start, word.end);
  const dropped = best.missing.map(asTyped);
  const corrected = best.typos === 0 ? [] : correctedWords(text, words, best);
  const expanded: Change[] = [];
  for (const { from, to, isExact } of best.interpretation.regions) {
    if (isExact) continue;
    const typed = text.slice(words[from]?.start, words[to - 1]?.end);
    const change = { from: typed, to: intendedRegion(fold(typed), best.regions) };
    if (fold(change.to).startsWith(fold(typed))) expanded.push(change);
    else corrected.push(change);
  }
  if (dropped.length + corrected.length + expanded.length === 0) return undefined;
  const remaining = words.filter((word) => !best.missing.includes(word)).map(asTyped);
  return { query: applyChanges(remaining.join(' '), [...corrected, ...expanded]), dropped, corrected, expanded };
}

/** One change per word if the name has as many words as were typed, otherwise one for all words. */
function correctedWords(text: string, words: readonly Word[], { interpretation, name, missing }: BestMatch): Change[] {
  const typedWords = words.slice(interpretation.from, interpretation.to).filter((word) => !missing.includes(word));
  const nameWords = name.split(/[\s-]+/u).filter((word) => fold(word) !== '');
  const asTyped = (word: Word) => text.slice(word.start, word.end);
  if (typedWords.length !== nameWords.length) {
    const from = typedWords.map(asTyped).join(' ');
    return fold(from) === fold(name) ? [] : [{ from, to: name }];
  }
  return typedWords.flatMap((word, i) => {
    const to = nameWords[i] ?? '';
    return fold(to) === word.text || fold(to).startsWith(word.text) ? [] : [{ from: asTyped(word), to }];
  });
}

/** The region of the place that shares the longest prefix with the typed words. */
function intendedRegion(typed: string, { county, administrative, country }: RecordRegions): string {
  const regions = [...administrative, ...county, country];
  const sharedPrefix = (name: string) => {
    const folded = fold(name);
    let shared = 0;
    while (shared < typed.length && folded[shared] === typed[shared]) shared++;
    return shared;
  };
  return regions.reduce((best, name) => (sharedPrefix(name) > sharedPrefix(best) ? name : best), regions[0] ?? '');
}

function applyChanges(query: string, changes: readonly Change[]): string {
  return changes.reduce((changed, { from, to }) => changed.replace(from, () => to), query);
}
