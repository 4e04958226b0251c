/**
 * Reads an OpenStreetMap extract (.osm.pbf) as a gazetteer. Places are mapped as nodes or as areas
 * (ways and relations). A node and an area of the same place become one place.
 */
import { basename } from 'node:path';
import { type BoundingBox, isInBox } from 'toponym-engine/place/bounding-box';
import { definedFields, type Gazetteer, type Place, type SourceReport } from 'toponym-engine/place/place';
import { PlaceIds } from '../place-values.ts';
import { COUNTRY_CODES, createCountries } from '../regions/countries.ts';
import { countKept, countRejected, createReport, type OnProgress, SourceError } from '../report.ts';
import { type OsmArea, type OsmAreaData, readAreas } from './areas.ts';
import { OsmDivisions } from './divisions.ts';
import { type OsmVisitor, type Tags, visitBlock } from './elements.ts';
import { type OsmFile, openOsmFile } from './pbf-file.ts';
import { capitalRank, mainName, mergeNames, parsePlaceType, parsePopulation, readNames, seatRank } from './tags.ts';

const OSM_ATTRIBUTION =
  '© OpenStreetMap contributors (https://www.openstreetmap.org/copyright), ODbL 1.0 (https://opendatacommons.org/licenses/odbl/1-0/)';

interface OsmOptions {
  /** ISO 3166-1 alpha-2 code for places without a country boundary or tag. By default guessed. */
  readonly country?: string;
  readonly onProgress?: OnProgress;
}

/** Opens an extract. `regions` is empty until `places` are read. */
export async function openOsm(path: string, { country, onProgress = () => {} }: OsmOptions = {}): Promise<Gazetteer> {
  const file = await openOsmFile(path);
  const areaData = await readAreas(file, onProgress).finally(() => file.close());
  if (country !== undefined && !COUNTRY_CODES.has(country)) {
    throw new SourceError(`unknown country ${JSON.stringify(country)}: expected an ISO 3166-1 alpha-2 code such as LI`);
  }
  const divisions = new OsmDivisions(areaData, country);
  const matcher = new AreaMatcher(areaData.areas);
  const report = createReport();
  return {
    version: `osm-${basename(path).replace(/\.osm\.pbf$|\.pbf$/i, '')}-${file.date ?? 'undated'}`,
    attribution: [OSM_ATTRIBUTION],
    countries: createCountries(),
    regions: divisions.regions,
    places: readPlaces({ file, areaData, divisions, matcher, ids: new PlaceIds(), report }),
    report,
  };
}

interface PlaceContext {
  readonly file: OsmFile;
  readonly areaData: OsmAreaData;
  readonly divisions: OsmDivisions;
  readonly matcher: AreaMatcher;
  /** Merged extracts may list an element twice. */
  readonly ids: PlaceIds;
  readonly report: SourceReport;
}

/** Reads nodes before areas, because areas that match a node are rejected. */
async function* readPlaces(context: PlaceContext): AsyncGenerator<Place> {
  const { file, areaData } = context;
  try {
    for (const block of areaData.nodeBlocks) {
      const places: Place[] = [];
      const node: OsmVisitor['node'] = (id, { lat, lng }, tags) => {
        if (tags?.has('place') !== true) return;
        const place = createPlace({ kind: 'N', id, tags, lat, lng }, context);
        if (place !== undefined) places.push(place);
      };
      await file.decode(block, (bytes) => visitBlock(bytes, { node }));
      yield* places;
    }
    for (const area of areaData.areas) {
      const place = area.tags.has('place') ? createAreaPlace(area, context) : undefined;
      if (place !== undefined) yield place;
    }
  } finally {
    await file.close();
  }
}

interface Element {
  /** The area of a place that is not a node. */
  readonly area?: OsmArea;
  /** Node, way or relation. */
  readonly kind: 'N' | 'W' | 'R';
  readonly id: number;
  readonly tags: Tags;
  readonly lat: number;
  readonly lng: number;
}

function createAreaPlace(area: OsmArea, context: PlaceContext): Place | undefined {
  const { kind, id, tags } = area;
  const reject = rejecter(area, context);
  if (parsePlaceType(tags) === undefined) return reject('not a populated place', `place=${tags.get('place')}`);
  const nodeId = context.matcher.matchedNode(area);
  if (nodeId !== undefined) return reject('area of a place that is also a point', `N${nodeId}`);
  const point = areaPoint(area, context.areaData);
  if (point === undefined) return reject('incomplete area', 'a part of its outline is missing from the file');
  return createPlace({ kind, id, tags, area, ...point }, context);
}

function areaPoint(area: OsmArea, areaData: OsmAreaData): { lat: number; lng: number } | undefined {
  return areaData.nodePoint(area.labelNode) ?? areaData.nodePoint(area.seatNode) ?? area.outline?.centroid();
}

