/** Detects settlements listed twice: same name and first-level division, a few kilometres apart. */
import type { Index } from '../../index-file/layout.ts';
import { distanceMeters, METERS_PER_DEGREE } from '../../place/sphere.ts';
import type { PlaceRecords } from './place-records.ts';
import { isSameWhenFolded } from './stored-text.ts';

/** Two entries of one town are closer than this. Few other namesakes are. */
const DUPLICATE_METERS = 8000;
/** DUPLICATE_METERS in degrees of latitude × 10^7, for a check without trigonometry. */
const DUPLICATE_LAT_E7 = Math.ceil((DUPLICATE_METERS / METERS_PER_DEGREE) * 1e7);

type PlaceColumns = Pick<Index, 'placeAdmin1' | 'placeCountry' | 'placeLatE7' | 'placeLngE7'>;
type MainNames = Pick<PlaceRecords, 'mainNameText'>;

export class Duplicates {
  private readonly index: PlaceColumns;
  private readonly names: MainNames;
  rejectedCount = 0;
  private acceptedCount = 0;
  private readonly places: Uint32Array;
  private readonly divisions: Uint32Array;

  constructor(index: PlaceColumns, names: MainNames, maxPlaces: number) {
    this.index = index;
    this.names = names;
    this.places = new Uint32Array(maxPlaces);
    this.divisions = new Uint32Array(maxPlaces);
  }

  clear(): void {
    this.acceptedCount = 0;
    this.rejectedCount = 0;
  }

  /** Whether a place duplicates an accepted place. If not, this method accepts it. */
  rejects(place: number): boolean {
    const { divisions, acceptedCount } = this;
    const division = this.index.placeAdmin1[place]!;
    for (let i = 0; i < acceptedCount; i++) {
      if (divisions[i] !== division || !this.isDuplicateInDivision(place, this.places[i]!)) continue;
      this.rejectedCount++;
      return true;
    }
    divisions[acceptedCount] = division;
    this.places[acceptedCount] = place;
    this.acceptedCount++;
    return false;
  }

  /** Whether two places with the same division id (0 if they have none) are duplicates. */
  private isDuplicateInDivision(place: number, other: number): boolean {
    const { placeCountry, placeLatE7, placeLngE7 } = this.index;
    if (placeCountry[place] !== placeCountry[other]) return false;
    if (Math.abs(placeLatE7[place]! - placeLatE7[other]!) > DUPLICATE_LAT_E7) return false;
    const [lat, otherLat] = [placeLatE7[place]! / 1e7, placeLatE7[other]! / 1e7];
    const [lng, otherLng] = [placeLngE7[place]! / 1e7, placeLngE7[other]! / 1e7];
    if (distanceMeters(lat, lng, otherLat, otherLng) >= DUPLICATE_METERS) return false;
    return isSameWhenFolded(this.names.mainNameText(place), this.names.mainNameText(other));
  }
}
