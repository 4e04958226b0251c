/**
 * Ids of places in a build: their order, the trust in their sources, and a lookup. The letter that
 * starts an id identifies the source.
 */
import { lowerBound } from 'toponym-engine/collections/sorting';
import type { PlaceStore } from '../place-store.ts';

/**
 * Letters of GeoNames (`C` without a GeoNames id), OpenStreetMap (nodes, relations, ways) and Who's On
 * First. Any other letter is a less trusted source of its own.
 */
const TRUSTED_FIRST = ['GC', 'NRW', 'F'] as const;

const LETTER_A = 0x41;
const LETTER_COUNT = 26;
const RANK_BY_LETTER = Uint8Array.from({ length: LETTER_COUNT }, (_, i) => {
  const rank = TRUSTED_FIRST.findIndex((letters) => letters.includes(String.fromCharCode(LETTER_A + i)));
  return rank === -1 ? TRUSTED_FIRST.length + i : rank;
});

/** 0 (most trusted) to 28. Takes the character code of an upper-case letter. */
export function sourceRank(letter: number): number {
  return RANK_BY_LETTER[letter - LETTER_A]!;
}

export function sourceBit(letter: number): number {
  return 1 << sourceRank(letter);
}

/** A place id, such as `G123`. The letter is a character code. */
export interface IdParts {
  readonly letter: number;
  readonly number: number;
}

export function readId(store: PlaceStore, row: number): IdParts {
  return { letter: store.idLetter(row), number: store.idNumber(row) };
}

export function compareByTrust(a: IdParts, b: IdParts): number {
  return sourceRank(a.letter) - sourceRank(b.letter) || orderInSource(a) - orderInSource(b) || a.number - b.number;
}

function orderInSource({ letter }: IdParts): number {
  return TRUSTED_FIRST[sourceRank(letter)]?.indexOf(String.fromCharCode(letter)) ?? 0;
}

export function compareIds(store: PlaceStore, a: number, b: number): number {
  return store.idLetter(a) - store.idLetter(b) || store.idNumber(a) - store.idNumber(b);
}

/** Finds the row with an id among `rows`, by binary search. */
export type FindRow = (id: IdParts) => number | undefined;

export function createIdLookup(store: PlaceStore, rows: Uint32Array): FindRow {
  const sorted = rows.toSorted((a, b) => compareIds(store, a, b));
  return ({ letter, number }) => {
    const compare = (row: number) => store.idLetter(row) - letter || store.idNumber(row) - number;
    const row = sorted[lowerBound(sorted.length, (i) => compare(sorted[i]!) < 0)];
    return row !== undefined && compare(row) === 0 ? row : undefined;
  };
}
