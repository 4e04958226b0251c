/**
 * Finds the country and divisions of a point from the administrative boundaries in an OpenStreetMap
 * extract. Admin levels differ between countries: usually 4 is the first level and 6 the second. A
 * place that is in no boundary of level 4 or 6 gets the nearest other level (Andorra's parishes
 * have level 7, Liechtenstein's communes level 8).
 */
import type { Country } from '../../place/gazetteer.ts';
import type { Region } from '../../place/place.ts';
import { codeAliases, createRegion, namedDivisionKey } from '../regions/regions.ts';
import type { OsmArea, OsmAreas } from './areas.ts';
import type { Tags } from './elements.ts';
import { readNames } from './names.ts';
import { UNITS_PER_DEGREE } from './outline.ts';
import { isoCountry, isoDivision, taggedCountry } from './tags.ts';
import type { WorldBorders } from './world-borders.ts';

export interface OsmLocation {
  readonly country: string;
  readonly admin1?: string;
  readonly admin2?: string;
}

export interface OsmDivisionsOptions {
  readonly countries: readonly Country[];
  /** Country of places outside all country boundaries; without it, `borders` decides. */
  readonly defaultCountry?: string | undefined;
  readonly borders?: WorldBorders | undefined;
}

/** Admin levels of first- and second-level divisions, in order of preference. */
const ADMIN1_LEVELS = [4, 3, 5, 6, 7, 8] as const;
const ADMIN2_LEVELS = [6, 5, 7, 8] as const;
/** Tags with the names of an element's divisions. */
const ADMIN1_NAME_TAGS = ['is_in:state', 'addr:state', 'is_in:province', 'addr:province', 'is_in:region'] as const;
const ADMIN2_NAME_TAGS = ['is_in:county', 'addr:county', 'is_in:district', 'addr:district'] as const;

export class OsmDivisions {
  /** The divisions of all located points. */
  readonly regions: Region[] = [];
  readonly #keys = new Set<string>();
  readonly #areasByCell = new Map<number, OsmArea[]>();
  readonly #codesByName: ReadonlyMap<string, string>;
  readonly #defaultCountry: string | undefined;
  readonly #borders: WorldBorders | undefined;
  /** The country of the whole extract, if it has a node or partial boundary but no complete one. */
  readonly #extractCountry: string | undefined;

  constructor({ areas, countryNodes }: Pick<OsmAreas, 'areas' | 'countryNodes'>, options: OsmDivisionsOptions) {
    for (const area of areas) if (area.adminLevel !== undefined) this.#addArea(area);
    this.#codesByName = codesByName(options.countries);
    this.#defaultCountry = options.defaultCountry;
    this.#borders = options.borders;
    this.#extractCountry = this.#findExtractCountry(areas, countryNodes);
  }

  /** Locates the element at a point in degrees. Undefined if its country is unknown. */
  locate(lat: number, lng: number, tags: Tags): OsmLocation | undefined {
    const enclosing = this.#findEnclosing(lat, lng);
    const country = this.#findCountry(enclosing, tags) ?? this.#defaultCountry ?? this.#countryAt(lat, lng);
    if (country === undefined) return undefined;
    const first = findByLevel(enclosing, ADMIN1_LEVELS);
    const admin1 =
      first === undefined ? this.#namedDivisionKey(tags, ADMIN1_NAME_TAGS, country) : this.#divisionKey(first, country);
    if (admin1 === undefined) return { country };
    const second = findByLevel(enclosing, ADMIN2_LEVELS, first?.adminLevel);
    const admin2 =
      second === undefined ? this.#namedDivisionKey(tags, ADMIN2_NAME_TAGS, admin1) : this.#divisionKey(second, admin1);
    return admin2 === undefined ? { country, admin1 } : { country, admin1, admin2 };
  }

