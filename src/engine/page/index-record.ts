/** A place's record, whose fields are read from the index on access. */
import { readExtent } from '../../index-file/extent.ts';
import type { Index } from '../../index-file/layout.ts';
import {
  readImportance,
  readLatE7,
  readLngE7,
  readObjectId,
  readPopulation,
  readTimezone,
  readType,
} from '../../index-file/packed-record.ts';
import { type BoundingBox, boxAround } from '../../place/bounding-box.ts';
import { PLACE_TYPES, type PlaceType } from '../../place/place.ts';
import { settlementRadiusMeters } from '../../place/settlement-radius.ts';
import type { PlaceRecord, RecordRegions } from '../engine.ts';
import { MAX_IMPORTANCE } from '../rank/scores.ts';
import type { StoredText } from './stored-text.ts';

/** The parts of a record that depend on the language. */
type RecordTexts = Pick<IndexRecord, 'nameText' | 'regions' | 'city'>;

export class IndexRecord implements PlaceRecord {
  readonly nameText: StoredText;
  readonly regions: RecordRegions;
  readonly city: string | undefined;
  private readonly index: Index;
  private readonly place: number;

  constructor(index: Index, place: number, { nameText, regions, city }: RecordTexts) {
    this.index = index;
    this.place = place;
    this.nameText = nameText;
    this.regions = regions;
    this.city = city;
  }

  get objectID(): string {
    return readObjectId(this.index, this.place);
  }

  get name(): string {
    return this.nameText.text;
  }

  get type(): PlaceType {
    return PLACE_TYPES[readType(this.index, this.place)]!;
  }

  get population(): number | undefined {
    const population = readPopulation(this.index, this.place);
    return population === 0 ? undefined : population;
  }

  get importance(): number {
    const importance = readImportance(this.index, this.place) / MAX_IMPORTANCE;
    return Math.round(importance * 10_000) / 10_000;
  }

  get timezone(): string | undefined {
    const timezone = this.index.metadata.timezones[readTimezone(this.index, this.place)];
    return timezone === '' ? undefined : timezone;
  }

  get lat(): number {
    return readLatE7(this.index, this.place) / 1e7;
  }

  get lng(): number {
    return readLngE7(this.index, this.place) / 1e7;
  }

  get box(): BoundingBox {
    return readExtent(this.index, this.place) ?? this.estimatedBox();
  }

  private estimatedBox(): BoundingBox {
    const { lat, lng, type, population } = this;
    return boxAround({ lat, lng, radiusMeters: settlementRadiusMeters(type, population ?? 0) });
  }
}
