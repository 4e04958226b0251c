/**
 * Compact storage for the places of a build: about 50 bytes per place, 8 per name, and the strings.
 * A place is a row of the columns. The names of all rows are numbered consecutively.
 */

import { Interner } from '../collections/sets.ts';
import { GrowingArray } from '../collections/typed-array.ts';
import { EXTENT_NUMBERS } from '../index-file/extent.ts';
import type { BoundingBox } from '../place/bounding-box.ts';
import { definedFields, NAME_KINDS, PLACE_TYPES, type Place, type PlaceName, type PlaceType } from '../place/place.ts';
import type { LatLng } from '../place/sphere.ts';
import { StringPool } from './string-pool.ts';

const UNKNOWN_POPULATION = 0xffff_ffff; // also stands for a larger number
const KIND_BITS = 8;

export class PlaceStore {
  readonly strings = new StringPool();
  /** Character code of the letter that starts the id. */
  readonly idLetter = new GrowingArray(Uint8Array);
  readonly idNumber = new GrowingArray(Float64Array);
  readonly adminRank = new GrowingArray(Uint8Array);
  readonly latE7 = new GrowingArray(Int32Array);
  readonly lngE7 = new GrowingArray(Int32Array);
  /** Exclusive end of the names of the row. */
  readonly nameEnd = new GrowingArray(Uint32Array);
  /** By number of the name: its offset in `strings`. */
  readonly nameOffset = new GrowingArray(Uint32Array);
  /** By number of the name: the kind in the low KIND_BITS, the number of the language in the others. */
  private readonly nameKindsAndLanguages = new GrowingArray(Uint32Array);
  private readonly types = new GrowingArray(Uint8Array);
  private readonly populations = new GrowingArray(Uint32Array);
  private readonly countries = new GrowingArray(Uint32Array);
  private readonly admin1Keys = new GrowingArray(Uint32Array);
  private readonly admin2Keys = new GrowingArray(Uint32Array);
  private readonly timezones = new GrowingArray(Uint32Array);
  /** 1 + the importance (0 to 65535), or 0 if the place has none. */
  private readonly importances = new GrowingArray(Uint32Array);
  private readonly externalEnds = new GrowingArray(Uint32Array);
  private readonly externalOffsets = new GrowingArray(Uint32Array);
  /** By row. Few places have airports or boxes. Boxes are west, south, east and north in degrees × 10^7. */
  private readonly airports = new Map<number, readonly LatLng[]>();
  private readonly boxesE7 = new GrowingArray(Int32Array);
  /** 1 + the number of the box in `boxesE7`, or 0 if the place has none. */
  private readonly boxNumbers = new GrowingArray(Uint32Array);
  /** Country codes, region keys, time zones and languages. */
  private readonly codes = new Interner();

  get length(): number {
    return this.idLetter.length;
  }

  /** Returns the row. */
  add(place: Place): number {
    for (const { value, kind, language = '' } of place.names) {
      this.nameOffset.push(this.strings.add(value));
      this.nameKindsAndLanguages.push((this.codes.intern(language) << KIND_BITS) | NAME_KINDS.indexOf(kind));
    }
    for (const id of place.externalIds ?? []) this.externalOffsets.push(this.strings.add(id));
    this.idNumber.push(Number(place.id.slice(1)));
    this.types.push(PLACE_TYPES.indexOf(place.type));
    this.adminRank.push(place.adminRank);
    this.latE7.push(Math.round(place.lat * 1e7));
    this.lngE7.push(Math.round(place.lng * 1e7));
    this.populations.push(Math.min(place.population ?? UNKNOWN_POPULATION, UNKNOWN_POPULATION));
    this.countries.push(this.codes.intern(place.country));
    this.admin1Keys.push(this.codes.intern(place.admin1 ?? ''));
    this.admin2Keys.push(this.codes.intern(place.admin2 ?? ''));
    this.timezones.push(this.codes.intern(place.timezone ?? ''));
    this.importances.push(place.importance === undefined ? 0 : 1 + Math.round(place.importance * 0xffff));
    this.boxNumbers.push(place.box === undefined ? 0 : this.addBox(place.box));
    if (place.airports !== undefined) this.airports.set(this.length, place.airports);
    this.nameEnd.push(this.nameOffset.length);
    this.externalEnds.push(this.externalOffsets.length);
    this.idLetter.push(place.id.charCodeAt(0)); // last, because it determines `length`
    return this.length - 1;
  }