function rejecter({ kind, id }: Pick<Element, 'kind' | 'id'>, { report, file }: PlaceContext) {
  return (reason: string, got: string): undefined => {
    countRejected(report, { reason, got }, { file: file.label, line: `${kind}${id}` });
  };
}

function createPlace(element: Element, context: PlaceContext): Place | undefined {
  const { kind, id, tags, lat, lng } = element;
  const { divisions, matcher, ids } = context;
  const reject = rejecter(element, context);
  const type = parsePlaceType(tags);
  if (type === undefined) return reject('not a populated place', `place=${tags.get('place')}`);
  if (!(id > 0 && id <= Number.MAX_SAFE_INTEGER)) return reject('bad id', String(id));
  if (!ids.add(`${kind}${id}`)) return reject('duplicate id', `${kind}${id}`);
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
  countKept(context.report);
  const area = kind === 'N' ? matcher.matchArea(element, main.value) : undefined;
  return {
    ...location,
    id: `${kind}${id}`,
    type,
    names: area === undefined ? names : mergeNames(names, readNames(area.tags)),
    lat,
    lng,
    adminRank: Math.max(capitalRank(tags), kind === 'N' ? matcher.nodeSeatRank(id) : 0),
    ...definedFields({
      population: parsePopulation(tags.get('population')) ?? parsePopulation(area?.tags.get('population')),
      externalIds: readWikidataIds(tags, area?.tags),
      box: readExtent(area ?? element.area, lat, lng),
    }),
  };
}

/** The extent of an area around the point. A boundary that is not itself a place has no extent. */
function readExtent(area: OsmArea | undefined, lat: number, lng: number): BoundingBox | undefined {
  if (area?.outline === undefined || parsePlaceType(area.tags) === undefined) return undefined;
  const box = area.outline.extent();
  return isInBox(box, lat, lng) ? box : undefined;
}

function readWikidataIds(tags: Tags, areaTags: Tags | undefined): string[] | undefined {
  const ids = [tags.get('wikidata'), areaTags?.get('wikidata')].filter((id) => /^Q\d+$/.test(id ?? ''));
  return ids.length === 0 ? undefined : [...new Set(ids.map((id) => `wd:${id}`))];
}

/**
 * Finds the area that is the same place as a node: by label, then by seat of government and name,
 * then by Wikidata id, then by position and name.
 */
class AreaMatcher {
  // areas without a label, seat or other key are under undefined, which is never looked up
  readonly #byLabel: ReadonlyMap<number | undefined, OsmArea>;
  readonly #bySeat: ReadonlyMap<number | undefined, OsmArea[]>;
  readonly #byWikidata: ReadonlyMap<string | undefined, OsmArea>;
  readonly #byName: ReadonlyMap<string | undefined, OsmArea[]>;
  /** Keyed by kind and id, because merged extracts may list an area twice. */
  readonly #nodeByArea = new Map<string, number>();

  constructor(areas: readonly OsmArea[]) {
    // many municipalities have no place type, so they match only as label or seat
    const placeAreas = areas.filter(({ tags }) => parsePlaceType(tags) !== undefined);
    this.#byLabel = new Map(areas.map((area) => [area.labelNode, area]));
    this.#bySeat = Map.groupBy(areas, ({ seatNode }) => seatNode);
    this.#byWikidata = new Map(placeAreas.map((area) => [area.tags.get('wikidata'), area]));
    this.#byName = Map.groupBy(placeAreas, ({ tags }) => mainName(tags));
  }

  /** Remembers the first match of each area for `matchedNode`. */
  matchArea({ id, tags, lat, lng }: Element, name: string): OsmArea | undefined {
    const area =
      this.#byLabel.get(id) ??
      this.#bySeat.get(id)?.find((candidate) => mainName(candidate.tags) === name) ??
      this.#byWikidata.get(tags.get('wikidata') ?? '') ?? // '' finds no area
      this.#byName.get(name)?.find(({ outline }) => outline?.contains(lat, lng));
    if (area !== undefined && this.matchedNode(area) === undefined) this.#nodeByArea.set(`${area.kind}${area.id}`, id);
    return area;
  }

  matchedNode({ kind, id }: OsmArea): number | undefined {
    return this.#nodeByArea.get(`${kind}${id}`);
  }

  /** `Place.adminRank` of a node as the seat of its highest division, or 0. */
  nodeSeatRank(nodeId: number): number {
    const areas = this.#bySeat.get(nodeId) ?? [];
    return Math.max(0, ...areas.map(({ adminLevel }) => (adminLevel === undefined ? 0 : seatRank(adminLevel))));
  }
}
