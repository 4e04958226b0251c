/**
 * Compact storage for the places of a build: 56 bytes per place, 8 per name, and the strings. A
 * place is a row. The names of all rows are numbered consecutively.
 */

import { Interner } from 'toponym-engine/collections/sets';
import { GrowingArray, grown, sharedArray } from 'toponym-engine/collections/typed-array';
import { MAX_IMPORTANCE } from 'toponym-engine/index-file/layout';
import { EXTENT_NUMBERS } from 'toponym-engine/index-file/packed-record';
import type { BoundingBox } from 'toponym-engine/place/bounding-box';
import {
  definedFields,
  NAME_KINDS,
  PLACE_TYPES,
  type Place,
  type PlaceName,
  type PlaceType,
} from 'toponym-engine/place/place';
import type { LatLng } from 'toponym-engine/place/sphere';
import { StringList, StringPool } from './string-pool.ts';

/** Even, so that the double at the start of each row is aligned. */
const WORDS_PER_ROW = 14;
/** Offsets in 32-bit words. Words 0 and 1 hold the digits of the id, as a double. */
const FIELD = {
  /** From the lowest byte: letter of the id, type, administrative rank, whether the population is only likely. */
  letterTypeRank: 2,
  latE7: 3,
  lngE7: 4,
  population: 5, // unsigned: `>>> 0` restores it
  country: 6,
  admin1: 7,
  admin2: 8,
  timezone: 9,
  /** Exclusive end of the names of the row. */
  nameEnd: 10,
  externalEnd: 11,
  /** 1 + the importance (0 to 65535), or 0 if the place has none. */
  importance: 12,
  /** 1 + the number of the box, or 0 if the place has none. */
  box: 13,
} as const;
const TYPE_SHIFT = 8;
const RANK_SHIFT = 16;
const LIKELY_SHIFT = 24;
const UNKNOWN_POPULATION = 0xffff_ffff; // also stands for a larger number
const KIND_BITS = 8;
/** The highest bit of a kind: see `PlaceName.isUnranked`. */
const UNRANKED = 1 << (KIND_BITS - 1);

/** What another thread needs to read the names and countries of the rows that the store has now. */
export type SharedNames = ReturnType<PlaceStore['shareNames']>;

export class PlaceStore {
  /** Equal names are repeated here, because only the index needs them once. */
  readonly nameTexts: StringList;
  readonly externalIds = new StringPool(new Uint8Array(0));
  length: number;
  private words: Int32Array;
  private doubles: Float64Array;
  private readonly nameOffsets: GrowingArray<Uint32Array>;
  /** The kind and UNRANKED are in the low KIND_BITS, the number of the language in the others. */
  private readonly nameKindsAndLanguages: GrowingArray<Uint32Array>;
  private readonly externalOffsets = new GrowingArray(Uint32Array);
  /** West, south, east and north of each box, in degrees × 10^7. */
  private readonly boxesE7 = new GrowingArray(Int32Array);
  /** By row. Few places have airports. */
  private readonly edgeAirports = new Map<number, readonly LatLng[]>();
  readonly regionKeys = new Interner();
  readonly countryCodes = new Interner();
  private readonly timezones = new Interner();
  readonly languages = new Interner();

  /** In a store with the names of another thread, only names and countries can be read. */
  constructor(shared?: SharedNames) {
    this.length = shared?.length ?? 0;
    this.nameTexts = new StringList(shared?.nameTexts);
    this.words = shared?.words ?? sharedArray(Int32Array);
    this.doubles = new Float64Array(this.words.buffer, 0, this.words.length / 2);
    this.nameOffsets = new GrowingArray(Uint32Array, shared?.nameOffsets ?? sharedArray(Uint32Array));
    this.nameKindsAndLanguages = new GrowingArray(
      Uint32Array,
      shared?.nameKindsAndLanguages ?? sharedArray(Uint32Array),
    );
    for (const code of shared?.countryCodes ?? []) this.countryCodes.intern(code);
    for (const language of shared?.languages ?? []) this.languages.intern(language);
  }

