/**
 * The places of a build, packed: 56 bytes a place and 8 a name beside the texts, where objects would take a kilobyte.
 * A place is a row; rows are never changed, only added.
 */

import { GrowingArray } from '../collections/growing-array.ts';
import { Interner } from '../collections/interner.ts';
import { grown } from '../collections/typed-array.ts';
import { NAME_KINDS, PLACE_TYPES, type Place, type PlaceName, type PlaceType } from '../place/place.ts';
import { StringPool } from './pack/string-pool.ts';

/** Words of 32 bits in a row, and which is what. The first two are the number of the id, as a double. */
const WORDS = 14;
const FIELD = {
  /** Letter of the id, type, rank: a byte each. */
  small: 2,
  latE7: 3,
  lngE7: 4,
  population: 5,
  country: 6,
  admin1: 7,
  admin2: 8,
  timezone: 9,
  /** Where the names and external ids of the row end; they begin where those of the row before end. */
  nameEnd: 10,
  externalEnd: 11,
  /** 1..65536; 0 where it is to be worked out. */
  importance: 12,
} as const;
const TYPE_SHIFT = 8;
const RANK_SHIFT = 16;
const UNKNOWN_POPULATION = 0xffff_ffff;
const KIND_BITS = 8;

export class PlaceStore {
  readonly texts = new StringPool();
  length = 0;
  private words = new Int32Array(WORDS * 1024);
  private doubles = new Float64Array(this.words.buffer);
  /** Of each name: where its text is. */
  private readonly nameTexts = new GrowingArray(Uint32Array);
  /** Of each name: its language, and its kind in the low bits. */
  private readonly nameTags = new GrowingArray(Uint32Array);
  private readonly externalTexts = new GrowingArray(Uint32Array);
  private readonly regionKeys = new Interner();
  private readonly countryCodes = new Interner();
  private readonly timezones = new Interner();
  private readonly languages = new Interner();

  /** The row of the place. */
  add(place: Place): number {
    this.reserve();
    for (const { value, kind, language } of place.names) {
      this.nameTexts.push(this.texts.add(value));
      this.nameTags.push((this.languages.intern(language ?? '') << KIND_BITS) | NAME_KINDS.indexOf(kind));
    }
    for (const id of place.externalIds ?? []) this.externalTexts.push(this.texts.add(id));
    const row = this.length++;
    const { words } = this;
    const at = row * WORDS;
    const letter = place.id.charCodeAt(0);
    this.doubles[at / 2] = Number(place.id.slice(1));
    words[at + FIELD.small] =
      letter | (PLACE_TYPES.indexOf(place.type) << TYPE_SHIFT) | (place.adminRank << RANK_SHIFT);
    words[at + FIELD.latE7] = Math.round(place.lat * 1e7);
    words[at + FIELD.lngE7] = Math.round(place.lng * 1e7);
    words[at + FIELD.population] = Math.min(place.population ?? UNKNOWN_POPULATION, UNKNOWN_POPULATION);
    words[at + FIELD.country] = this.countryCodes.intern(place.country);
    words[at + FIELD.admin1] = this.regionKeys.intern(place.admin1 ?? '');
    words[at + FIELD.admin2] = this.regionKeys.intern(place.admin2 ?? '');
    words[at + FIELD.timezone] = this.timezones.intern(place.timezone ?? '');
    words[at + FIELD.importance] = place.importance === undefined ? 0 : 1 + Math.round(place.importance * 0xffff);
    words[at + FIELD.nameEnd] = this.nameTexts.length;
    words[at + FIELD.externalEnd] = this.externalTexts.length;
    return row;
  }

