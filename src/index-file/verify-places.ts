/** Checks places, names, ids, regions and the k-d tree. The functions throw IndexFormatError. */
import { MAX_ADMIN_RANK, NAME_KINDS, PLACE_TYPES } from '../place/place.ts';
import type { Index } from './layout.ts';
import { damagedSection } from './open-index.ts';
import {
  EXTENT_NUMBERS,
  readAdmin2,
  readIdLetter,
  readImportance,
  readLatE7,
  readLngE7,
  readShownNameOffset,
  readTimezone,
  readType,
} from './packed-record.ts';

const MAX_LAT_E7 = 90e7;
const MAX_LNG_E7 = 180e7;
const LETTER_A = 0x41;
const LETTER_Z = 0x5a;
/** Tolerance for squared lengths, because coordinates are 32-bit floats. */
const MAX_LENGTH_ERROR = 1e-5;

/** Regions must ascend by level (0 for countries) and follow their parents. Region 0 means none. */
export function verifyRegions({ metadata, regionParent, regionLevel }: Index): void {
  const countries = metadata.countries.length;
  for (let region = 0; region < regionLevel.length; region++) {
    const level = regionLevel[region]!;
    const isDivision = region > countries;
    const minLevel = isDivision ? Math.max(1, regionLevel[region - 1]!) : 0;
    const maxLevel = isDivision ? 2 : 0;
    if (level < minLevel || level > maxLevel) {
      throw damagedSection('regionLevel', `region ${region} has level ${level}`);
    }
    const maxParent = region === 0 ? 0 : region - 1;
    if (regionParent[region]! > maxParent) {
      throw damagedSection('regionParent', `region ${region} has a later region as its parent`);
    }
  }
}

export function verifyTranslations({ metadata, regionTranslations, translationLanguage }: Index): void {
  verifyAscending(regionTranslations, 'regionTranslations', { end: translationLanguage.length, minStep: 0 });
  verifyLanguages(translationLanguage, 'translationLanguage', metadata.languages.length);
}

export function verifyNames(index: Index): void {
  const { metadata, nameLanguage, nameKind } = index;
  verifyNameRanges(index);
  verifyLanguages(nameLanguage, 'nameLanguage', metadata.languages.length);
  for (let name = 0; name < nameKind.length; name++) {
    if (nameKind[name]! >= NAME_KINDS.length) throw damagedSection('nameKind', `name ${name} has an unknown kind`);
  }
}

function verifyNameRanges({ placeNames, nameKind }: Index): void {
  verifyAscending(placeNames, 'placeNames', { end: nameKind.length, minStep: 1 });
}

function verifyLanguages(languageIds: Uint16Array, section: string, languages: number): void {
  for (let name = 0; name < languageIds.length; name++) {
    if (languageIds[name]! >= languages) throw damagedSection(section, `name ${name} has an unknown language`);
  }
}

export function verifyPlaces(index: Index): void {
  const { metadata, placeType, placeLatE7, placeLngE7, placeImportance, placeRank } = index;
  const { placeCountry, placeAdmin1, placeAdmin2 } = index;
  const outOfRange = (section: string, place: number) =>
    damagedSection(section, `place ${place} has a value out of range`);
  const countries = metadata.countries.length;
  const regions = index.regionText.length;
  for (let place = 0; place < metadata.places; place++) {
    if (placeType[place]! >= PLACE_TYPES.length) throw outOfRange('placeType', place);
    if (Math.abs(placeLatE7[place]!) > MAX_LAT_E7) throw outOfRange('placeLatE7', place);
    if (Math.abs(placeLngE7[place]!) > MAX_LNG_E7) throw outOfRange('placeLngE7', place);
    if (place > 0 && placeImportance[place]! > placeImportance[place - 1]!) throw outOfRange('placeImportance', place);
    if (placeRank[place]! > MAX_ADMIN_RANK) throw outOfRange('placeRank', place);
    if (placeCountry[place]! > countries) throw outOfRange('placeCountry', place);
    if (placeAdmin1[place]! >= regions) throw outOfRange('placeAdmin1', place);
    if (placeAdmin2[place]! >= regions) throw outOfRange('placeAdmin2', place);
  }
}

