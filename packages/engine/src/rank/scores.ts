/**
 * The constants of the score of a hit: its place's importance (0..1) minus the price of how the query
 * is read (search/readings.ts) and the penalties of its match plus the nearness bonus. A penalty is how much more important a place must be to win in
 * spite of it. docs/ranking.md explains the main ones by example.
 */
import { MAX_IMPORTANCE } from '../index-file/layout.ts';
import { isMainName, POSTING } from '../index-file/posting.ts';
import { MATCH } from '../trie/match-ranges.ts';

/** Places of at least this importance are cities that many people know. */
export const CITY_IMPORTANCE = 0.6 * MAX_IMPORTANCE;
/** About the 1,500 largest cities are at least this important. */
export const WELL_KNOWN_IMPORTANCE = 0.7 * MAX_IMPORTANCE;

export const PENALTIES = {
  /** The name has more words. If up to three letters were typed, `unfinished` applies instead. */
  moreWords: 0.12,
  /** The last word is unfinished, by `lengthClass` of the typed name. */
  unfinished: [0.3, 0.24, 0.2, 0.35],
  /** The match begins at a later word of the name. */
  laterWord: 0.3,
  /** By the posting's quality: main name, alternate, machine romanisation, historic or code. */
  nameQuality: [0, 0.04, 0.15, 0.2],
  /** Extra if up to three letters match an alternate name. */
  shortAlternate: 0.15,
  /** Extra for an alternate name that is the main name of another place: see `namesakePenalty`. */
  namesakeShare: 0.6,
  namesakeMax: 0.12,
  /**
   * An uncommon alias of up to five letters comes at least this much behind: "pari" is Paris, not
   * Parī.
   */
  aliasBehindUnfinished: 0.045,
  /** A code of up to three letters comes at least this much behind: "eze" is Èze. */
  codeBehindNamesake: 0.05,
  // Four extras if an alternate name matches:
  moreWordsAlternate: 0.2,
  laterWordAlternate: 0.2,
  misspeltAlternate: 0.2,
  unfinishedAlternate: 0.25,
  /** Replaces `unfinishedAlternate` and `shortAlternate` for names in other scripts than Latin. */
  unfinishedNonLatinAlternate: 0.15,
  /** Extra for typos if up to six letters match a part of a name. */
  misspeltPart: 0.2,
  /** Extra for typos, by `lengthClass`, if a main name starts with the text as typed. */
  misspeltNameStart: [0, 0, 0.15, 0.25],
  /** The name has accents or punctuation, the query has none. */
  missingMarks: 0.04,
  /** The query has accents or punctuation, the name has none. */
  superfluousMarks: 0.15,
  /** For 0, 1 and 2 typos in all. Each further typo adds `furtherTypo`. */
  typos: [0, 0.45, 0.85],
  furtherTypo: 0.2,
  // Extras if the query names a region. A typo costs less, because the region confirms the name.
  moreWordsInRegion: 0.1,
  alternateInRegion: 0.04,
  misspeltInRegion: -0.05,
  /** The words match one by one, in any order. */
  wordByWord: 0.5,
  /** Extra, word by word, for each word that the place lacks; up to double for a rare word. */
  wordByWordMissing: 0.3,
  /** Extra if a city is named before, not after, a place that is not known in it: "london bridge". */
  cityBeforeUnknownPart: 0.1,
  /** Extra for a part of the query if a word that is neither generic nor a number is left out. */
  leftOutWord: 0.45,
  leftOutNumber: 0.05,
  /** Extra if the street of an address is left out. */
  leftOutStreet: 0.1,
  /** Extra if the words left out end with the name of a region. */
  leftOutRegion: 0.1,
  /** For each further number or word that is left out and not generic. */
  furtherLeftOutWord: 0.1,
  unfinishedBeforeRegion: 0.25,
  /** Extra if an unfinished region has one or two letters: "paris t". */
  barelyBegunRegion: 0.15,
  /** The name contains a comma of the query. */
  commaInName: 0.15,
  /** The query starts with the code of a region. */
  codeBeforeName: 0.1,
  /** The name is a last word of one or two letters, after a region: "texas d". */
  shortAfterRegion: 0.15,
  /** Extra, by level (country, first, second), if the query names a region and no place. */
  regionAlone: [0, 0.15, 0],
  /** Extra, by level, if a place has the region's name. */
  regionWithNamesake: [0.1, 0.2, 0.2],
  /** Another extra if that name is only an alias of the region. */
  regionAliasWithNamesake: 0.2,
  /** Extra for a region alone that is named by a code. */
  codeOfRegionAlone: 0.2,
  /** Extra for places of a region alone after the first few. */
  lesserPlaceOfRegion: 0.5,
} as const;

/**
 * The nearness bonus at the query's point is `wide` plus `close`. Half of `wide` is left at
 * `wideMeters`, half of `close` at `closeMeters`. Places within `nearbyMeters` count as nearby.
 */
