/**
 * Which country and divisions a point lies in, by the administrative boundaries of an OpenStreetMap extract.
 * Levels differ between countries: 4 is usually the first below the country and 6 the second; where a place lies in none of
 * level 4 or 6, the nearest other levels stand in (the parishes of Andorra are of level 7, Liechtenstein's communes of 8).
 */
import type { Country } from '../../place/gazetteer.ts';
import type { Region } from '../../place/place.ts';
import { plainNames } from '../regions/region-names.ts';
import { codeAliases, namedDivisionKey } from '../regions/regions.ts';
import type { OsmArea, OsmAreas } from './areas.ts';
import type { Tags } from './elements.ts';
import { namesOfTags } from './names.ts';
import { UNITS_PER_DEGREE } from './outline.ts';
import { countryOfTags, isoCountryOf, isoDivisionOf } from './tags.ts';
import type { WorldBorders } from './world-borders.ts';

export interface OsmSituation {
  readonly country: string;
  readonly admin1?: string;
  readonly admin2?: string;
}

export interface OsmDivisionsOptions {
  readonly countries: readonly Country[];
  /** Country of places outside every country boundary; without it, `borders` decides. */
  readonly defaultCountry?: string | undefined;
  readonly borders?: WorldBorders | undefined;
}

const LEVELS_1 = [4, 3, 5, 6, 7, 8] as const;
const LEVELS_2 = [6, 5, 7, 8] as const;
/** Tags in which an element names its divisions itself. */
const NAMES_1 = ['is_in:state', 'addr:state', 'is_in:province', 'addr:province', 'is_in:region'] as const;
const NAMES_2 = ['is_in:county', 'addr:county', 'is_in:district', 'addr:district'] as const;

export class OsmDivisions {
  /** Those that some point asked about lay in. */
  readonly regions: Region[] = [];
  readonly #keys = new Set<string>();
  readonly #areasByCell = new Map<number, OsmArea[]>();
  readonly #codesByName: ReadonlyMap<string, string>;
  readonly #defaultCountry: string | undefined;
  readonly #borders: WorldBorders | undefined;
  /** The country that the whole extract is of, where it says so and its boundary cannot. */
  readonly #extractCountry: string | undefined;

  constructor({ areas, countryNodes }: Pick<OsmAreas, 'areas' | 'countryNodes'>, options: OsmDivisionsOptions) {
    for (const area of areas) if (area.adminLevel !== undefined) this.#enter(area);
    this.#codesByName = codesByName(options.countries);
    this.#defaultCountry = options.defaultCountry;
    this.#borders = options.borders;
    this.#extractCountry = this.#countryOfExtract(areas, countryNodes);
  }

  /** Undefined when nothing tells the country. Degrees; `tags` are those of the element there. */
  locate(lat: number, lng: number, tags: Tags): OsmSituation | undefined {
    const around = this.#areasAround(lat, lng);
    const country = this.#countryOf(around, tags) ?? this.#defaultCountry ?? this.#countryAt(lat, lng);
    if (country === undefined) return undefined;
    const first = firstOf(around, LEVELS_1);
    const admin1 = first === undefined ? this.#namedKey(tags, NAMES_1, country) : this.#keyOf(first, country);
    if (admin1 === undefined) return { country };
    const second = firstOf(around, LEVELS_2, first?.adminLevel);
    const admin2 = second === undefined ? this.#namedKey(tags, NAMES_2, admin1) : this.#keyOf(second, admin1);
    return admin2 === undefined ? { country, admin1 } : { country, admin1, admin2 };
  }