/** Fields must agree with the sections that repeat them. */
export function verifyPackedRecords(index: Index): void {
  verifyNameRanges(index); // `hasName` depends on it
  const { placeType, placeLatE7, placeLngE7, placeAdmin2, placeImportance } = index;
  const timezones = index.metadata.timezones.length;
  for (let place = 0; place < placeType.length; place++) {
    const letter = readIdLetter(index, place);
    const isConsistent =
      readType(index, place) === placeType[place] &&
      letter >= LETTER_A &&
      letter <= LETTER_Z &&
      readLatE7(index, place) === placeLatE7[place] &&
      readLngE7(index, place) === placeLngE7[place] &&
      hasName(index, place, readShownNameOffset(index, place)) &&
      readAdmin2(index, place) === placeAdmin2[place] &&
      readImportance(index, place) === placeImportance[place] &&
      readTimezone(index, place) < timezones;
    if (!isConsistent) throw damagedSection('packedRecords', `the record of place ${place} contradicts its columns`);
  }
}

/** Without a view of the names of each place, which would take 0.2 s with two million places. */
function hasName({ placeNames, nameText }: Index, place: number, textOffset: number): boolean {
  for (let name = placeNames[place]!; name < placeNames[place + 1]!; name++) {
    if (nameText[name] === textOffset) return true;
  }
  return false;
}

/** Extents must be in the order of places, each at most one. South must not exceed north. */
export function verifyExtents({ extentPlace, extentE7 }: Index): void {
  for (let i = 0; i < extentPlace.length; i++) {
    if (i > 0 && extentPlace[i]! <= extentPlace[i - 1]!) {
      throw damagedSection('extentPlace', `entry ${i} is out of order`);
    }
    const [west, south, east, north] = extentE7.subarray(i * EXTENT_NUMBERS, (i + 1) * EXTENT_NUMBERS);
    const isInRange = Math.abs(west!) <= MAX_LNG_E7 && Math.abs(east!) <= MAX_LNG_E7;
    if (!isInRange || south! < -MAX_LAT_E7 || south! > north! || north! > MAX_LAT_E7) {
      throw damagedSection('extentE7', `entry ${i} is not a box`);
    }
  }
}

/** Airports must be in the order of places. */
export function verifyAirports({ airportPlace, airportE7 }: Index): void {
  for (let i = 0; i < airportPlace.length; i++) {
    if (i > 0 && airportPlace[i]! < airportPlace[i - 1]!) {
      throw damagedSection('airportPlace', `entry ${i} is out of order`);
    }
    const [lat, lng] = airportE7.subarray(2 * i, 2 * i + 2);
    if (Math.abs(lat!) > MAX_LAT_E7 || Math.abs(lng!) > MAX_LNG_E7) {
      throw damagedSection('airportE7', `entry ${i} is not a point`);
    }
  }
}

/** Every place must be in the tree once. */
export function verifyKdTree({ treeIds, treeCoords }: Index): void {
  const seen = new Uint8Array(treeIds.length);
  for (let i = 0; i < treeIds.length; i++) {
    const place = treeIds[i]!;
    if (place >= seen.length || seen[place] === 1)
      throw damagedSection('treeIds', `entry ${i} is not a place, or repeats one`);
    seen[place] = 1;
    const x = treeCoords[3 * i]!;
    const y = treeCoords[3 * i + 1]!;
    const z = treeCoords[3 * i + 2]!;
    const isUnit = Math.abs(x * x + y * y + z * z - 1) < MAX_LENGTH_ERROR; // false for NaN
    if (!isUnit) throw damagedSection('treeCoords', `entry ${i} is not on the unit sphere`);
  }
}

export function verifyPlaceIds(ids: Uint32Array, places: number, section: string): void {
  for (let i = 0; i < ids.length; i++) {
    if (ids[i]! >= places) throw damagedSection(section, `entry ${i} refers to place ${ids[i]} of ${places}`);
  }
}

/** Offsets must run from 0 to `end`, each at least `minStep` higher than the previous one. */
export function verifyAscending(
  offsets: Uint32Array,
  section: string,
  { end, minStep }: { end: number; minStep: number },
): void {
  if (offsets[0] !== 0 || offsets.at(-1) !== end) throw damagedSection(section, 'it does not cover its table');
  for (let i = 1; i < offsets.length; i++) {
    if (offsets[i]! < offsets[i - 1]! + minStep) throw damagedSection(section, `entry ${i} is out of order`);
  }
}
