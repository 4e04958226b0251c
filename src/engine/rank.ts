/**
 * The ranking, all of it. A hit's score is its place's importance (0..1), less what its match lacks, plus how near it
 * is. Every figure is in the same unit, so each says how much more important a place must be to win in spite of it:
 * a typo costs 0.3, so a typo away beats an exact match only where the place is 0.3 more important, which is what
 * separates a world city from a village. docs/ranking.md explains each figure by example.
 */
import { POSTING } from '../index-file/posting.ts';
import { MATCH } from './match-ranges.ts';

export const PENALTIES = {
  /** All words typed are there, and the name goes on with more words. */
  moreWords: 0.1,
  /** The last word typed is unfinished. */
  unfinished: 0.14,
  /** The match begins at a later word of the name. */
  laterWord: 0.3,
  /** By the kind of the name: main, alternate, alternate that stands alone or historic, machine romanisation. */
  nameKind: [0, 0.04, 0.2, 0.25],
  /** Besides, where another name than the main one goes on or is unfinished: few people type on towards it. */
  moreWordsOther: 0.1,
  unfinishedOther: 0.15,
  /** Besides, where another name than the main one is misspelt. */
  misspeltOther: 0.1,
  /** A spelling of ours, such as "St" for "Saint". */
  respelt: 0.01,
  /** By the number of typing errors. */
  typos: [0, 0.3, 0.5],
  /** Besides, where region words were typed: who knows the region mostly knows the name. */
  misspeltInRegion: 0.1,
  /** The words are all there, not in this order, or not next to each other. */
  scattered: 0.35,
  /** For a word typed that the place has nothing of: this, and up to as much again the rarer the word is. */
  droppedWord: 0.3,
  /** A region word read as unfinished, or with a typing error. */
  inexactRegion: 0.05,
};

/** What a place right at the point gains; half of it at `halfMeters`, a twentieth at four times that. */
export const NEARNESS = { most: 0.75, halfMeters: 150_000 } as const;

/** What a match lacks, by the posting's flags and how the words met the key: index with `penaltyIndex`. */
export const matchPenalties = new Float64Array(3 * 4 * 32);

export function penaltyIndex(match: number, typos: number): number {
  return (match * 4 + Math.min(typos, 3)) << 5;
}

/** The parts of `matchPenalties`, for explaining. */
export function penaltyParts(match: number, typos: number, flags: number) {
  const kind = (flags & POSTING.qualityMask) >> POSTING.qualityShift;
  const isOther = kind > 0;
  const moreWords = PENALTIES.moreWords + (isOther ? PENALTIES.moreWordsOther : 0);
  const unfinished = PENALTIES.unfinished + (isOther ? PENALTIES.unfinishedOther : 0);
  return {
    typo: typoPenalty(typos) + (isOther && typos > 0 ? PENALTIES.misspeltOther : 0),
    exact: match === MATCH.exact ? 0 : match === MATCH.words ? moreWords : unfinished,
    position: flags & POSTING.isLaterWord ? PENALTIES.laterWord : 0,
    name: (PENALTIES.nameKind[kind] ?? 0) + (flags & POSTING.isRespelt ? PENALTIES.respelt : 0),
  };
}

export function fillPenalties(): void {
  for (let match = 0; match < 3; match++) {
    for (let typos = 0; typos < 4; typos++) {
      for (let flags = 0; flags < 32; flags++) {
        const { typo, exact, position, name } = penaltyParts(match, typos, flags);
        matchPenalties[penaltyIndex(match, typos) | flags] = typo + exact + position + name;
      }
    }
  }
}
fillPenalties();

export function typoPenalty(typos: number): number {
  return PENALTIES.typos[typos] ?? (PENALTIES.typos[2] ?? 0) + 0.2 * (typos - 2);
}

export function nearnessBonus(meters: number): number {
  const x = meters / NEARNESS.halfMeters;
  return NEARNESS.most / (1 + x * x);
}
