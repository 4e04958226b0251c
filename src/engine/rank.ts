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
  /** By the kind of the name: main, alternate, historic or code, machine romanisation. */
  nameKind: [0, 0.04, 0.12, 0.25],
  /** A spelling of ours, such as "St" for "Saint". */
  respelt: 0.01,
  /** By the number of typing errors. */
  typos: [0, 0.3, 0.5],
  /** The words are all there, not in this order, or not next to each other. */
  scattered: 0.35,
  /** For each word typed that the place has nothing of. */
  droppedWord: 0.5,
  /** A region word read as unfinished, or with a typing error. */
  inexactRegion: 0.05,
} as const;

/** What a place right at the point gains; half of it at `halfMeters`, a twentieth at four times that. */
export const NEARNESS = { most: 0.75, halfMeters: 150_000 } as const;

/** Penalty of a posting by its flags. */
export const flagPenalty = Float64Array.from({ length: 32 }, (_, flags) => {
  const kind = PENALTIES.nameKind[(flags & POSTING.qualityMask) >> POSTING.qualityShift] ?? 0;
  const later = flags & POSTING.isLaterWord ? PENALTIES.laterWord : 0;
  return kind + later + (flags & POSTING.isRespelt ? PENALTIES.respelt : 0);
});

/** Penalty of how the typed words met the key. */
export function matchPenalty(match: number, typos: number): number {
  const met = match === MATCH.exact ? 0 : match === MATCH.words ? PENALTIES.moreWords : PENALTIES.unfinished;
  return met + typoPenalty(typos);
}

export function typoPenalty(typos: number): number {
  return PENALTIES.typos[typos] ?? PENALTIES.typos[2] * typos;
}

export function nearnessBonus(meters: number): number {
  const x = meters / NEARNESS.halfMeters;
  return NEARNESS.most / (1 + x * x);
}
