/**
 * A posting: 32 bits with the place that a key refers to and flags for how it matches. Lower flags
 * are better matches. Place ids are in importance order, so lower ids are better places.
 */
export const POSTING = {
  /** Low bits: the place, up to 134 million. */
  placeMask: 0x07ff_ffff,
  flagShift: 27,
  /** Flag: no name without accents or punctuation is spelled exactly like the key. */
  isNotPlain: 1,
  /** Two flag bits: 0 main name, 1 alternate, 2 historic or code, 3 machine romanisation. */
  qualityShift: 1,
  qualityMask: 0b110,
  /** Flag: the key starts at a later word of the name. */
  isLaterWord: 0b1000,
  /** Flag: no name with accents or punctuation folds to the key. */
  isNotMarked: 0b10000,
  /** Postings per entry of `postingBlocks`. */
  blockSize: 64,
  /** Longer ranges have lists of their best postings. */
  longRange: 128,
  /** Maximum length of the list of each class: main name, alternate name, later word. */
  topSizes: [40, 40, 8],
} as const;

export function isMainName(flags: number): boolean {
  return (flags & POSTING.qualityMask) === 0;
}

/** Whether the key starts at the first word of a main name. */
export function isMainFromStart(flags: number): boolean {
  return (flags & (POSTING.qualityMask | POSTING.isLaterWord)) === 0;
}

/** Cost by quality: a machine romanisation (3) costs less than a historic name or code (2). */
const QUALITY_COSTS = [0, 1, 3, 2] as const;

/** Orders the postings of one place in a range, best first: by kind of name, then by spelling. */
export function postingCost(posting: number): number {
  const flags = posting >>> POSTING.flagShift;
  const quality = QUALITY_COSTS[(flags & POSTING.qualityMask) >> POSTING.qualityShift] ?? 0;
  return 4 * quality + (flags & POSTING.isNotPlain ? 2 : 0) + (flags & POSTING.isNotMarked ? 1 : 0);
}

/** Index in `topSizes` of the list that a posting belongs to. */
export function postingClass(posting: number): 0 | 1 | 2 {
  const flags = posting >>> POSTING.flagShift;
  if ((flags & POSTING.isLaterWord) !== 0) return 2;
  return isMainName(flags) ? 0 : 1;
}
