/**
 * Finds the country and divisions of an OpenStreetMap element by the administrative boundaries
 * around it, or else by its own tags.
 */

import { addToGroup } from 'toponym-engine/collections/sets';
import type { Country, Place, Region } from 'toponym-engine/place/place';
import type { WorldBorders } from 'toponym-engine/place/world-borders';
import { loadWorldBorders } from 'toponym-files/load-world-borders';
import { createCountries } from '../regions/countries.ts';
import {
  codeAliases,
  createRegion,
  firstNameByLanguage,
  namedDivisionKey,
  type OtherNames,
} from '../regions/regions.ts';
import type { OsmArea, OsmAreaData } from './areas.ts';
import type { Tags } from './elements.ts';
import { isoCountry, isoDivision, mainName, readNames, taggedCountry } from './tags.ts';

// in order of preference: most countries use 4 and 6, but Liechtenstein's communes have level 8
const ADMIN1_LEVELS = [4, 3, 5, 6, 7, 8] as const;
const ADMIN2_LEVELS = [6, 5, 7, 8] as const;
const ADMIN1_NAME_TAGS = ['is_in:state', 'addr:state', 'is_in:province', 'addr:province', 'is_in:region'] as const;
const ADMIN2_NAME_TAGS = ['is_in:county', 'addr:county', 'is_in:district', 'addr:district'] as const;

export class OsmDivisions {
  readonly regions: Region[] = [];
  readonly #regionKeys = new Set<string>();
  readonly #areasByCell = new Map<number, OsmArea[]>();
  readonly #codesByName: ReadonlyMap<string, string>;
  readonly #defaultCountry: string | undefined;
  readonly #borders: WorldBorders | undefined;
  readonly #extractCountry: string | undefined;

  /** `defaultCountry` is that of elements without a boundary or tag of a country. By default guessed. */
  constructor(areaData: OsmAreaData, defaultCountry: string | undefined) {
    for (const area of areaData.areas) if (area.adminLevel !== undefined) this.#addArea(area);
    this.#codesByName = codesByName(createCountries());
    this.#defaultCountry = defaultCountry;
    this.#borders = defaultCountry === undefined ? loadWorldBorders() : undefined;
    this.#extractCountry = this.#findExtractCountry(areaData);
  }

  /** Adds the divisions to `regions`. Returns undefined if the country is unknown. */
  locate(lat: number, lng: number, tags: Tags): Pick<Place, 'country' | 'admin1' | 'admin2'> | undefined {
    const enclosing = this.#findEnclosing(lat, lng);
    const country = this.#findCountry(enclosing, tags) ?? this.#defaultCountry ?? this.#guessCountry(lat, lng);
    if (country === undefined) return undefined;
    const area1 = findByLevel(enclosing, ADMIN1_LEVELS);
    const admin1 =
      area1 === undefined ? this.#keyByName(tags, ADMIN1_NAME_TAGS, country) : this.#keyByArea(area1, country);
    if (admin1 === undefined) return { country };
    const area2 = findByLevel(enclosing, ADMIN2_LEVELS, area1?.adminLevel);
    const admin2 =
      area2 === undefined ? this.#keyByName(tags, ADMIN2_NAME_TAGS, admin1) : this.#keyByArea(area2, admin1);
    return admin2 === undefined ? { country, admin1 } : { country, admin1, admin2 };
  }

  /** Adds the area to the cells of a one-degree grid. */
  #addArea(area: OsmArea): void {
    const box = area.outline?.boundingBox();
    if (box === undefined) return;
    for (let lat = Math.floor(box.south); lat <= box.north; lat++) {
      for (let lng = Math.floor(box.west); lng <= box.east; lng++) {
        addToGroup(this.#areasByCell, cellKey(lat, lng), area);
      }
    }
  }

