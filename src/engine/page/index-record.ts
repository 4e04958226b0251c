/** One place as answers show it. What it shows is read from the index when it is asked for. */
import type { Index } from '../../index-file/layout.ts';
import {
  importanceOf,
  latE7Of,
  lngE7Of,
  numberOf,
  objectIdOf,
  populationOf,
  sourceOf,
  timezoneOf,
  typeOf,
} from '../../index-file/packed-record.ts';
import { PLACE_TYPES, type PlaceType } from '../../place/place.ts';
import type { PlaceRecord, StoredRecord } from '../engine.ts';
import type { PlaceRegions } from './place-records.ts';
import type { StoredText } from './stored-text.ts';

const DEGREE = 1e7;
const MOST_IMPORTANT = 0xffff;
const IMPORTANCE_STEPS = 10_000;

export class IndexRecord implements PlaceRecord, StoredRecord {
  readonly storedName: StoredText;
  readonly regionsMemo: PlaceRegions;
  private readonly index: Index;
  private readonly place: number;

  constructor(index: Index, place: number, shown: { readonly name: StoredText; readonly regions: PlaceRegions }) {
    this.index = index;
    this.place = place;
    this.storedName = shown.name;
    this.regionsMemo = shown.regions;
  }

  get stored(): StoredRecord {
    return this;
  }

  get objectID(): string {
    return objectIdOf(this.index, this.place);
  }

  get idLetter(): number {
    return sourceOf(this.index, this.place);
  }

  get idNumber(): number {
    return numberOf(this.index, this.place);
  }

  get name(): string {
    return this.storedName.text;
  }

  get type(): PlaceType {
    return PLACE_TYPES[typeOf(this.index, this.place)]!;
  }

  get country(): string {
    return this.regionsMemo.country;
  }

  get countryCode(): string {
    return this.regionsMemo.countryCode;
  }

  get administrative(): readonly string[] {
    return this.regionsMemo.administrative;
  }

  get county(): readonly string[] {
    return this.regionsMemo.county;
  }

  get population(): number | undefined {
    const population = populationOf(this.index, this.place);
    return population === 0 ? undefined : population;
  }

  get importance(): number {
    return Math.round((importanceOf(this.index, this.place) / MOST_IMPORTANT) * IMPORTANCE_STEPS) / IMPORTANCE_STEPS;
  }

  get timezone(): string | undefined {
    return this.index.head.timezones[timezoneOf(this.index, this.place)] || undefined;
  }

  get lat(): number {
    return latE7Of(this.index, this.place) / DEGREE;
  }

  get lng(): number {
    return lngE7Of(this.index, this.place) / DEGREE;
  }
}
