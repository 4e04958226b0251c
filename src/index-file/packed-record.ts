/**
 * A card of each place: what a record shows of it lies together. As columns, each of these facts would be read from another
 * part of memory. Some are columns besides, for what looks at one fact of many places.
 */
import type { Sections } from './layout.ts';

type Cards = Pick<Sections, 'placeCards'>;

/** Words of 32 bits, and which is which. */
export const CARD = {
  words: 8,
  numberLow: 0,
  /** The number's other 21 bits, then 3 of the type, then 8 of the letter of the source. */
  numberHigh: 1,
  latE7: 2,
  lngE7: 3,
  population: 4,
  /** Where the main name is in `texts`. */
  name: 5,
  admin2: 6,
  /** The importance in the lower half, the time zone in the upper. */
  importanceAndTimezone: 7,
  highMask: 0x1f_ffff,
  typeShift: 21,
  typeMask: 7,
  sourceShift: 24,
  halfShift: 16,
  halfMask: 0xffff,
} as const;

const TWO_32 = 2 ** 32;

export interface PlaceCard {
  readonly source: number;
  readonly number: number;
  readonly type: number;
  readonly latE7: number;
  readonly lngE7: number;
  readonly population: number;
  readonly name: number;
  readonly admin2: number;
  readonly importance: number;
  readonly timezone: number;
}

export function writeCard(cards: Uint32Array, place: number, card: PlaceCard): void {
  const at = place * CARD.words;
  const high = Math.floor(card.number / TWO_32);
  cards[at + CARD.numberLow] = card.number % TWO_32;
  cards[at + CARD.numberHigh] = high | (card.type << CARD.typeShift) | (card.source << CARD.sourceShift);
  cards[at + CARD.latE7] = card.latE7;
  cards[at + CARD.lngE7] = card.lngE7;
  cards[at + CARD.population] = card.population;
  cards[at + CARD.name] = card.name;
  cards[at + CARD.admin2] = card.admin2;
  cards[at + CARD.importanceAndTimezone] = card.importance | (card.timezone << CARD.halfShift);
}

/** The letter before the number of an object id. */
export function sourceOf({ placeCards }: Cards, place: number): number {
  return placeCards[place * CARD.words + CARD.numberHigh]! >>> CARD.sourceShift;
}

export function numberOf({ placeCards }: Cards, place: number): number {
  const at = place * CARD.words;
  return placeCards[at + CARD.numberLow]! + (placeCards[at + CARD.numberHigh]! & CARD.highMask) * TWO_32;
}

export function objectIdOf(cards: Cards, place: number): string {
  return String.fromCharCode(sourceOf(cards, place)) + numberOf(cards, place);
}

/** Where the main name is in `texts`. */
export function mainNameOf({ placeCards }: Cards, place: number): number {
  return placeCards[place * CARD.words + CARD.name]!;
}

/** Its number in the list of types. */
export function typeOf({ placeCards }: Cards, place: number): number {
  return (placeCards[place * CARD.words + CARD.numberHigh]! >>> CARD.typeShift) & CARD.typeMask;
}

export function latE7Of({ placeCards }: Cards, place: number): number {
  return placeCards[place * CARD.words + CARD.latE7]! | 0;
}

export function lngE7Of({ placeCards }: Cards, place: number): number {
  return placeCards[place * CARD.words + CARD.lngE7]! | 0;
}

/** 0..65535 */
export function importanceOf({ placeCards }: Cards, place: number): number {
  return placeCards[place * CARD.words + CARD.importanceAndTimezone]! & CARD.halfMask;
}

/** Region id; 0 for none. */
export function admin2Of({ placeCards }: Cards, place: number): number {
  return placeCards[place * CARD.words + CARD.admin2]!;
}

/** 0 where it is not known. */
export function populationOf({ placeCards }: Cards, place: number): number {
  return placeCards[place * CARD.words + CARD.population]!;
}

/** Its number in the list of time zones. */
export function timezoneOf({ placeCards }: Cards, place: number): number {
  return placeCards[place * CARD.words + CARD.importanceAndTimezone]! >>> CARD.halfShift;
}