  /** Adds the area to a grid of whole degrees, so that a point is compared with few areas. */
  #addArea(area: OsmArea): void {
    const box = area.outline?.box;
    if (box === undefined) return;
    const degree = (units: number) => Math.floor(units / UNITS_PER_DEGREE);
    for (let lat = degree(box.minLat); lat <= degree(box.maxLat); lat++) {
      for (let lng = degree(box.minLng); lng <= degree(box.maxLng); lng++) {
        const cell = gridCell(lat, lng);
        const areas = this.#areasByCell.get(cell);
        if (areas === undefined) this.#areasByCell.set(cell, [area]);
        else areas.push(area);
      }
    }
  }

  #findEnclosing(lat: number, lng: number): OsmArea[] {
    const candidates = this.#areasByCell.get(gridCell(Math.floor(lat), Math.floor(lng))) ?? [];
    const [y, x] = [lat * UNITS_PER_DEGREE, lng * UNITS_PER_DEGREE];
    return candidates.filter(({ outline }) => outline?.contains(y, x));
  }

  /** Prefers the innermost boundary with a country code: Hong Kong's is within China's. */
  #findCountry(enclosing: readonly OsmArea[], tags: Tags): string | undefined {
    const innermostFirst = [...enclosing].sort((a, b) => (b.adminLevel ?? 0) - (a.adminLevel ?? 0));
    for (const area of innermostFirst) {
      const code = area.adminLevel === 2 ? this.#countryCode(area.tags) : this.#isoCode(area.tags);
      if (code !== undefined) return code;
    }
    for (const area of innermostFirst) {
      const [code] = isoDivision(area.tags) ?? [];
      if (code !== undefined && this.#isCountry(code)) return code;
    }
    return this.#codeByName(taggedCountry(tags));
  }

  /**
   * Finds the country of a point that is in no boundary of the file. The country of the extract
   * takes precedence over the simplified borders, but only near that country: an extract may reach
   * far into a neighbouring one.
   */
  #countryAt(lat: number, lng: number): string | undefined {
    const atPoint = this.#borders?.countryAt(lat, lng);
    const extractCountry = this.#extractCountry;
    if (extractCountry === undefined || atPoint === extractCountry) return atPoint;
    return atPoint === undefined || this.#borders?.isNear(extractCountry, lat, lng) === true ? extractCountry : atPoint;
  }

  /** The only country with a node in the file, or else the only one with a partial boundary. */
  #findExtractCountry(areas: readonly OsmArea[], countryNodes: readonly Tags[]): string | undefined {
    const borders = areas.filter(({ adminLevel }) => adminLevel === 2);
    const distinctCodes = (tags: readonly Tags[]) => new Set(tags.map((each) => this.#countryCode(each)));
    const areaTags = (isComplete: boolean) =>
      borders.filter(({ outline }) => (outline !== undefined) === isComplete).map(({ tags }) => tags);
    const complete = distinctCodes(areaTags(true));
    const partial = distinctCodes(areaTags(false));
    const nodes = distinctCodes(countryNodes);
    const [only, ...others] = nodes.size > 0 ? nodes : partial;
    // a point outside a complete boundary is not in that country
    return others.length > 0 || complete.has(only) ? undefined : only;
  }

  #isoCode(tags: Tags): string | undefined {
    const code = isoCountry(tags);
    return code !== undefined && this.#isCountry(code) ? code : undefined;
  }

  /** The code of a country's boundary or node, by its tags or else its name. */
  #countryCode(tags: Tags): string | undefined {
    return this.#isoCode(tags) ?? this.#codeByName(tags.get('name:en')) ?? this.#codeByName(tags.get('name'));
  }

  #codeByName(text: string | undefined): string | undefined {
    return text === undefined ? undefined : this.#codesByName.get(text.trim().toLowerCase());
  }

  #isCountry(code: string): boolean {
    return this.#codesByName.has(code.toLowerCase());
  }

  #divisionKey(area: OsmArea, parent: string): string {
    const key = `${parent}.${area.kind}${area.id}`;
    if (this.#keys.has(key)) return key;
    const [main, ...others] = readNames(area.tags);
    const aliases = others.filter(({ kind }) => kind !== 'historic').map(({ value }) => value);
    const [isoCountry = '', code = ''] = isoDivision(area.tags) ?? [];
    return this.#add(key, main?.value ?? '', [...aliases, ...codeAliases(isoCountry, code)]);
  }

  /** The key of a division that is known by name only. */
  #namedDivisionKey(tags: Tags, tagKeys: readonly string[], parent: string): string | undefined {
    const name = tagKeys.map((tagKey) => tags.get(tagKey)?.trim() ?? '').find((text) => text !== '');
    if (name === undefined) return undefined;
    const key = namedDivisionKey(parent, name);
    return this.#keys.has(key) ? key : this.#add(key, name, []);
  }

  #add(key: string, name: string, names: readonly string[]): string {
    this.#keys.add(key);
    this.regions.push(createRegion(key, name, names));
    return key;
  }
}

/** Finds a named area below `parentLevel`; earlier entries of `levels` are preferred. */
function findByLevel(enclosing: readonly OsmArea[], levels: readonly number[], parentLevel = 0): OsmArea | undefined {
  for (const level of levels) {
    const area = enclosing.find(({ adminLevel, tags }) => adminLevel === level && readNames(tags).length > 0);
    if (area !== undefined && level > parentLevel) return area;
  }
  return undefined;
}

function gridCell(lat: number, lng: number): number {
  return lat * 1000 + lng;
}

function codesByName(countries: readonly Country[]): Map<string, string> {
  const codes = new Map<string, string>();
  for (const { code, name, aliases } of countries) {
    for (const text of [name, ...aliases]) {
      const key = text.toLowerCase();
      if (!codes.has(key)) codes.set(key, code);
    }
  }
  // a code always means its own country, even if it is also a name
  for (const { code } of countries) codes.set(code.toLowerCase(), code);
  return codes;
}
