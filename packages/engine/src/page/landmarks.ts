/** Finds the larger town nearest to a place, to distinguish the place from its namesakes. */
import type { PlaceRecord } from '../engine.ts';
import type { Index } from '../index-file/layout.ts';
import { readPopulation, readType } from '../index-file/packed-record.ts';
import type { SpatialIndex } from '../nearest.ts';
import { SUBURBAN_AREA } from '../place/place.ts';
import { WorkBudget } from '../work-budget.ts';
import type { PlaceRecords } from './place-records.ts';

/** People in the country know towns of this size. */
const MIN_POPULATION = 10_000;
/** Maximum number of places to look at. In the embedded data 9 of 10 places need fewer than 200. */
const MAX_WORK = 5000;

export class Landmarks {
  private readonly index: Index;
  readonly records: PlaceRecords;
  readonly spatial: SpatialIndex;
  private readonly work = new WorkBudget(MAX_WORK);
  private readonly nearest = { ids: new Uint32Array(1), meters: new Float64Array(1) };

  constructor(index: Index, { records, spatial }: Pick<Landmarks, 'records' | 'spatial'>) {
    this.index = index;
    this.records = records;
    this.spatial = spatial;
  }

  /** Name of the nearest town with more people in the same country. */
  nameNear({ lat, lng, name, population = 0, regions }: PlaceRecord, language: string | undefined): string | undefined {
    const { index, nearest, work } = this;
    const country = index.metadata.countries.indexOf(regions.countryCode.toUpperCase()) + 1; // ids start at 1; 0: none
    const minPopulation = Math.max(MIN_POPULATION, population + 1);
    const nameOf = (place: number) => this.records.nameIn(place, language);
    const accept = (place: number) =>
      readPopulation(index, place) >= minPopulation &&
      index.placeCountry[place] === country &&
      readType(index, place) !== SUBURBAN_AREA &&
      nameOf(place) !== name;
    work.reset();
    const count = this.spatial.nearest(lat, lng, 1, nearest, { accept, work });
    return count === 0 ? undefined : nameOf(nearest.ids[0]!);
  }
}
