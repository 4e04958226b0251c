/**
 * A posting: 32 bits with the dense id of the place that a key leads to, and flags for how well
 * the key matches the place. Dense ids are in importance order, so lower ids are better places.
 * A query prefers names written like it, with or without accents: `isNotPlain` and `isNotMarked`
 * say how the names were written.
 */
export const POSTING = {
  /** Low 27 bits: the dense id, up to 134 million. */
  placeMask: 0x07ff_ffff,
  /** The flags are the high 5 bits; the masks below apply after this shift. */
  flagShift: 27,
  /** Flag: the place has no name that is written like the key, without accents and punctuation. */
  isNotPlain: 1,
  /** Two flag bits, the name's quality: 0 main, 1 alternate, 2 historic or code, 3 romanised. */
  qualityShift: 1,
  qualityMask: 0b110,
  /** Flag: the key starts at a later word of the name. */
  isLaterWord: 0b1000,
  /** Flag: the place has no name that is written like the key, but with accents or punctuation. */
  isNotMarked: 0b10000,
  /** Postings per entry of `postingBlocks`. */
  blockSize: 64,
  /** Lists of the best postings are stored for ranges of more postings than this. */
  longRange: 128,
  /** Maximum length of these lists, one per class of posting: main name, alternate, later word. */
  topSizes: [40, 40, 8],
} as const;

export function isMainName(flags: number): boolean {
  return (flags & POSTING.qualityMask) === 0;
}

/** Whether the key starts at the first word of a main name. */
export function isMainFromStart(flags: number): boolean {
  return (flags & (POSTING.qualityMask | POSTING.isLaterWord)) === 0;
}

/** Cost by quality: a romanised name (3) costs less than a historic name or code (2). */
const QUALITY_COSTS = [0, 1, 3, 2] as const;

/** Orders the postings of one place: the lowest cost is the best kind of name, then spelling. */
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
