/**
 * A posting: 32 bits with the dense id of the place that a key leads to, and flags that describe
 * the names of the place that give the key. A lower dense id is a more important place.
 *
 * Keys have no marks (accents and punctuation). For one place, the key `sao` may stand for a plain
 * name (Sao), for a marked name (São), or for both, if the place has both. `duesseldorf` stands for
 * neither: it is a respelling of Düsseldorf. Queries with marks prefer places that have the marked
 * name; queries without marks prefer places that have the plain name.
 */
export const POSTING = {
  /** Low 27 bits: the dense id, up to 134 million. */
  placeMask: 0x07ff_ffff,
  /** The flags are the high 5 bits; the masks below apply after this shift. */
  flagShift: 27,
  /** Flag: no plain name of the place gives this key: the place is called São, but never Sao. */
  lacksPlainName: 0b1,
  /**
   * Two flag bits, the name's quality, the best first: 0 main, 1 alternate, 2 romanised, 3 historic
   * or code. Local names count as main names: see build/names/local-scripts.ts.
   */
  qualityShift: 1,
  qualityMask: 0b110,
  /** Flag: the key starts at a later word of the name. */
  isLaterWord: 0b1000,
  /** Flag: no marked name of the place gives this key. A respelling has both `lacks…` flags. */
  lacksMarkedName: 0b10000,
  /** Postings per entry of `postingBlocks`. */
  blockSize: 64,
  /** Longer ranges of postings have lists of their top places: see build/names/range-tops.ts. */
  longRange: 128,
  /** Maximum lengths of a range's three lists: of main names, alternate names and later words. */
  topSizes: [40, 40, 8],
} as const;

export function isMainName(flags: number): boolean {
  return (flags & POSTING.qualityMask) === 0;
}

/** Whether the key starts at the first word of a main name. */
export function isMainFromStart(flags: number): boolean {
  return (flags & (POSTING.qualityMask | POSTING.isLaterWord)) === 0;
}

/** Lower is better: by quality, then plain and marked, only plain, only marked, neither. */
export function postingCost(posting: number): number {
  const flags = posting >>> POSTING.flagShift;
  const quality = (flags & POSTING.qualityMask) >> POSTING.qualityShift;
  return 4 * quality + (flags & POSTING.lacksPlainName ? 2 : 0) + (flags & POSTING.lacksMarkedName ? 1 : 0);
}

/** Class of match: main name, alternate name or later word, as an index in `topSizes`. */
export function postingClass(posting: number): 0 | 1 | 2 {
  const flags = posting >>> POSTING.flagShift;
  if ((flags & POSTING.isLaterWord) !== 0) return 2;
  return isMainName(flags) ? 0 : 1;
}