export const NEARNESS = {
  wide: 0.75,
  wideMeters: 220_000,
  close: 0.6,
  closeMeters: 20_000,
  nearbyMeters: 50_000,
  /** A place up to this much less important than its best namesake gets all of `wide`. */
  likeSize: 0.34,
  /** A place at least this much less important than its best namesake gets none of `wide`. */
  unlikeSize: 0.48,
  /** If the text is the whole main name of a well-known place, other matches get this share of the bonus. */
  unlikelyMatch: 0.35,
  /** Namesakes up to this important change nothing: some hamlet has almost any name of a few letters. */
  obscureNamesake: 0.4,
  wellKnownNamesake: 0.55,
} as const;
export const MAX_NEARNESS = NEARNESS.wide + NEARNESS.close;

/** Properties of a query and its interpretation that affect penalties, as bits. */
export const QUERY_FLAGS = {
  /** The query has no accents and no punctuation except commas. */
  isPlain: 1,
  hasRegion: 2,
  /** The typed name is in another script than Latin. */
  isNonLatin: 4,
  /** Some main name starts with the text as typed and is longer. */
  isNameStart: 8,
  /** The text is a code: see `Interpretation.isCode`. */
  isCode: 16,
  /** Not a flag, but a shift: the higher bits are the `lengthClass` of the typed name. */
  lengthShift: 5,
} as const;
const THREE_LETTERS = 1;
const LONG_NAME = 3;
// qualities of names: see POSTING.qualityShift
const ALTERNATE = 1;
const HISTORIC_OR_CODE = 3;

/** Class of a typed name's length: 0 up to two letters, 1 three, 2 four to six, 3 more. */
export function lengthClass(letters: number): number {
  return letters <= 2 ? 0 : letters === 3 ? THREE_LETTERS : letters <= 6 ? 2 : LONG_NAME;
}

/** Number of values of each input. Query flags: 4 length classes times 32 combinations of bits. */
const COUNTS = { queryFlags: 128, match: 3, typos: 4, postingFlags: 32 } as const;
/** More typos cost no more. */
export const MAX_SCORED_TYPOS = COUNTS.typos - 1;

/** Sum of `penaltyParts` at index `penaltyIndex(…) | flags`, with flags of POSTING. */
export const matchPenalties = new Float64Array(COUNTS.queryFlags * COUNTS.match * COUNTS.typos * COUNTS.postingFlags);
/** By query flags: 1 if their penalties are in `matchPenalties`. To compute all at the start would take 25 ms. */
const isComputed = new Uint8Array(COUNTS.queryFlags);

/** Index in `matchPenalties` for posting flags 0. Computes the penalties for these query flags, once. */
export function penaltyIndex(match: number, typos: number, queryFlags: number): number {
  if (isComputed[queryFlags] === 0) computePenalties(queryFlags);
  return firstPenalty(match, typos, queryFlags);
}

function firstPenalty(match: number, typos: number, queryFlags: number): number {
  const cappedTypos = Math.min(typos, MAX_SCORED_TYPOS);
  return ((queryFlags * COUNTS.match + match) * COUNTS.typos + cappedTypos) * COUNTS.postingFlags;
}

/** The parts of a match's penalty. `incomplete` is for the criterion `exact`. */
export function penaltyParts(
  match: number,
  typos: number,
  { flags, queryFlags }: { flags: number; queryFlags: number },
) {
  const isCode = (queryFlags & QUERY_FLAGS.isCode) !== 0;
  const quality = qualityOf(flags);
  const isAlternate = quality > 0;
  const isPartOfName = match !== MATCH.whole || (flags & POSTING.isLaterWord) !== 0;
  const isPlain = (queryFlags & QUERY_FLAGS.isPlain) !== 0;
  const hasRegion = (queryFlags & QUERY_FLAGS.hasRegion) !== 0;
  const isNonLatin = (queryFlags & QUERY_FLAGS.isNonLatin) !== 0;
  const nameLengthClass = queryFlags >> QUERY_FLAGS.lengthShift;
  const lacksNameAsTyped = (flags & (isPlain ? POSTING.lacksPlainName : POSTING.lacksMarkedName)) !== 0;
  const misspelt =
    penaltyIf(isAlternate, PENALTIES.misspeltAlternate) +
    penaltyIf(isPartOfName && nameLengthClass < LONG_NAME, PENALTIES.misspeltPart) +
    penaltyIf(hasRegion, PENALTIES.misspeltInRegion) +
    penaltyIf((queryFlags & QUERY_FLAGS.isNameStart) !== 0, PENALTIES.misspeltNameStart[nameLengthClass]!);
  const moreWords =
    PENALTIES.moreWords +
    penaltyIf(isAlternate, PENALTIES.moreWordsAlternate) +
    penaltyIf(hasRegion, PENALTIES.moreWordsInRegion);
  const unfinishedAlternate = isNonLatin ? PENALTIES.unfinishedNonLatinAlternate : PENALTIES.unfinishedAlternate;
  const unfinished = PENALTIES.unfinished[nameLengthClass]! + penaltyIf(isAlternate, unfinishedAlternate);
  const isShort = nameLengthClass <= THREE_LETTERS;
  const countsAsUnfinished = match === MATCH.unfinished || isShort;
  const laterWord = PENALTIES.laterWord + penaltyIf(isAlternate, PENALTIES.laterWordAlternate);
  const isShortAlternate = isAlternate && isShort && (match === MATCH.whole || !isNonLatin);
  const nameExtras =
    penaltyIf(isShortAlternate, PENALTIES.shortAlternate) +
    penaltyIf(isAlternate && hasRegion, PENALTIES.alternateInRegion) +
    penaltyIf(lacksNameAsTyped, isPlain ? PENALTIES.missingMarks : PENALTIES.superfluousMarks);
  return {
    typo: typos === 0 ? 0 : typoPenalty(typos) + misspelt,
    incomplete: match === MATCH.whole ? 0 : countsAsUnfinished ? unfinished : moreWords,
    position: (flags & POSTING.isLaterWord) === 0 ? 0 : laterWord,
    name: isCode ? PENALTIES.nameQuality[ALTERNATE] : PENALTIES.nameQuality[quality]! + nameExtras,
  };
}

