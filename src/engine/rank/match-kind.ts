/** The kinds of match between a query and a place, and the match codes that responses show. */
import { isFormerName, isMainName, POSTING } from '../../index-file/posting.ts';
import type { MatchCode } from '../engine.ts';
import { type Interpretation, isRegionAlone, type RegionGroup } from '../query/interpretations.ts';
import { MATCH } from '../trie/match-ranges.ts';

/** How a query matches a place. Confidence is calibrated separately for each kind. */
export type MatchKind =
  /** The query is the whole name of the place. */
  | 'mainName'
  | 'alternateName'
  /** An isolated name, usually a former one, or a code that is not in capitals. */
  | 'formerName'
  /** The query is the whole name of the place and regions or a city around it. */
  | 'mainNameInRegion'
  | 'alternateNameInRegion'
  /** The last word of the query is unfinished, in the name or in a region. */
  | 'partOfName'
  /** The query is some whole words of the name. */
  | 'wordsOfName'
  | 'misspelt'
  /** As `mainNameInRegion` or `alternateNameInRegion`, with a typo in a region. */
  | 'misspeltRegion'
  /** The place lacks some words of the query, or has them scattered over its name and regions. */
  | 'partOfQuery'
  /** The query names regions and no place. */
  | 'regionAlone';

const CODES: Readonly<Record<MatchKind, MatchCode>> = {
  mainName: 'exact',
  mainNameInRegion: 'exact',
  alternateName: 'alias',
  formerName: 'alias',
  alternateNameInRegion: 'alias',
  partOfName: 'partial',
  wordsOfName: 'partial',
  misspelt: 'corrected',
  misspeltRegion: 'corrected',
  partOfQuery: 'partial',
  regionAlone: 'region',
};
/** If the best hit is less likely than this, hits of code `exact` or `alias` are `ambiguous`. */
const AMBIGUOUS_BELOW = 0.5;

export interface TextMatch {
  /** A value of MATCH. */
  readonly match: number;
  readonly typos: number;
  /** Flags of the posting that matched. */
  readonly flags: number;
  readonly interpretation: Interpretation;
  /** Whether the words of the query matched one by one: see stage `wordByWord`. */
  readonly isWordByWord: boolean;
}

/** `wordCount` is the number of words of the query. */
export function matchKind(
  { match, typos, flags, interpretation, isWordByWord }: TextMatch,
  wordCount: number,
): MatchKind {
  const { regionGroups, cities } = interpretation;
  if (isRegionAlone(interpretation)) return 'regionAlone';
  if (isWordByWord || !usesAllWords(interpretation, wordCount)) return 'partOfQuery';
  if (typos > 0) return 'misspelt';
  const isWhole = match === MATCH.whole && (flags & POSTING.isLaterWord) === 0;
  if (match === MATCH.unfinished || regionGroups.some(isUnfinished)) return 'partOfName';
  if (!isWhole) return 'wordsOfName';
  if (regionGroups.some(isMisspelt)) return 'misspeltRegion';
  const isInRegion = regionGroups.length > 0 || cities.length > 0;
  if (isMainName(flags)) return isInRegion ? 'mainNameInRegion' : 'mainName';
  if (isInRegion) return 'alternateNameInRegion';
  return isFormerName(flags) && !interpretation.isCode ? 'formerName' : 'alternateName';
}

function isMisspelt({ matching }: RegionGroup): boolean {
  return matching === 'misspelt';
}

function isUnfinished({ matching }: RegionGroup): boolean {
  return matching === 'prefix';
}

/** Postcodes count as used. */
function usesAllWords(
  { from, to, regionGroups, cities, postcodeWords = 0 }: Interpretation,
  wordCount: number,
): boolean {
  if (cities.length > 0) return true; // all words that name neither the place nor regions name the city
  let used = to - from + postcodeWords;
  for (const group of regionGroups) used += group.to - group.from;
  return used === wordCount;
}

/** `bestConfidence` is the confidence of the first hit of the page. */
export function matchCode(kind: MatchKind, bestConfidence: number): MatchCode {
  const code = CODES[kind];
  const isWholeName = code === 'exact' || code === 'alias';
  return isWholeName && bestConfidence < AMBIGUOUS_BELOW ? 'ambiguous' : code;
}
