/** The same settlement listed twice: of one name, in one region, a few kilometres apart. */
import type { Index } from '../index-file/layout.ts';
import { distanceMeters, HALF_CIRCUMFERENCE_METERS } from '../place/sphere.ts';
import type { PlaceRecords } from './place-records.ts';
import { isFoldedAlike } from './stored-text.ts';

/** Seats of a district are often listed beside the town itself; real namesakes are hardly ever this near. */
const TWIN_METERS = 8000;
const DEGREE = 1e7;
/** What is farther to the north or south is farther away, whatever its longitude; rounded up. */
const TWIN_LAT_E7 = Math.ceil(((TWIN_METERS * 180) / HALF_CIRCUMFERENCE_METERS) * DEGREE);

export class Twins {
  private readonly index: Index;
  private readonly records: PlaceRecords;
  private count = 0;
  private readonly places: Uint32Array;
  /** Their regions of the first level. */
  private readonly regions: Uint32Array;

  constructor(index: Index, records: PlaceRecords, most: number) {
    this.index = index;
    this.records = records;
    this.places = new Uint32Array(most);
    this.regions = new Uint32Array(most);
  }

  /** Forgets all places. */
  clear(): void {
    this.count = 0;
  }

  /** Whether a place repeats one that was added before; if not, it is added. */
  isRepeated(place: number): boolean {
    const { regions, count } = this;
    const region = this.index.placeAdmin1[place]!;
    for (let i = 0; i < count; i++) {
      if (regions[i] === region && this.isTwin(place, this.places[i]!)) return true;
    }
    regions[count] = region;
    this.places[count] = place;
    this.count++;
    return false;
  }

  private isTwin(place: number, other: number): boolean {
    const { placeCountry, placeLatE7, placeLngE7 } = this.index;
    if (placeCountry[place] !== placeCountry[other]) return false;
    const [latE7, otherLatE7] = [placeLatE7[place]!, placeLatE7[other]!];
    if (Math.abs(latE7 - otherLatE7) > TWIN_LAT_E7) return false;
    const lngs = [placeLngE7[place]! / DEGREE, placeLngE7[other]! / DEGREE] as const;
    if (distanceMeters(latE7 / DEGREE, lngs[0], otherLatE7 / DEGREE, lngs[1]) >= TWIN_METERS) return false;
    return isFoldedAlike(this.records.storedMainName(place), this.records.storedMainName(other));
  }
}
