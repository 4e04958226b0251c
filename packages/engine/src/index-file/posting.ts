/**
 * A posting: 32 bits with the dense id of the place that a key leads to, and flags of the names
 * that give the key. A lower dense id is a more important place.
 *
 * Keys have no marks (accents and punctuation). The key `sao` may stand for a plain name (Sao), a
 * marked name (São), or both. `duesseldorf` stands for neither: it is a respelling of Düsseldorf.
 */
import type { Sections } from './layout.ts';

export const POSTING = {
  /** Low 27 bits: the dense id. */
  placeMask: 0x07ff_ffff,
  /** High 5 bits: the flags. The masks below apply after this shift. */
  flagShift: 27,
  /** No plain name of the place gives this key. */
  lacksPlainName: 0b1,
  /** Quality of the name: 0 main or local, 1 alternate, 2 romanised, 3 historic, code, postcode. */
  qualityShift: 1,
  qualityMask: 0b110,
  isLaterWord: 0b1000,
  /** No marked name of the place gives this key. A respelling has both `lacks…` flags. */
  lacksMarkedName: 0b10000,
  /** Postings per entry of `postingBlocks`. */
  blockSize: 64,
  /** Longer ranges have lists of top places: see build/names/name-index.ts. */
  longRange: 128,
  /** Maximum lengths of the lists of a range, by `postingClass`. */
  topSizes: [40, 40, 8],
} as const;

export function isMainName(flags: number): boolean {
  return (flags & POSTING.qualityMask) === 0;
}

/** Whether the name is a former one, a code or a postcode. */
export function isFormerName(flags: number): boolean {
  return (flags & POSTING.qualityMask) === POSTING.qualityMask;
}

export function isMainFromStart(flags: number): boolean {
  return (flags & (POSTING.qualityMask | POSTING.isLaterWord)) === 0;
}

/** Lower is better. The order is quality, then plain and marked, only plain, only marked. */
export function postingCost(posting: number): number {
  const flags = posting >>> POSTING.flagShift;
  const quality = (flags & POSTING.qualityMask) >> POSTING.qualityShift;
  return 4 * quality + (flags & POSTING.lacksPlainName ? 2 : 0) + (flags & POSTING.lacksMarkedName ? 1 : 0);
}

/** Class of match: 0 main name, 1 alternate name, 2 later word. */
export function postingClass(posting: number): 0 | 1 | 2 {
  const flags = posting >>> POSTING.flagShift;
  if ((flags & POSTING.isLaterWord) !== 0) return 2;
  return isMainName(flags) ? 0 : 1;
}

/** Which of a place's names gives the posting at `position`. 0 is the main name. */
export function findNameOrdinal(
  { placeSlots, slotPosting, slotName }: Pick<Sections, 'placeSlots' | 'slotPosting' | 'slotName'>,
  place: number,
  position: number | undefined,
): number {
  for (let slot = placeSlots[place]!; slot < placeSlots[place + 1]!; slot++) {
    if (slotPosting[slot] === position) return slotName[slot]!;
  }
  return 0;
}