  place(row: number): Place {
    const admin1 = this.admin1(row);
    const admin2 = this.admin2(row);
    const population = this.population(row);
    const timezone = this.timezone(row);
    const importance = this.importance(row);
    const externalIds = Array.from(this.externalTextsOf(row), (text) => this.texts.textAt(text));
    return {
      id: String.fromCharCode(this.letter(row)) + this.number(row),
      type: this.type(row),
      names: this.names(row),
      lat: this.latE7(row) / 1e7,
      lng: this.lngE7(row) / 1e7,
      country: this.country(row),
      ...(admin1 === '' ? {} : { admin1 }),
      ...(admin2 === '' ? {} : { admin2 }),
      ...(population === undefined ? {} : { population }),
      ...(timezone === '' ? {} : { timezone }),
      adminRank: this.adminRank(row),
      ...(importance === undefined ? {} : { importance: importance / 0xffff }),
      ...(externalIds.length === 0 ? {} : { externalIds }),
    };
  }

  /** Code of the letter that names the source. */
  letter(row: number): number {
    return this.field(row, FIELD.small) & 0xff;
  }

  number(row: number): number {
    return this.doubles[(row * WORDS) / 2]!;
  }

  type(row: number): PlaceType {
    return PLACE_TYPES[(this.field(row, FIELD.small) >>> TYPE_SHIFT) & 0xff]!;
  }

  adminRank(row: number): number {
    return (this.field(row, FIELD.small) >>> RANK_SHIFT) & 0xff;
  }

  latE7(row: number): number {
    return this.field(row, FIELD.latE7);
  }

  lngE7(row: number): number {
    return this.field(row, FIELD.lngE7);
  }

  population(row: number): number | undefined {
    const population = this.field(row, FIELD.population) >>> 0;
    return population === UNKNOWN_POPULATION ? undefined : population;
  }

  /** 0..65535 where it was set by hand. */
  importance(row: number): number | undefined {
    const stored = this.field(row, FIELD.importance);
    return stored === 0 ? undefined : stored - 1;
  }

  country(row: number): string {
    return this.countryCodes.strings[this.field(row, FIELD.country)]!;
  }

  /** Empty where there is none. */
  admin1(row: number): string {
    return this.regionKeys.strings[this.field(row, FIELD.admin1)]!;
  }

  admin2(row: number): string {
    return this.regionKeys.strings[this.field(row, FIELD.admin2)]!;
  }

  /** Empty where it is not known. */
  timezone(row: number): string {
    return this.timezones.strings[this.field(row, FIELD.timezone)]!;
  }

  /** The names of a row are those from here to `nameEnd`. */
  nameStart(row: number): number {
    return row === 0 ? 0 : this.nameEnd(row - 1);
  }

  nameEnd(row: number): number {
    return this.field(row, FIELD.nameEnd);
  }

  /** Where the text of a name is in `texts`. */
  nameText(name: number): number {
    return this.nameTexts.at(name);
  }

  /** Empty where it is not known. */
  nameLanguage(name: number): string {
    return this.languages.strings[this.nameTags.at(name) >>> KIND_BITS]!;
  }

  /** Number of its kind in NAME_KINDS. */
  nameKind(name: number): number {
    return this.nameTags.at(name) & ((1 << KIND_BITS) - 1);
  }

  names(row: number): PlaceName[] {
    const names: PlaceName[] = [];
    for (let name = this.nameStart(row); name < this.nameEnd(row); name++) {
      const value = this.texts.textAt(this.nameText(name));
      const kind = NAME_KINDS[this.nameKind(name)]!;
      const language = this.nameLanguage(name);
      names.push(language === '' ? { value, kind } : { value, kind, language });
    }
    return names;
  }

  /** Where its external ids are in `texts`: equal ids are at equal positions. */
  externalTextsOf(row: number): Uint32Array {
    const start = row === 0 ? 0 : this.field(row - 1, FIELD.externalEnd);
    return this.externalTexts.view().subarray(start, this.field(row, FIELD.externalEnd));
  }

  private field(row: number, field: number): number {
    return this.words[row * WORDS + field]!;
  }

  private reserve(): void {
    if ((this.length + 1) * WORDS <= this.words.length) return;
    this.words = grown(this.words);
    this.doubles = new Float64Array(this.words.buffer);
  }
}
