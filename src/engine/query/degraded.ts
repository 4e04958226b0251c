/** Describes how a query was changed to match the best hit: dropped, corrected, expanded words. */
import { fold, type Word } from '../../text/fold.ts';
import type { DegradedQuery, RecordRegions } from '../engine.ts';
import type { Interpretation } from './interpretations.ts';

export interface BestMatch {
  /** The regions of the place. */
  readonly regions: RecordRegions;
  readonly interpretation: Interpretation;
  /** The name that matched, as stored. */
  readonly name: string;
  readonly typos: number;
  /** Words of the query that the place lacks. */
  readonly missing: readonly Word[];
}

/** A text as typed, and the text used instead. */
interface Change {
  readonly from: string;
  readonly to: string;
}

/** How the query was changed; undefined if the best hit matches the words as typed. */
export function degradedQuery(text: string, words: readonly Word[], best: BestMatch): DegradedQuery | undefined {
  const dropped = best.missing.map((word) => asTyped(text, word));
  const corrected = best.typos === 0 ? [] : correctedWords(text, words, best);
  const expanded: Change[] = [];
  for (const group of best.interpretation.regionGroups) {
    if (group.isExact) continue;
    const typed = text.slice(words[group.from]?.start, words[group.to - 1]?.end);
    const change = { from: typed, to: intendedRegion(fold(typed), best.regions) };
    if (fold(change.to).startsWith(fold(typed))) expanded.push(change);
    else corrected.push(change);
  }
  if (dropped.length + corrected.length + expanded.length === 0) return undefined;
  const remaining = words.filter((word) => !best.missing.includes(word)).map((word) => asTyped(text, word));
  let query = remaining.join(' ');
  // `replace` gets a function, because `$` has a meaning in a replacement string
  for (const { from, to } of [...corrected, ...expanded]) query = query.replace(from, () => to);
  return { query, dropped, corrected, expanded };
}

/** One change per misspelt word, or one for the whole name if it has more or fewer words. */
function correctedWords(text: string, words: readonly Word[], { interpretation, name, missing }: BestMatch): Change[] {
  const typedWords = words.slice(interpretation.from, interpretation.to).filter((word) => !missing.includes(word));
  const nameWords = name.split(/[\s-]+/u).filter((word) => fold(word) !== '');
  if (typedWords.length !== nameWords.length) {
    const typed = typedWords.map((word) => asTyped(text, word)).join(' ');
    // a query is split at more characters (Biel/Bienne is two words), so the texts may be equal
    return fold(typed) === fold(name) ? [] : [{ from: typed, to: name }];
  }
  return typedWords.flatMap((word, i) => {
    const nameWord = nameWords[i] ?? '';
    const isUnfinishedOrRight = fold(nameWord).startsWith(word.text);
    return isUnfinishedOrRight ? [] : [{ from: asTyped(text, word), to: nameWord }];
  });
}

/** The region, of those of the place, whose folded name shares the longest prefix with the text. */
function intendedRegion(foldedText: string, { county, administrative, country }: RecordRegions): string {
  const regions = [...administrative, ...county, country];
  const sharedPrefix = (name: string) => {
    const folded = fold(name);
    let shared = 0;
    while (shared < foldedText.length && folded[shared] === foldedText[shared]) shared++;
    return shared;
  };
  return regions.reduce((best, name) => (sharedPrefix(name) > sharedPrefix(best) ? name : best), regions[0] ?? '');
}

function asTyped(text: string, { start, end }: Word): string {
  return text.slice(start, end);
}
