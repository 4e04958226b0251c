/**
 * The ranking, all of it. A hit's score is its place's importance (0..1), less what its match lacks, plus how near it
 * is. Every figure is in the same unit, so each says how much more important a place must be to win in spite of it:
 * a typo costs 0.45, so a typo away beats an exact match only where the place is 0.45 more important, which is what
 * separates a world city from a village. docs/ranking.md explains each figure by example.
 */
import { POSTING } from '../../index-file/posting.ts';
import { MATCH } from '../trie/match-ranges.ts';

export const PENALTIES = {
  /** All words typed are there, and the name goes on with more words; `letterClass` 0 is taken as unfinished. */
  moreWords: 0.12,
  /**
   * The last word typed is unfinished: by how many letters there are, see `letterClass`. From four to six people are
   * mostly still typing. With seven they have mostly typed the word, and a whole name of three letters is so rare that
   * who typed it is likely to mean it.
   */
  unfinished: [0.3, 0.2, 0.2, 0.35],
  /** The match begins at a later word of the name. */
  laterWord: 0.3,
  /** Besides, where it is another name than the main one: of those, later words are often no more than "city". */
  laterWordAlternate: 0.2,
  /** By the kind of the name: main, alternate, alternate that stands alone or historic, machine romanisation. */
  nameKind: [0, 0.04, 0.2, 0.15],
  /** Besides, where another name than the main one is all of up to three letters: mostly a code, or chance. */
  shortAlternate: 0.15,
  /**
   * Besides, where another place bears the name as its main one: this share of how far that place's importance is above
   * that of a small town, `bearerMost` at most. Newton is a city, so Tallahassee's old name must not win.
   */
  namesakeShare: 0.6,
  namesakeMax: 0.15,
  /** Besides, where another name than the main one goes on or is unfinished: few people type on towards it. */
  moreWordsAlternate: 0.2,
  unfinishedAlternate: 0.25,
  /** Besides, where another name than the main one is misspelt. */
  misspeltAlternate: 0.2,
  /** Besides, where up to six letters are not a whole name, misspelt: of those, some name nearly begins with any. */
  misspeltPart: 0.2,
  /** The name is written with accents or signs and the query without. */
  missingMarks: 0.04,
  /** The other way round: who types the accents means them. */
  superfluousMarks: 0.15,
  /** By the number of typing errors. */
  typos: [0, 0.45, 0.6],
  /** Besides, where region words were typed: who knows the region mostly knows the whole name, and its spelling. */
  moreWordsInRegion: 0.1,
  alternateInRegion: 0.04,
  misspeltInRegion: 0.1,
  /** The words are all there, in another order. */
  reordered: 0.15,
  /** The words are all there, not next to each other, or in several names. */
  wordByWord: 0.35,
  /** For a word typed that the place has nothing of: this, and up to as much again the rarer the word is. */
  droppedWord: 0.3,
  /** The name was broken off and a region word typed behind it. */
  unfinishedBeforeRegion: 0.1,
  /** A region word read as unfinished, or with a typing error. */
  inexactRegion: 0.05,
} as const;

/**
 * What a place right at the point gains: `around`, half of it at `aroundMeters`, for lying in the same part of the world,
 * and `here`, half of it at `hereMeters`, for being next to the point. Up to `nearbyMeters` a place counts as nearby.
 */
export const NEARNESS = {
  around: 0.75,
  aroundMeters: 220_000,
  here: 0.6,
  hereMeters: 20_000,
  nearbyMeters: 50_000,
} as const;
/** What no place gains more than. */
export const MAX_NEARNESS = NEARNESS.around + NEARNESS.here;

/** How a query was typed, as far as it bears on what a match lacks. */
export const TYPED = {
  /** Without accents and signs. */
  plain: 1,
  /** With region words, in this reading. */
  withRegion: 2,
  /** From here on, the class of how many letters the name has so far. */
  lettersShift: 2,
} as const;
const TYPED_WAYS = 16;

const MANY_LETTERS = 3;

/** 0 up to three letters, 1 up to five, 2 six, 3 more. */
export function letterClass(letters: number): number {
  return letters <= 3 ? 0 : letters <= 5 ? 1 : letters === 6 ? 2 : MANY_LETTERS;
}

/** What a match lacks: index with `penaltyIndex`, the posting's flags or-ed in. */
export const matchPenalties = new Float64Array(TYPED_WAYS * 3 * 4 * 32);

