/** Real engines over a few places, built and opened in memory. */

import type { Engine, FullRecord, SearchQuery, SearchResult } from 'toponym-engine/engine';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { openEngine } from 'toponym-engine/open-engine';
import type { Country, Gazetteer, Place, PlaceName, Region } from 'toponym-engine/place/place';
import { buildIndex } from 'toponym-gazetteer/build/build-index';
import { indexGazetteer } from 'toponym-gazetteer/datasets/index-gazetteer';

export interface PlaceSketch extends Partial<Omit<Place, 'names'>> {
  readonly name?: string;
  /** Names after the main one; strings are of kind `alternate`. */
  readonly alternateNames?: readonly (string | PlaceName)[];
}

let nextId = 1;

/** A village of 1,000 people in France, with the given fields changed. */
export function aPlace({ name = 'Somewhere', alternateNames = [], ...rest }: PlaceSketch = {}): Place {
  return {
    id: `G${nextId++}`,
    type: 'village',
    lat: 47,
    lng: 2,
    country: 'FR',
    population: 1000,
    adminRank: 0,
    ...rest,
    names: [
      { value: name, kind: 'main' },
      ...alternateNames.map((given) =>
        typeof given === 'string' ? { value: given, kind: 'alternate' as const } : given,
      ),
    ],
  };
}

export const someCountries: readonly Country[] = [
  { code: 'CA', name: 'Canada', aliases: [] },
  { code: 'DE', name: 'Germany', aliases: ['Deutschland', 'Allemagne'] },
  { code: 'FR', name: 'France', aliases: ['Frankreich', 'FRA'] },
  { code: 'GB', name: 'United Kingdom', aliases: ['UK', 'U.K.', 'Great Britain'] },
  { code: 'US', name: 'United States', aliases: ['USA', 'U.S.A.', 'America'] },
];

export const someRegions: readonly Region[] = [
  { key: 'US.TX', level: 1, country: 'US', name: 'Texas', aliases: ['TX'] },
  { key: 'US.IL', level: 1, country: 'US', name: 'Illinois', aliases: ['IL'] },
  { key: 'US.MO', level: 1, country: 'US', name: 'Missouri', aliases: ['MO'] },
  { key: 'US.NY', level: 1, country: 'US', name: 'New York', aliases: ['NY'] },
  { key: 'CA.ON', level: 1, country: 'CA', name: 'Ontario', aliases: ['ON'] },
  { key: 'FR.11', level: 1, country: 'FR', name: 'Île-de-France', aliases: [] },
  { key: 'US.IL.167', level: 2, country: 'US', name: 'Sangamon County', aliases: ['Sangamon'] },
];

/** A gazetteer of the places, as an importer returns it. */
export function aGazetteer(places: readonly Place[]): Gazetteer {
  return {
    version: 'test-1',
    attribution: ['Test data'],
    countries: someCountries,
    regions: someRegions,
    places: streamOf(places),
    report: { rowsRead: places.length, rowsKept: places.length, rejected: new Map() },
  };
}

/** The bytes of an index of the places. */
export async function anIndex(
  places: readonly Place[],
  parts: Partial<Pick<Gazetteer, 'countries' | 'regions'>> = {},
): Promise<SharedArrayBuffer> {
  return await bytesOf({ ...aGazetteer(places), ...parts });
}

/** The index that an overlay of these lines makes of another one. */
export async function anOverlaidIndex(base: SharedArrayBuffer, ...lines: object[]): Promise<SharedArrayBuffer> {
  const { applyOverlay } = await import('toponym-gazetteer/sources/overlay'); // takes 0.3 s, and few files need it
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  return await bytesOf(applyOverlay(indexGazetteer(openIndex(base)), text, 'fixes.ndjson'));
}

async function bytesOf(gazetteer: Gazetteer): Promise<SharedArrayBuffer> {
  const whole = Buffer.concat((await buildIndex(gazetteer)).chunks);
  const shared = new SharedArrayBuffer(whole.length);
  new Uint8Array(shared).set(whole);
  return shared;
}

export async function anEngine(places: readonly Place[]): Promise<Engine> {
  return openEngine(await anIndex(places));
}

/** The engine with some of its members replaced. */
export function withOverrides(engine: Engine, overrides: Partial<Engine>): Engine {
  return Object.assign(Object.create(engine), overrides);
}

export function aQuery(text: string, rest: Partial<SearchQuery> = {}): SearchQuery {
  return { text, limit: 20, ...rest };
}

export function idsOf(result: SearchResult): string[] {
  return result.hits.map(({ record }) => record.objectID);
}

export function namesOf(result: SearchResult): string[] {
  return result.hits.map(({ record }) => record.name);
}

export async function* streamOf<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}

/** The fields that a record shows, as plain data. */
export function shownFields(full: FullRecord | undefined): object | undefined {
  if (full === undefined) return undefined;
  const { objectID, name, type, population, importance, timezone, lat, lng } = full.record;
  const { country, countryCode, administrative, county } = full.record.regions;
  const where = { country, countryCode, administrative, county, timezone, lat, lng };
  const record = { objectID, name, type, population, importance, ...where };
  return { ...full, record };
}
