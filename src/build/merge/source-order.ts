/**
 * Sources by the letter of their ids, and their order of trust: GeoNames, OpenStreetMap, Who's On
 * First, then all others by letter. The three kinds of OpenStreetMap element are one source.
 */
const TRUSTED_FIRST = ['G', 'NWR', 'F'] as const;

const LETTER_A = 0x41;
const LETTERS = 26;
const RANK_BY_LETTER = Uint8Array.from({ length: LETTERS }, (_, i) => {
  const rank = TRUSTED_FIRST.findIndex((letters) => letters.includes(String.fromCharCode(LETTER_A + i)));
  return rank === -1 ? TRUSTED_FIRST.length + i : rank;
});

/** Rank of a source, 0 (most trusted) to 28. Takes the character code of an upper-case letter. */
export function sourceRank(letter: number): number {
  return RANK_BY_LETTER[letter - LETTER_A]!;
}

/** A bit for the source, so that sources can be combined into a set. */
export function sourceBit(letter: number): number {
  return 1 << sourceRank(letter);
}

export interface SourceId {
  readonly letter: number;
  readonly number: number;
}

/** Orders the ids of a settlement by source, letter and number. It keeps the first one. */
export function compareByTrust(a: SourceId, b: SourceId): number {
  return sourceRank(a.letter) - sourceRank(b.letter) || a.letter - b.letter || a.number - b.number;
}
