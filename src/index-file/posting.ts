/**
 * A posting: 32 bits that say which place a key leads to and how.
 * Lower flags are better matches; place ids are in importance order, so lower ids are better places.
 */
export const POSTING = {
  /** Low bits: the place. Room for 134 million. */
  placeMask: 0x07ff_ffff,
  flagShift: 27,
  /** Of the flags: no name is written just like the key, without accents and signs. */
  isNotPlain: 1,
  /** Two bits: 0 main name, 1 alternate, 2 historic or code, 3 machine romanisation. */
  qualityShift: 1,
  qualityMask: 0b110,
  /** The key begins at a later word of the name. */
  isLaterWord: 0b1000,
  /** No name with accents or signs folds to the key. */
  isNotMarked: 0b10000,
  /** Postings of one entry of `postingBlocks`. */
  blockSize: 64,
  /** Runs longer than this have their best postings listed. */
  longRun: 128,
  /** How many are listed of each class: by the main name, by another name, by a later word. */
  topSizes: [40, 40, 8],
} as const;

export function isMainName(flags: number): boolean {
  return (flags & POSTING.qualityMask) === 0;
}

/** Whether the key is, or begins, the main name. */
export function isMainFromStart(flags: number): boolean {
  return (flags & (POSTING.qualityMask | POSTING.isLaterWord)) === 0;
}

/** By the kind of name, how little a posting is liked: kinds 2 and 3 the other way round. */
const KIND_COSTS = [0, 1, 3, 2] as const;

/** Orders the postings that one place has in a run, the best first: by the kind of name, then by how it is written. */
export function postingCost(posting: number): number {
  const flags = posting >>> POSTING.flagShift;
  const kind = KIND_COSTS[(flags & POSTING.qualityMask) >> POSTING.qualityShift] ?? 0;
  return 4 * kind + (flags & POSTING.isNotPlain ? 2 : 0) + (flags & POSTING.isNotMarked ? 1 : 0);
}

/** Which of the lists a posting belongs to. */
export function postingClass(posting: number): 0 | 1 | 2 {
  const flags = posting >>> POSTING.flagShift;
  if ((flags & POSTING.isLaterWord) !== 0) return 2;
  return isMainName(flags) ? 0 : 1;
}
