/**
 * An OpenStreetMap extract (.osm.pbf) as a gazetteer: places drawn as points, ways and relations.
 * A place drawn twice (a point, and the boundary it is the label of) is one place, with the point's id and the names of both.
 * The file is read four times; memory grows with its boundaries (see osm-areas.ts), not with its places.
 */
import { basename } from 'node:path';
import type { Gazetteer, SourceReport } from '../../place/gazetteer.ts';
import type { Place } from '../../place/place.ts';
import { createCountries } from '../regions/countries.ts';
import { countKept, countRejected, createReport, type OnStage } from '../report.ts';
import { SourceError } from '../source-error.ts';
import { type OsmArea, type OsmAreas, readAreas } from './areas.ts';
import { OsmDivisions } from './divisions.ts';
import { type Tags, visitBlock } from './elements.ts';
import { joinNames, namesOfTags } from './names.ts';
import { UNITS_PER_DEGREE } from './outline.ts';
import { OsmFile } from './pbf-file.ts';
import { OsmPlaceAreas } from './place-areas.ts';
import { parsePopulation, rankOfCapital, typeOfTags } from './tags.ts';
import { loadWorldBorders } from './world-borders.ts';

export const OSM_ATTRIBUTION =
  '© OpenStreetMap contributors (https://www.openstreetmap.org/copyright), ODbL 1.0 (https://opendatacommons.org/licenses/odbl/1-0/)';

export interface OsmOptions {
  /**
   * ISO 3166-1 alpha-2: country of places that lie in no country boundary of the file and do not name theirs. Without it, it
   * is the extract's own country or the one that the borders of the world give.
   */
  readonly country?: string;
  readonly onStage?: OnStage;
}

/** `regions` is complete once the places have been read: it holds those that some place lies in. */
export async function openOsm(path: string, { country, onStage = () => {} }: OsmOptions = {}): Promise<Gazetteer> {
  const file = await OsmFile.open(path);
  const areas = await readAreas(file, onStage).finally(() => file.close());
  const countries = createCountries();
  if (country !== undefined && !countries.some(({ code }) => code === country)) {
    throw new SourceError(`the country ${JSON.stringify(country)} is not known: give an ISO 3166-1 code such as LI`);
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

interface Reading {
  readonly divisions: OsmDivisions;
  readonly report: SourceReport;
}

async function* readPlaces(file: OsmFile, areas: OsmAreas, reading: Reading): AsyncGenerator<Place> {
  const placeAreas = new OsmPlaceAreas(areas.areas);
  const seen = new Set<number>();
  try {
    for (const block of areas.nodeBlocks) {
      const places: Place[] = [];
      const node = (id: number, { lat, lng }: { lat: number; lng: number }, tags: Tags | undefined) => {
        if (tags?.has('place') !== true) return;
        const element = { kind: 'N', id, tags, lat, lng, isRepeated: seen.has(id) } as const;
        seen.add(id);
        const place = placeOf(element, { ...reading, file, placeAreas });
        if (place !== undefined) places.push(place);
      };
      await file.decode(block, (bytes) => visitBlock(bytes, { node }));
      yield* places;
    }
    for (const area of areas.areas) {
      const place = area.tags.has('place') ? placeOfArea(area, areas, { ...reading, file, placeAreas }) : undefined;
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

interface Making extends Reading {
  readonly file: OsmFile;
  readonly placeAreas: OsmPlaceAreas;
}

function placeOfArea(area: OsmArea, areas: OsmAreas, making: Making): Place | undefined {
  const at = { file: making.file.label, line: `${area.kind}${area.id}` };
  const other = making.placeAreas.nodeOf(area);
  if (typeOfTags(area.tags) !== undefined && other !== undefined) {
    countRejected(making.report, 'area of a place that is there as a point', `N${other}`, at);
    return undefined;
  }
  const point = pointOf(area, areas);
  if (typeOfTags(area.tags) !== undefined && point === undefined) {
    countRejected(making.report, 'incomplete area', 'the file does not hold all of its outline', at);
    return undefined;
  }
  const { kind, id, tags } = area;
  return placeOf({ kind, id, tags, lat: point?.lat ?? 0, lng: point?.lng ?? 0, isRepeated: false }, making);
}

function pointOf(area: OsmArea, areas: OsmAreas): { lat: number; lng: number } | undefined {
  for (const node of [area.labelNode, area.centreNode]) {
    const point = node === undefined ? undefined : areas.pointOf(node);
    if (point !== undefined) return point;
  }
  const middle = area.outline?.middle();
  return middle && { lat: middle.lat / UNITS_PER_DEGREE, lng: middle.lng / UNITS_PER_DEGREE };
}

function placeOf(element: Element, { divisions, report, file, placeAreas }: Making): Place | undefined {
  const { kind, id, tags, lat, lng } = element;
  const reject = (reason: string, got: string) => {
    countRejected(report, reason, got, { file: file.label, line: `${kind}${id}` });
    return undefined;
  };
  const type = typeOfTags(tags);
  if (type === undefined) return reject('not a populated place', `place=${tags.get('place')}`);
  if (!(id > 0 && id <= Number.MAX_SAFE_INTEGER)) return reject('bad id', String(id));
  if (element.isRepeated) return reject('duplicate id', `${kind}${id}`);
  const names = namesOfTags(tags);
  const [main] = names;
  if (main === undefined) return reject('empty name', `place=${tags.get('place')} without a name`);
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return reject('bad coordinates', `${lat}, ${lng}`);
  const situation = divisions.locate(lat, lng, tags);
  if (situation === undefined) {
    return reject(
      'no country',
      `${main.value}: outside every known border; give --country if all places of the file are of one country`,
    );
  }
  countKept(report);
  const area = kind === 'N' ? placeAreas.areaOf(id, { tags, name: main.value, lat, lng }) : undefined;
  return {
    ...situation,
    id: `${kind}${id}`,
    type,
    names: area === undefined ? names : joinNames(names, namesOfTags(area.tags)),
    lat,
    lng,
    adminRank: Math.max(rankOfCapital(tags), kind === 'N' ? placeAreas.rankOfSeat(id) : 0),
    ...populationOf(tags, area?.tags),
    ...externalIdsOf(tags, area?.tags),
  };
}

function populationOf(tags: Tags, areaTags: Tags | undefined): { population?: number } {
  const population = parsePopulation(tags.get('population')) ?? parsePopulation(areaTags?.get('population'));
  return population === undefined ? {} : { population };
}

function externalIdsOf(tags: Tags, areaTags: Tags | undefined): { externalIds?: string[] } {
  const found = [tags, areaTags]
    .map((some) => some?.get('wikidata'))
    .filter((id) => id !== undefined && /^Q\d+$/.test(id));
  return found.length === 0 ? {} : { externalIds: [...new Set(found.map((id) => `wd:${id}`))] };
}
