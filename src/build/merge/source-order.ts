/**
 * Sources by the letter of their ids, and the order in which they are believed: GeoNames, OpenStreetMap, Who's On First,
 * then all others by letter. The three kinds of OpenStreetMap element are one source.
 */
const ORDER = ['G', 'NWR', 'F'] as const;

const LETTER_A = 0x41;
const LETTERS = 26;
const PLACES = Uint8Array.from({ length: LETTERS }, (_, i) => {
  const known = ORDER.findIndex((letters) => letters.includes(String.fromCharCode(LETTER_A + i)));
  return known === -1 ? ORDER.length + i : known;
});

/** 0..28, equal for letters of one source. The letter is an upper-case one, as its code. */
export function sourceOf(letter: number): number {
  return PLACES[letter - LETTER_A]!;
}

/** Of several sources, each has a bit. */
export function sourceBit(letter: number): number {
  return 1 << sourceOf(letter);
}

export interface SourceId {
  readonly letter: number;
  readonly number: number;
}

/** Which of several ids of one settlement it keeps: the first by source, then by letter, then the smallest. */
export function compareByTrust(a: SourceId, b: SourceId): number {
  return sourceOf(a.letter) - sourceOf(b.letter) || a.letter - b.letter || a.number - b.number;
}