  #findEnclosing(lat: number, lng: number): OsmArea[] {
    const candidates = this.#areasByCell.get(cellKey(Math.floor(lat), Math.floor(lng))) ?? [];
    return candidates.filter(({ outline }) => outline?.contains(lat, lng));
  }

  /** Prefers the innermost boundary, because Hong Kong's is within China's. */
  #findCountry(enclosing: readonly OsmArea[], tags: Tags): string | undefined {
    const innermostFirst = [...enclosing].sort((a, b) => (b.adminLevel ?? 0) - (a.adminLevel ?? 0));
    for (const area of innermostFirst) {
      // the name of an area is the name of a country only at level 2
      const code = area.adminLevel === 2 ? this.#countryCode(area.tags) : isoCountry(area.tags);
      if (code !== undefined) return code;
    }
    for (const area of innermostFirst) {
      const [country] = isoDivision(area.tags) ?? [];
      if (country !== undefined) return country;
    }
    return this.#findCode(taggedCountry(tags));
  }

  /** Guesses by the world borders, except at sea and near the country of the extract. */
  #guessCountry(lat: number, lng: number): string | undefined {
    const byBorders = this.#borders?.countryAt(lat, lng);
    const extractCountry = this.#extractCountry;
    if (extractCountry === undefined || byBorders === extractCountry) return byBorders;
    const isAtSea = byBorders === undefined;
    return isAtSea || this.#borders?.isNear(extractCountry, lat, lng) === true ? extractCountry : byBorders;
  }

  /** Finds the country that the extract was cut for. */
  #findExtractCountry({ areas, countryNodes }: OsmAreaData): string | undefined {
    const countryAreas = areas.filter(({ adminLevel }) => adminLevel === 2);
    const completeAreas = countryAreas.filter(({ outline }) => outline !== undefined);
    const partialAreas = countryAreas.filter(({ outline }) => outline === undefined);
    const codesOf = (elements: readonly { readonly tags: Tags }[]) =>
      new Set(elements.map(({ tags }) => this.#countryCode(tags)));
    const [only, ...others] = codesOf(countryNodes.length > 0 ? countryNodes : partialAreas);
    // if the boundary is complete, a point outside all boundaries is not in this country
    const hasCompleteBoundary = codesOf(completeAreas).has(only);
    return others.length > 0 || hasCompleteBoundary ? undefined : only;
  }

  /** `tags` must be those of a country's boundary or node. */
  #countryCode(tags: Tags): string | undefined {
    return isoCountry(tags) ?? this.#findCode(tags.get('name:en')) ?? this.#findCode(tags.get('name'));
  }

  #findCode(nameOrCode: string | undefined): string | undefined {
    return nameOrCode === undefined ? undefined : this.#codesByName.get(nameOrCode.trim().toLowerCase());
  }

  #keyByArea(area: OsmArea, parentKey: string): string {
    const key = `${parentKey}.${area.kind}${area.id}`;
    if (this.#regionKeys.has(key)) return key;
    const [main, ...others] = readNames(area.tags);
    const currentNames = others.filter(({ kind }) => kind !== 'historic');
    const [country = '', code = ''] = isoDivision(area.tags) ?? [];
    const aliases = [...currentNames.map(({ value }) => value), ...codeAliases(country, code)];
    return this.#addRegion(key, main?.value ?? '', { aliases, translations: firstNameByLanguage(currentNames) });
  }

  #keyByName(tags: Tags, tagKeys: readonly string[], parentKey: string): string | undefined {
    const name = tagKeys.map((tagKey) => tags.get(tagKey)?.trim() ?? '').find((text) => text !== '');
    if (name === undefined) return undefined;
    const key = namedDivisionKey(parentKey, name);
    return this.#regionKeys.has(key) ? key : this.#addRegion(key, name);
  }

  #addRegion(key: string, name: string, others?: OtherNames): string {
    this.#regionKeys.add(key);
    this.regions.push(createRegion(key, name, others));
    return key;
  }
}

/** Finds a named area in the order of `levels`, below the level of the parent. */
function findByLevel(enclosing: readonly OsmArea[], levels: readonly number[], parentLevel = 0): OsmArea | undefined {
  for (const level of levels) {
    if (level <= parentLevel) continue;
    const area = enclosing.find(({ adminLevel, tags }) => adminLevel === level && mainName(tags) !== undefined);
    if (area !== undefined) return area;
  }
  return undefined;
}

function cellKey(lat: number, lng: number): number {
  return lat * 1000 + lng;
}

/** Country codes by lower-case name, alias and code. */
function codesByName(countries: readonly Country[]): Map<string, string> {
  const codes = new Map<string, string>();
  for (const { code, name, aliases } of countries) {
    for (const text of [name, ...aliases]) {
      const key = text.toLowerCase();
      if (!codes.has(key)) codes.set(key, code);
    }
  }
  // a code wins over an alias of another country
  for (const { code } of countries) codes.set(code.toLowerCase(), code);
  return codes;
}
