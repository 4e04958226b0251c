/**
 * Reads an OpenStreetMap extract (.osm.pbf) as a gazetteer: places mapped as nodes, ways and
 * relations. A node and an area that are the same place become one place, with the node's id and
 * the names of both. The file is read four times; memory grows with its boundaries (see areas.ts),
 * not with its places.
 */
import { basename } from 'node:path';
import type { Gazetteer, SourceReport } from '../../place/gazetteer.ts';
import type { Place } from '../../place/place.ts';
import { createCountries } from '../regions/countries.ts';
import { countKept, countRejected, createReport, type OnProgress } from '../report.ts';
import { SourceError } from '../source-error.ts';
import { type OsmArea, type OsmAreas, readAreas } from './areas.ts';
import { OsmDivisions } from './divisions.ts';
import { type Tags, visitBlock } from './elements.ts';
import { mergeNames, readNames } from './names.ts';
import { UNITS_PER_DEGREE } from './outline.ts';
import { OsmFile } from './pbf-file.ts';
import { OsmPlaceAreas } from './place-areas.ts';
import { capitalRank, parsePlaceType, parsePopulation } from './tags.ts';
import { loadWorldBorders } from './world-borders.ts';

export const OSM_ATTRIBUTION =
  '© OpenStreetMap contributors (https://www.openstreetmap.org/copyright), ODbL 1.0 (https://opendatacommons.org/licenses/odbl/1-0/)';

export interface OsmOptions {
  /**
   * ISO 3166-1 alpha-2 code of the country of places that are in no country boundary of the file
   * and have no country tag. The default is the country of the extract, or else the country by
   * simplified world borders.
   */
  readonly country?: string;
  readonly onProgress?: OnProgress;
}

/** `regions` is final once the places have been read: it contains the regions with places. */
export async function openOsm(path: string, { country, onProgress = () => {} }: OsmOptions = {}): Promise<Gazetteer> {
  const file = await OsmFile.open(path);
  const areas = await readAreas(file, onProgress).finally(() => file.close());
  const countries = createCountries();
  if (country !== undefined && !countries.some(({ code }) => code === country)) {
    throw new SourceError(`unknown country ${JSON.stringify(country)}: expected an ISO 3166-1 alpha-2 code such as LI`);
  }
  const borders = country === undefined ? await loadWorldBorders() : undefined;
  const divisions = new OsmDivisions(areas, { countries, defaultCountry: country, borders });
  const report = createReport();
  return {
    version: `osm-${basename(path).replace(/\.osm\.pbf$|\.pbf$/i, '')}-${file.date ?? 'undated'}`,
    attribution: [OSM_ATTRIBUTION],
    countries,
    regions: divisions.regions,
    places: readPlaces(file, areas, { divisions, report }),
    report,
  };
}

interface ReadContext {
  readonly divisions: OsmDivisions;
  readonly report: SourceReport;
}

async function* readPlaces(file: OsmFile, areas: OsmAreas, context: ReadContext): AsyncGenerator<Place> {
  const placeAreas = new OsmPlaceAreas(areas.areas);
  const seen = new Set<number>();
  try {
    for (const block of areas.nodeBlocks) {
      const places: Place[] = [];
      const node = (id: number, { lat, lng }: { lat: number; lng: number }, tags: Tags | undefined) => {
        if (tags?.has('place') !== true) return;
        const element = { kind: 'N', id, tags, lat, lng, isRepeated: seen.has(id) } as const;
        seen.add(id);
        const place = createPlace(element, { ...context, file, placeAreas });
        if (place !== undefined) places.push(place);
      };
      await file.decode(block, (bytes) => visitBlock(bytes, { node }));
      yield* places;
    }
    for (const area of areas.areas) {
      const place = area.tags.has('place') ? createAreaPlace(area, areas, { ...context, file, placeAreas }) : undefined;
      if (place !== undefined) yield place;
    }
  } finally {
    await file.close();
  }
}

