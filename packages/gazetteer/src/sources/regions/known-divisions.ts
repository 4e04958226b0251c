/**
 * Finds the divisions that NDJSON files and overlays refer to, by key or name. A key must be known.
 * An unknown name becomes a new division.
 */
import { addToGroup } from 'toponym-engine/collections/sets';
import type { Place, Region } from 'toponym-engine/place/place';
import { fold } from 'toponym-engine/text/fold';
import { readBundledRegions } from '../embedded/cities-package.ts';
import { createRegion, createRegions, namedDivisionKey, type RegionRow } from './regions.ts';

/** Keys or names, as written in the file. */
export interface WrittenDivisions {
  readonly country: string;
  readonly admin1?: string | undefined;
  readonly admin2?: string | undefined;
}

export type DivisionKeys = Pick<Place, 'admin1' | 'admin2'>;

export class KnownDivisions {
  readonly regions: Region[] = [];
  readonly #byKey = new Map<string, Region>();
  /** By the key of the parent: a country code or the key of a first-level division. */
  readonly #byParent = new Map<string, Region[]>();
  /** Keys of divisions by `parent\tname`. */
  readonly #keyByName = new Map<string, string>();
  /** Rows of the bundled table, by key. Loaded when a key is not in `#byKey`. */
  #bundled: ReadonlyMap<string, RegionRow> | undefined;

  /** Adds a division, unless its key is known. */
  add(region: Region): void {
    if (this.#byKey.has(region.key)) return;
    this.regions.push(region);
    this.#byKey.set(region.key, region);
    addToGroup(this.#byParent, parentKey(region.key), region);
  }

  /** Returns the keys, or an error message. Adds the divisions that are new. */
  findKeys({ country, admin1, admin2 }: WrittenDivisions): DivisionKeys | string {
    if (admin1 === undefined) return admin2 === undefined ? {} : `admin2 ${JSON.stringify(admin2)} without an admin1`;
    const admin1Key = this.#findKey(admin1, country);
    if (admin1Key === undefined) return badKey('admin1', admin1, country);
    if (admin2 === undefined) return { admin1: admin1Key };
    const admin2Key = this.#findKey(admin2, admin1Key);
    if (admin2Key === undefined) return badKey('admin2', admin2, admin1Key);
    return { admin1: admin1Key, admin2: admin2Key };
  }

  #findKey(keyOrName: string, parent: string): string | undefined {
    const country = parent.slice(0, 2);
    const region = this.#byKey.get(keyOrName) ?? this.#findBundled(keyOrName);
    // any text that starts with the country code and a dot is a key, known or not
    const isKey = region !== undefined || keyOrName.startsWith(`${country}.`);
    if (!isKey) return this.#findByName(keyOrName.trim(), parent);
    if (region === undefined || parentKey(region.key) !== parent) return undefined;
    this.add(region); // only if it is new
    return region.key;
  }

  /** Finds a division in the bundled table. */
  #findBundled(key: string): Region | undefined {
    if (!/^[A-Z]{2}\.\S/.test(key)) return undefined;
    this.#bundled ??= new Map(readBundledRegions().map((row) => [row.key, row]));
    const row = this.#bundled.get(key);
    return row === undefined ? undefined : createRegions([row])[0];
  }

  #findByName(name: string, parent: string): string {
    const parentAndName = `${parent}\t${name}`;
    const found = this.#keyByName.get(parentAndName);
    if (found !== undefined) return found;
    const key = findNamed(this.#byParent.get(parent) ?? [], name)?.key ?? namedDivisionKey(parent, name);
    this.#keyByName.set(parentAndName, key);
    this.add(createRegion(key, name)); // only if it is new
    return key;
  }
}

/** The division with this name, or the only one with this alias. Ignores case and accents. */
function findNamed(divisions: readonly Region[], name: string): Region | undefined {
  const folded = fold(name);
  const named = divisions.find((division) => fold(division.name) === folded);
  if (named !== undefined) return named;
  const aliased = divisions.filter(({ aliases, translations }) =>
    [...aliases, ...(translations?.values() ?? [])].some((alias) => fold(alias) === folded),
  );
  return aliased.length === 1 ? aliased[0] : undefined;
}

/** `US.TX` for `US.TX.113`, and `US` for `US.TX`. */
function parentKey(key: string): string {
  return key.slice(0, key.lastIndexOf('.'));
}

function badKey(field: string, got: string, parent: string): string {
  return `${field} ${JSON.stringify(got)} is not the key of a division of ${parent}: expected such a key, or a name`;
}