  /** Returns the row. */
  add(place: Place): number {
    if ((this.length + 1) * WORDS_PER_ROW > this.words.length) {
      this.words = grown(this.words);
      this.doubles = new Float64Array(this.words.buffer, 0, this.words.length / 2);
    }
    for (const { value, kind, language, isUnranked } of place.names) {
      this.nameOffsets.push(this.nameTexts.append(value));
      const kindBits = NAME_KINDS.indexOf(kind) | (isUnranked ? UNRANKED : 0);
      this.nameKindsAndLanguages.push((this.languages.intern(language ?? '') << KIND_BITS) | kindBits);
    }
    for (const id of place.externalIds ?? []) this.externalOffsets.push(this.externalIds.add(id));
    const row = this.length++;
    const { words } = this;
    const at = row * WORDS_PER_ROW;
    const letter = place.id.charCodeAt(0);
    this.doubles[at / 2] = Number(place.id.slice(1));
    const isLikely = Number(place.population === undefined && place.likelyPopulation !== undefined);
    words[at + FIELD.letterTypeRank] =
      letter |
      (PLACE_TYPES.indexOf(place.type) << TYPE_SHIFT) |
      (place.adminRank << RANK_SHIFT) |
      (isLikely << LIKELY_SHIFT);
    words[at + FIELD.latE7] = Math.round(place.lat * 1e7);
    words[at + FIELD.lngE7] = Math.round(place.lng * 1e7);
    const population = place.population ?? place.likelyPopulation ?? UNKNOWN_POPULATION;
    words[at + FIELD.population] = Math.min(population, UNKNOWN_POPULATION);
    words[at + FIELD.country] = this.countryCodes.intern(place.country);
    words[at + FIELD.admin1] = this.regionKeys.intern(place.admin1 ?? '');
    words[at + FIELD.admin2] = this.regionKeys.intern(place.admin2 ?? '');
    words[at + FIELD.timezone] = this.timezones.intern(place.timezone ?? '');
    words[at + FIELD.importance] =
      place.importance === undefined ? 0 : 1 + Math.round(place.importance * MAX_IMPORTANCE);
    words[at + FIELD.box] = place.box === undefined ? 0 : this.addBox(place.box);
    if (place.edgeAirports !== undefined) this.edgeAirports.set(row, place.edgeAirports);
    words[at + FIELD.nameEnd] = this.nameOffsets.length;
    words[at + FIELD.externalEnd] = this.externalOffsets.length;
    return row;
  }

  shareNames() {
    return {
      length: this.length,
      words: this.words,
      nameOffsets: this.nameOffsets.view(),
      nameKindsAndLanguages: this.nameKindsAndLanguages.view(),
      nameTexts: this.nameTexts.share(),
      countryCodes: this.countryCodes.strings,
      languages: this.languages.strings,
    };
  }

  place(row: number): Place {
    const importance = this.importance(row);
    const externalIds = Array.from(this.externalIdOffsets(row), (offset) => this.externalIds.at(offset));
    return {
      id: String.fromCharCode(this.idLetter(row)) + this.idNumber(row),
      type: this.type(row),
      names: this.names(row),
      lat: this.latE7(row) / 1e7,
      lng: this.lngE7(row) / 1e7,
      country: this.country(row),
      adminRank: this.adminRank(row),
      ...definedFields({
        admin1: this.admin1(row) || undefined,
        admin2: this.admin2(row) || undefined,
        population: this.population(row),
        likelyPopulation: this.population(row) === undefined ? this.likelyPopulation(row) : undefined,
        timezone: this.timezone(row) || undefined,
        importance: importance === undefined ? undefined : importance / MAX_IMPORTANCE,
        externalIds: externalIds.length === 0 ? undefined : externalIds,
        box: this.box(row),
        edgeAirports: this.edgeAirports.get(row),
      }),
    };
  }

  /** Character code of the letter that starts the id. */
  idLetter(row: number): number {
    return this.field(row, FIELD.letterTypeRank) & 0xff;
  }

  idNumber(row: number): number {
    return this.doubles[(row * WORDS_PER_ROW) / 2]!;
  }

  type(row: number): PlaceType {
    return PLACE_TYPES[(this.field(row, FIELD.letterTypeRank) >>> TYPE_SHIFT) & 0xff]!;
  }

  adminRank(row: number): number {
    return (this.field(row, FIELD.letterTypeRank) >>> RANK_SHIFT) & 0xff;
  }

  latE7(row: number): number {
    return this.field(row, FIELD.latE7);
  }

  lngE7(row: number): number {
    return this.field(row, FIELD.lngE7);
  }

  population(row: number): number | undefined {
    const isLikely = this.field(row, FIELD.letterTypeRank) >>> LIKELY_SHIFT !== 0;
    return isLikely ? undefined : this.likelyPopulation(row);
  }