  place(row: number): Place {
    const importance = this.importance(row);
    const externalIds = Array.from(this.externalIdOffsets(row), (offset) => this.strings.at(offset));
    return {
      id: String.fromCharCode(this.idLetter.at(row)) + this.idNumber.at(row),
      type: this.type(row),
      names: this.names(row),
      lat: this.latE7.at(row) / 1e7,
      lng: this.lngE7.at(row) / 1e7,
      country: this.country(row),
      adminRank: this.adminRank.at(row),
      ...definedFields({
        admin1: this.admin1(row) || undefined,
        admin2: this.admin2(row) || undefined,
        population: this.population(row),
        timezone: this.timezone(row) || undefined,
        importance: importance === undefined ? undefined : importance / 0xffff,
        externalIds: externalIds.length === 0 ? undefined : externalIds,
        box: this.box(row),
        airports: this.airports.get(row),
      }),
    };
  }

  type(row: number): PlaceType {
    return PLACE_TYPES[this.types.at(row)]!;
  }

  population(row: number): number | undefined {
    const population = this.populations.at(row);
    return population === UNKNOWN_POPULATION ? undefined : population;
  }

  /** From 0 to 65535. */
  importance(row: number): number | undefined {
    const stored = this.importances.at(row);
    return stored === 0 ? undefined : stored - 1;
  }

  country(row: number): string {
    return this.codes.strings[this.countries.at(row)]!;
  }

  /** Region key, or empty. */
  admin1(row: number): string {
    return this.codes.strings[this.admin1Keys.at(row)]!;
  }

  /** Region key, or empty. */
  admin2(row: number): string {
    return this.codes.strings[this.admin2Keys.at(row)]!;
  }

  /** Empty if unknown. */
  timezone(row: number): string {
    return this.codes.strings[this.timezones.at(row)]!;
  }

  nameStart(row: number): number {
    return row === 0 ? 0 : this.nameEnd.at(row - 1);
  }

  /** Number of names of these rows. */
  nameCount(rows: Uint32Array): number {
    return rows.reduce((sum, row) => sum + this.nameEnd.at(row) - this.nameStart(row), 0);
  }

  /** Empty if unknown. */
  nameLanguage(name: number): string {
    return this.codes.strings[this.nameKindsAndLanguages.at(name) >>> KIND_BITS]!;
  }

  /** Index in NAME_KINDS. */
  nameKind(name: number): number {
    return this.nameKindsAndLanguages.at(name) & ((1 << KIND_BITS) - 1);
  }

  names(row: number): PlaceName[] {
    const names: PlaceName[] = [];
    for (let name = this.nameStart(row); name < this.nameEnd.at(row); name++) {
      const value = this.strings.at(this.nameOffset.at(name));
      const kind = NAME_KINDS[this.nameKind(name)]!;
      const language = this.nameLanguage(name);
      names.push(language === '' ? { value, kind } : { value, kind, language });
    }
    return names;
  }

  /** Offsets in `strings`. Equal ids have equal offsets. */
  externalIdOffsets(row: number): Uint32Array {
    const start = row === 0 ? 0 : this.externalEnds.at(row - 1);
    return this.externalOffsets.view().subarray(start, this.externalEnds.at(row));
  }

  /** West, south, east and north in degrees × 10^7. */
  boxE7(row: number): Int32Array | undefined {
    const end = this.boxNumbers.at(row) * EXTENT_NUMBERS;
    return end === 0 ? undefined : this.boxesE7.view().subarray(end - EXTENT_NUMBERS, end);
  }

  airportsOf(row: number): readonly LatLng[] {
    return this.airports.get(row) ?? [];
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
}