  /** By whole degrees: a point is compared with the few boundaries near it. */
  #enter(area: OsmArea): void {
    const box = area.outline?.box;
    if (box === undefined) return;
    const degree = (units: number) => Math.floor(units / UNITS_PER_DEGREE);
    for (let lat = degree(box.minLat); lat <= degree(box.maxLat); lat++) {
      for (let lng = degree(box.minLng); lng <= degree(box.maxLng); lng++) {
        const cell = cellOf(lat, lng);
        const areas = this.#areasByCell.get(cell);
        if (areas === undefined) this.#areasByCell.set(cell, [area]);
        else areas.push(area);
      }
    }
  }

  #areasAround(lat: number, lng: number): OsmArea[] {
    const near = this.#areasByCell.get(cellOf(Math.floor(lat), Math.floor(lng))) ?? [];
    const [y, x] = [lat * UNITS_PER_DEGREE, lng * UNITS_PER_DEGREE];
    return near.filter(({ outline }) => outline?.contains(y, x));
  }

  /** The innermost boundary with a country code: Hong Kong's lies within China's. */
  #countryOf(around: readonly OsmArea[], tags: Tags): string | undefined {
    const inward = [...around].sort((a, b) => (b.adminLevel ?? 0) - (a.adminLevel ?? 0));
    for (const area of inward) {
      const code = area.adminLevel === 2 ? this.#codeOfCountry(area.tags) : this.#isoCodeOf(area.tags);
      if (code !== undefined) return code;
    }
    for (const area of inward) {
      const [code] = isoDivisionOf(area.tags) ?? [];
      if (code !== undefined && this.#isCountry(code)) return code;
    }
    return this.#codeOfText(countryOfTags(tags));
  }

  /**
   * For a point that no boundary of the file can place. The extract's own country goes before the simplified borders, but
   * only near itself: an extract may reach far into a neighbour.
   */
  #countryAt(lat: number, lng: number): string | undefined {
    const atPoint = this.#borders?.countryAt(lat, lng);
    const own = this.#extractCountry;
    if (own === undefined || atPoint === own) return atPoint;
    return atPoint === undefined || this.#borders?.isNear(own, lat, lng) === true ? own : atPoint;
  }

  /** The only country with a node in the file, else the only one whose boundary is there in part. */
  #countryOfExtract(areas: readonly OsmArea[], countryNodes: readonly Tags[]): string | undefined {
    const borders = areas.filter(({ adminLevel }) => adminLevel === 2);
    const codesOf = (all: readonly Tags[]) => new Set(all.map((tags) => this.#codeOfCountry(tags)));
    const tagsOf = (some: readonly OsmArea[]) => some.map(({ tags }) => tags);
    const whole = codesOf(tagsOf(borders.filter(({ outline }) => outline !== undefined)));
    const partial = codesOf(tagsOf(borders.filter(({ outline }) => outline === undefined)));
    const nodes = codesOf(countryNodes);
    const [only, ...others] = nodes.size > 0 ? nodes : partial;
    // a point outside a whole boundary is not in that country
    return others.length > 0 || whole.has(only) ? undefined : only;
  }

  #isoCodeOf(tags: Tags): string | undefined {
    const code = isoCountryOf(tags);
    return code !== undefined && this.#isCountry(code) ? code : undefined;
  }

  /** Of a country's boundary or node: by its code, else by its name. */
  #codeOfCountry(tags: Tags): string | undefined {
    return this.#isoCodeOf(tags) ?? this.#codeOfText(tags.get('name:en')) ?? this.#codeOfText(tags.get('name'));
  }

  #codeOfText(text: string | undefined): string | undefined {
    return text === undefined ? undefined : this.#codesByName.get(text.trim().toLowerCase());
  }

  #isCountry(code: string): boolean {
    return this.#codesByName.has(code.toLowerCase());
  }

  #keyOf(area: OsmArea, parent: string): string {
    const key = `${parent}.${area.kind}${area.id}`;
    if (this.#keys.has(key)) return key;
    const [main, ...others] = namesOfTags(area.tags);
    const aliases = others.filter(({ kind }) => kind !== 'historic').map(({ value }) => value);
    const [isoCountry = '', code = ''] = isoDivisionOf(area.tags) ?? [];
    return this.#add(key, main?.value ?? '', [...aliases, ...codeAliases(isoCountry, code)]);
  }

  /** A division without a boundary in the file, by its name. */
  #namedKey(tags: Tags, tagKeys: readonly string[], parent: string): string | undefined {
    const name = tagKeys.map((tagKey) => tags.get(tagKey)?.trim() ?? '').find((text) => text !== '');
    if (name === undefined) return undefined;
    const key = namedDivisionKey(parent, name);
    return this.#keys.has(key) ? key : this.#add(key, name, []);
  }

  #add(key: string, name: string, names: readonly string[]): string {
    this.#keys.add(key);
    const aliases = new Set([...names, ...plainNames(name)]);
    aliases.delete(name);
    const level = key.split('.').length === 2 ? 1 : 2;
    this.regions.push({ key, level, country: key.slice(0, 2), name, aliases: [...aliases] });
    return key;
  }
}

/** Boundaries without a name cannot be shown. */
function firstOf(around: readonly OsmArea[], levels: readonly number[], above = 0): OsmArea | undefined {
  for (const level of levels) {
    const area = around.find(({ adminLevel, tags }) => adminLevel === level && namesOfTags(tags).length > 0);
    if (area !== undefined && level > above) return area;
  }
  return undefined;
}

function cellOf(lat: number, lng: number): number {
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
  // a code means its own country, whatever else people call so
  for (const { code } of countries) codes.set(code.toLowerCase(), code);
  return codes;
}