  /** The population or, if it is unknown, the likely one. */
  likelyPopulation(row: number): number | undefined {
    const population = this.field(row, FIELD.population) >>> 0;
    return population === UNKNOWN_POPULATION ? undefined : population;
  }

  /** From 0 to 65535. */
  importance(row: number): number | undefined {
    const stored = this.field(row, FIELD.importance);
    return stored === 0 ? undefined : stored - 1;
  }

  country(row: number): string {
    return this.countryCodes.strings[this.countryNumber(row)]!;
  }

  /** Region key, or empty. */
  admin1(row: number): string {
    return this.regionKeys.strings[this.admin1Number(row)]!;
  }

  /** Region key, or empty. */
  admin2(row: number): string {
    return this.regionKeys.strings[this.admin2Number(row)]!;
  }

  /** Number in `countryCodes`. */
  countryNumber(row: number): number {
    return this.field(row, FIELD.country);
  }

  /** Number in `regionKeys`. */
  admin1Number(row: number): number {
    return this.field(row, FIELD.admin1);
  }

  /** Number in `regionKeys`. */
  admin2Number(row: number): number {
    return this.field(row, FIELD.admin2);
  }

  /** Empty if unknown. */
  timezone(row: number): string {
    return this.timezones.strings[this.field(row, FIELD.timezone)]!;
  }

  nameStart(row: number): number {
    return row === 0 ? 0 : this.nameEnd(row - 1);
  }

  nameEnd(row: number): number {
    return this.field(row, FIELD.nameEnd);
  }

  /** Number of names of these rows. */
  nameCount(rows: Uint32Array): number {
    return rows.reduce((sum, row) => sum + this.nameEnd(row) - this.nameStart(row), 0);
  }

  /** Offset in `nameTexts`. */
  nameOffset(name: number): number {
    return this.nameOffsets.at(name);
  }

  nameText(name: number): string {
    return this.nameTexts.at(this.nameOffset(name));
  }

  /** Empty if unknown. */
  nameLanguage(name: number): string {
    return this.languages.strings[this.nameLanguageNumber(name)]!;
  }

  /** Number in `languages`. */
  nameLanguageNumber(name: number): number {
    return this.nameKindsAndLanguages.at(name) >>> KIND_BITS;
  }

  /** Index in NAME_KINDS. */
  nameKind(name: number): number {
    return this.nameKindsAndLanguages.at(name) & (UNRANKED - 1);
  }

  /** See `PlaceName.isUnranked`. */
  isNameUnranked(name: number): boolean {
    return (this.nameKindsAndLanguages.at(name) & UNRANKED) !== 0;
  }

  names(row: number): PlaceName[] {
    const names: PlaceName[] = [];
    for (let name = this.nameStart(row); name < this.nameEnd(row); name++) {
      const value = this.nameText(name);
      const kind = NAME_KINDS[this.nameKind(name)]!;
      const language = this.nameLanguage(name) || undefined;
      const isUnranked = this.isNameUnranked(name) || undefined;
      names.push({ value, kind, ...definedFields({ language, isUnranked }) });
    }
    return names;
  }

  /** Offsets in `externalIds`. Equal ids have equal offsets. */
  externalIdOffsets(row: number): Uint32Array {
    const start = row === 0 ? 0 : this.field(row - 1, FIELD.externalEnd);
    return this.externalOffsets.view().subarray(start, this.field(row, FIELD.externalEnd));
  }

  /** West, south, east and north in degrees × 10^7. */
  boxE7(row: number): Int32Array | undefined {
    const end = this.field(row, FIELD.box) * EXTENT_NUMBERS;
    return end === 0 ? undefined : this.boxesE7.view().subarray(end - EXTENT_NUMBERS, end);
  }

  airportsOf(row: number): readonly LatLng[] {
    return this.edgeAirports.get(row) ?? [];
  }

  private box(row: number): BoundingBox | undefined {
    const boxE7 = this.boxE7(row);
    if (boxE7 === undefined) return undefined;
    const [west = 0, south = 0, east = 0, north = 0] = Array.from(boxE7, (degreesE7) => degreesE7 / 1e7);
    return { south, west, north, east };
  }

  /** Returns 1 + the number of the box. */
  private addBox({ west, south, east, north }: BoundingBox): number {
    for (const degrees of [west, south, east, north]) this.boxesE7.push(Math.round(degrees * 1e7));
    return this.boxesE7.length / EXTENT_NUMBERS;
  }

  private field(row: number, field: number): number {
    return this.words[row * WORDS_PER_ROW + field]!;
  }
}
