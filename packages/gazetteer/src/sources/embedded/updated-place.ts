/** A place of 2023 with the main name, the point and the divisions of the newer list. */
import { definedFields, type Place, type PlaceName, SEVERAL_LANGUAGES } from 'toponym-engine/place/place';
import type { LatLng } from 'toponym-engine/place/sphere';
import { fold } from 'toponym-engine/text/fold';
import { addedNames } from '../geonames/added-names.ts';
import { listedLanguages } from '../geonames/assign-languages.ts';
import { romanize, similarity } from '../geonames/similarity.ts';
import type { DivisionKeys } from '../regions/known-divisions.ts';
import { areOneInOther } from './join.ts';

export interface Update extends LatLng {
  /** Undefined for a place that the list lacks. */
  readonly name: string | undefined;
  readonly divisions: DivisionKeys;
}

export function updatePlace(place: Place, { name, lat, lng, divisions }: Update): Place {
  const { admin1, admin2, ...rest } = place;
  const names = name === undefined ? place.names : withMainName(place, name);
  return { ...rest, ...divisions, lat, lng, names };
}

function withMainName(place: Place, mainName: string): readonly PlaceName[] {
  const [last, ...others] = place.names;
  if (last === undefined || last.value === mainName) return place.names;
  return [
    { value: mainName, kind: 'main' },
    isFormerName(last.value, mainName)
      ? { ...last, kind: 'historic', language: SEVERAL_LANGUAGES }
      : { ...last, ...definedFields({ language: listedLanguage(place) }) },
    // of a place with an English name, the main name would count as the local one
    ...others.filter((name) => name.value !== mainName || (name.language !== undefined && name.language !== 'en')),
  ];
}

/** The language of the main name, if a table says so: Göteborg is Swedish. */
function listedLanguage({ id, names, country }: Place): string | undefined {
  const name = names[0]!.value;
  const added = addedNames(id.slice(1)).find(({ value }) => value === name);
  return listedLanguages(country, name)[0] ?? added?.language;
}

const MIN_SIMILAR_SPELLING = 0.75;

/** Whether the place was renamed: Belgaum is a former name of Belagavi, Göteborg only another of Gothenburg. */
export function isFormerName(name: string, newName: string): boolean {
  const [before, after] = [romanize(name), romanize(newName)];
  if (similarity(before, after) >= MIN_SIMILAR_SPELLING || consonants(before) === consonants(after)) return false;
  return !areOneInOther(fold(name), fold(newName));
}

/** Roughly how the consonants sound: the same for Mecca and Makkah. */
function consonants(romanized: string): string {
  return romanized
    .replace(/^al(?=.{3})|[aeiouyh']/g, '')
    .replace(/[cgqjx]/g, 'k')
    .replace(/[pvwf]/g, 'b')
    .replace(/z/g, 's')
    .replace(/d/g, 't')
    .replace(/(.)\1+/g, '$1');
}