function qualityOf(flags: number): number {
  return (flags & POSTING.qualityMask) >> POSTING.qualityShift;
}

function penaltyIf(applies: boolean, penalty: number): number {
  return applies ? penalty : 0;
}

function computePenalties(queryFlags: number): void {
  isComputed[queryFlags] = 1;
  for (let match = 0; match < COUNTS.match; match++) {
    for (let typos = 0; typos < COUNTS.typos; typos++) {
      for (let flags = 0; flags < COUNTS.postingFlags; flags++) {
        const { typo, incomplete, position, name } = penaltyParts(match, typos, { flags, queryFlags });
        matchPenalties[firstPenalty(match, typos, queryFlags) | flags] = typo + incomplete + position + name;
      }
    }
  }
}

/** On the scale from 0 to 1. */
const SMALL_TOWN_IMPORTANCE = 0.4;

/**
 * Extra penalty for an alternate name that is the main name of another place, whose importance (0..1)
 * is `namesakeImportance`; 0 if there is none. `score` is that without this penalty.
 */
export function namesakePenalty(
  score: number,
  flags: number,
  { namesakeImportance, queryFlags }: { namesakeImportance: number; queryFlags: number },
): number {
  if (namesakeImportance === 0 || isMainName(flags)) return 0;
  const share = (namesakeImportance - SMALL_TOWN_IMPORTANCE) * PENALTIES.namesakeShare;
  const penalty = Math.min(PENALTIES.namesakeMax, Math.max(0, share));
  const isShort = queryFlags >> QUERY_FLAGS.lengthShift <= THREE_LETTERS;
  if (!isShort || qualityOf(flags) !== HISTORIC_OR_CODE) return penalty;
  return Math.max(penalty, score - namesakeImportance + PENALTIES.codeBehindNamesake);
}

export function typoPenalty(typos: number): number {
  return PENALTIES.typos[typos] ?? PENALTIES.typos[2] + PENALTIES.furtherTypo * (typos - 2);
}

/** `wideShare` (0..1) is the share of `NEARNESS.wide` that counts. */
export function nearnessBonus(meters: number, wideShare = 1): number {
  const wideRatio = meters / NEARNESS.wideMeters;
  const closeRatio = meters / NEARNESS.closeMeters;
  return (wideShare * NEARNESS.wide) / (1 + wideRatio * wideRatio) + NEARNESS.close / (1 + closeRatio * closeRatio);
}

/** Share (0..1) of `NEARNESS.wide` for a place. */
export function wideNearnessShare(importance: number, namesakeImportance: number): number {
  const { likeSize, unlikeSize } = NEARNESS;
  const share = (unlikeSize - (namesakeImportance - importance)) / (unlikeSize - likeSize);
  return Math.max(0, Math.min(1, share));
}

/** Share (0..1) of the bonus for a match that is no whole main name. */
export function unlikelyMatchShare(namesakeImportance: number): number {
  const { unlikelyMatch, obscureNamesake, wellKnownNamesake } = NEARNESS;
  const doubt = (namesakeImportance - obscureNamesake) / (wellKnownNamesake - obscureNamesake);
  return 1 - (1 - unlikelyMatch) * Math.max(0, Math.min(1, doubt));
}

const INVERSE_WIDE = 1 / NEARNESS.wideMeters ** 2;
const INVERSE_CLOSE = 1 / NEARNESS.closeMeters ** 2;

/** Distance at which the whole nearness bonus falls to `bonus`, which must be above 0. */
export function metersForBonus(bonus: number): number {
  if (bonus >= MAX_NEARNESS) return 0;
  // nearnessBonus(meters) = bonus is a quadratic equation of x = meters²: a * x² + 2 * b * x = c
  const a = bonus * INVERSE_WIDE * INVERSE_CLOSE;
  const b =
    (bonus * (INVERSE_WIDE + INVERSE_CLOSE) - NEARNESS.wide * INVERSE_CLOSE - NEARNESS.close * INVERSE_WIDE) / 2;
  const c = MAX_NEARNESS - bonus;
  return Math.sqrt((Math.sqrt(b * b + a * c) - b) / a);
}