interface Element {
  readonly kind: 'N' | 'W' | 'R';
  readonly id: number;
  readonly tags: Tags;
  readonly lat: number;
  readonly lng: number;
  readonly isRepeated: boolean;
}

interface PlaceContext extends ReadContext {
  readonly file: OsmFile;
  readonly placeAreas: OsmPlaceAreas;
}

function createAreaPlace(area: OsmArea, areas: OsmAreas, context: PlaceContext): Place | undefined {
  const at = { file: context.file.label, line: `${area.kind}${area.id}` };
  const node = context.placeAreas.matchedNode(area);
  if (parsePlaceType(area.tags) !== undefined && node !== undefined) {
    countRejected(context.report, 'area of a place that is also a point', `N${node}`, at);
    return undefined;
  }
  const point = areaPoint(area, areas);
  if (parsePlaceType(area.tags) !== undefined && point === undefined) {
    countRejected(context.report, 'incomplete area', 'a part of its outline is missing from the file', at);
    return undefined;
  }
  const { kind, id, tags } = area;
  return createPlace({ kind, id, tags, lat: point?.lat ?? 0, lng: point?.lng ?? 0, isRepeated: false }, context);
}

function areaPoint(area: OsmArea, areas: OsmAreas): { lat: number; lng: number } | undefined {
  for (const node of [area.labelNode, area.centreNode]) {
    const point = node === undefined ? undefined : areas.nodePoint(node);
    if (point !== undefined) return point;
  }
  const centroid = area.outline?.centroid();
  return centroid && { lat: centroid.lat / UNITS_PER_DEGREE, lng: centroid.lng / UNITS_PER_DEGREE };
}

function createPlace(element: Element, { divisions, report, file, placeAreas }: PlaceContext): Place | undefined {
  const { kind, id, tags, lat, lng } = element;
  const reject = (reason: string, got: string) => {
    countRejected(report, reason, got, { file: file.label, line: `${kind}${id}` });
    return undefined;
  };
  const type = parsePlaceType(tags);
  if (type === undefined) return reject('not a populated place', `place=${tags.get('place')}`);
  if (!(id > 0 && id <= Number.MAX_SAFE_INTEGER)) return reject('bad id', String(id));
  if (element.isRepeated) return reject('duplicate id', `${kind}${id}`);
  const names = readNames(tags);
  const [main] = names;
  if (main === undefined) return reject('empty name', `place=${tags.get('place')} without a name`);
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return reject('bad coordinates', `${lat}, ${lng}`);
  const location = divisions.locate(lat, lng, tags);
  if (location === undefined) {
    return reject(
      'no country',
      `${main.value}: outside all known borders; use --country if all places of the file are in one country`,
    );
  }
  countKept(report);
  const area = kind === 'N' ? placeAreas.matchArea(id, { tags, name: main.value, lat, lng }) : undefined;
  return {
    ...location,
    id: `${kind}${id}`,
    type,
    names: area === undefined ? names : mergeNames(names, readNames(area.tags)),
    lat,
    lng,
    adminRank: Math.max(capitalRank(tags), kind === 'N' ? placeAreas.seatRank(id) : 0),
    ...readPopulation(tags, area?.tags),
    ...readExternalIds(tags, area?.tags),
  };
}

function readPopulation(tags: Tags, areaTags: Tags | undefined): { population?: number } {
  const population = parsePopulation(tags.get('population')) ?? parsePopulation(areaTags?.get('population'));
  return population === undefined ? {} : { population };
}

function readExternalIds(tags: Tags, areaTags: Tags | undefined): { externalIds?: string[] } {
  const found = [tags, areaTags]
    .map((all) => all?.get('wikidata'))
    .filter((id) => id !== undefined && /^Q\d+$/.test(id));
  return found.length === 0 ? {} : { externalIds: [...new Set(found.map((id) => `wd:${id}`))] };
}