/** `typed`: bits of TYPED. */
export function penaltyIndex(match: number, typos: number, typed: number): number {
  return ((typed * 3 + match) * 4 + Math.min(typos, 3)) << 5;
}

/** The parts of `matchPenalties`, for explaining. */
export function penaltyParts(match: number, typos: number, { flags, typed }: { flags: number; typed: number }) {
  const kind = (flags & POSTING.qualityMask) >> POSTING.qualityShift;
  const isOther = kind > 0;
  const isPart = match !== MATCH.exact || (flags & POSTING.isLaterWord) !== 0;
  const isPlain = (typed & TYPED.plain) !== 0;
  const hasRegion = (typed & TYPED.withRegion) !== 0;
  const letters = typed >> TYPED.lettersShift;
  const isWritten = (flags & (isPlain ? POSTING.isNotPlain : POSTING.isNotMarked)) === 0;
  return {
    typo:
      typos === 0
        ? 0
        : typoPenalty(typos) +
          sum(
            [isOther, 'misspeltAlternate'],
            [isPart && letters < MANY_LETTERS, 'misspeltPart'],
            [hasRegion, 'misspeltInRegion'],
          ),
    exact:
      match === MATCH.exact
        ? 0
        : match === MATCH.words && letters > 0
          ? sum([true, 'moreWords'], [isOther, 'moreWordsAlternate'], [hasRegion, 'moreWordsInRegion'])
          : (PENALTIES.unfinished[letters] ?? 0) + sum([isOther, 'unfinishedAlternate']),
    position: flags & POSTING.isLaterWord ? sum([true, 'laterWord'], [isOther, 'laterWordAlternate']) : 0,
    name:
      (PENALTIES.nameKind[kind] ?? 0) +
      sum(
        [isOther && letters === 0, 'shortAlternate'],
        [isOther && hasRegion, 'alternateInRegion'],
        [!isWritten, isPlain ? 'missingMarks' : 'superfluousMarks'],
      ),
  };
}

type Figure = {
  [Name in keyof typeof PENALTIES]: (typeof PENALTIES)[Name] extends number ? Name : never;
}[keyof typeof PENALTIES];

/** Those of the figures that apply, added up. */
function sum(...figures: readonly (readonly [boolean, Figure])[]): number {
  return figures.reduce((total, [applies, name]) => total + (applies ? PENALTIES[name] : 0), 0);
}

function fillPenalties(): void {
  for (let typed = 0; typed < TYPED_WAYS; typed++) {
    for (let match = 0; match < 3; match++) {
      for (let typos = 0; typos < 4; typos++) {
        for (let flags = 0; flags < 32; flags++) {
          const { typo, exact, position, name } = penaltyParts(match, typos, { flags, typed });
          matchPenalties[penaltyIndex(match, typos, typed) | flags] = typo + exact + position + name;
        }
      }
    }
  }
}
fillPenalties();

const SMALL_TOWN = 0.4;

/** What matching by another name costs besides when a place of this importance (0..1) bears the name. */
export function namesakePenalty(importance: number): number {
  return Math.min(PENALTIES.namesakeMax, Math.max(0, (importance - SMALL_TOWN) * PENALTIES.namesakeShare));
}

export function typoPenalty(typos: number): number {
  return PENALTIES.typos[typos] ?? (PENALTIES.typos[2] ?? 0) + 0.2 * (typos - 2);
}

export function nearnessBonus(meters: number): number {
  const x = meters / NEARNESS.aroundMeters;
  const y = meters / NEARNESS.hereMeters;
  return NEARNESS.around / (1 + x * x) + NEARNESS.here / (1 + y * y);
}

const BY_AROUND = 1 / NEARNESS.aroundMeters ** 2;
const BY_HERE = 1 / NEARNESS.hereMeters ** 2;

/** Up to where a place gains at least so much, which is more than nothing. */
export function metersForBonus(bonus: number): number {
  if (bonus >= MAX_NEARNESS) return 0;
  // of the square of the distance: a * square ** 2 + 2 * b * square = c
  const a = bonus * BY_AROUND * BY_HERE;
  const b = (bonus * (BY_AROUND + BY_HERE) - NEARNESS.around * BY_HERE - NEARNESS.here * BY_AROUND) / 2;
  return Math.sqrt((Math.sqrt(b * b + a * (MAX_NEARNESS - bonus)) - b) / a);
}
