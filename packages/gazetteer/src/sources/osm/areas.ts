/**
 * Reads the administrative boundaries of an OpenStreetMap extract, and its places mapped as areas.
 * Three passes are needed, because relations list ways, and ways list nodes, but the file starts
 * with the nodes.
 */
import { indexInSorted } from 'toponym-engine/collections/sorting';
import { GrowingArray } from 'toponym-engine/collections/typed-array';
import type { BoundingBox } from 'toponym-engine/place/bounding-box';
import type { LatLng } from 'toponym-engine/place/sphere';
import type { OnProgress } from '../report.ts';
import { ELEMENT_BITS, type Member, type OsmVisitor, type Tags, visitBlock } from './elements.ts';
import type { OsmBlock, OsmFile } from './pbf-file.ts';

export interface OsmArea {
  /** Way or relation. */
  readonly kind: 'W' | 'R';
  readonly id: number;
  readonly tags: Tags;
  /** Undefined for areas that are not administrative boundaries. */
  readonly adminLevel: number | undefined;
  /** Id of the node at which maps print the area's name. */
  readonly labelNode: number | undefined;
  readonly seatNode: number | undefined;
  /** Undefined if the outline is not closed or not entirely in the file. */
  readonly outline: Outline | undefined;
}

export interface OsmAreaData {
  readonly areas: readonly OsmArea[];
  readonly countryNodes: readonly { readonly tags: Tags }[];
  nodePoint(nodeId: number | undefined): LatLng | undefined;
  readonly nodeBlocks: readonly OsmBlock[];
}

/** From countries to municipalities. Higher levels are parts of settlements. */
const ADMIN_LEVELS = { min: 2, max: 8 } as const;
const UNITS_PER_DEGREE = 1e7;
/** Real latitudes, in units of 1e-7 degrees, are at most 9e8. */
const UNKNOWN_LAT = 0x7fff_ffff;

/** Some mappers leave the role empty. */
const OUTLINE_ROLES: ReadonlySet<string> = new Set(['', 'outer', 'inner', 'exclave', 'enclave']);

interface AreaDraft extends Omit<OsmArea, 'outline'> {
  readonly wayIds: readonly number[];
}

export async function readAreas(file: OsmFile, onProgress: OnProgress): Promise<OsmAreaData> {
  /** ELEMENT_BITS of each block that has been read. */
  const blockBits: number[] = [];
  const hasKind = (i: number, kind: keyof OsmVisitor) => ((blockBits[i] ?? ~0) & ELEMENT_BITS[kind]) !== 0;
  /** Visits the elements of one kind. Later passes skip blocks without elements of their kind. */
  const runPass = async (stage: string, kind: keyof OsmVisitor, visitor: OsmVisitor) => {
    for (const [i, block] of file.dataBlocks.entries()) {
      if (!hasKind(i, kind)) continue;
      blockBits[i] = await file.decode(block, (bytes) => visitBlock(bytes, visitor));
      onProgress({ stage: `${stage} in ${file.label}`, done: i + 1 });
    }
  };
  const drafts: AreaDraft[] = [];
  await runPass('finding boundaries', 'relation', {
    relation(id, tags, members) {
      if (parseAdminLevel(tags) === undefined && !tags.has('place')) return;
      drafts.push(draftOfRelation(id, tags, members()));
    },
  });

  const nodeIdsByWay = new Map<number, Float64Array>();
  const neededWays = new Set(drafts.flatMap(({ wayIds }) => wayIds));
  await runPass('reading boundary lines', 'way', {
    way(id, tags, nodeIds) {
      const isPlace = tags.has('place');
      if (isPlace || neededWays.has(id)) nodeIdsByWay.set(id, Float64Array.from(nodeIds()));
      if (!isPlace) return;
      const nodes = { labelNode: undefined, seatNode: undefined };
      drafts.push({ kind: 'W', id, tags, adminLevel: undefined, wayIds: [id], ...nodes });
    },
  });

  const points = new NodePoints(neededNodeIds(nodeIdsByWay.values(), drafts));
  const countryNodes: { tags: Tags }[] = [];
  await runPass('reading boundary points', 'node', {
    node(id, { lat, lng }, tags) {
      points.set(id, lat, lng);
      if (tags?.get('place') === 'country') countryNodes.push({ tags });
    },
  });
  const linesByWay = new Map(Array.from(nodeIdsByWay, ([id, nodeIds]) => [id, points.createLine(nodeIds)]));
  return {
    areas: drafts.map((draft) => ({ ...draft, outline: createOutline(draft.wayIds, linesByWay) })),
    countryNodes,
    nodePoint: (nodeId) => points.get(nodeId),
    nodeBlocks: file.dataBlocks.filter((_, i) => hasKind(i, 'node')),
  };
}

/** The coordinates of the needed nodes, stored in units of 1e-7 degrees. */
class NodePoints {
  readonly #ids: Float64Array;
  readonly #lats: Int32Array;
  readonly #lngs: Int32Array;
  /** Index of the next expected id. Most files list nodes by ascending id. */
  #next = 0;

  constructor(sortedIds: Float64Array) {
    this.#ids = sortedIds;
    this.#lats = new Int32Array(sortedIds.length).fill(UNKNOWN_LAT);
    this.#lngs = new Int32Array(sortedIds.length);
  }

  set(id: number, lat: number, lng: number): void {
    const previous = this.#ids[this.#next - 1] ?? -Infinity;
    const expected = this.#ids[this.#next] ?? Infinity;
    // fast path: most nodes are between two needed ones and not needed themselves
    if (previous < id && id < expected) return;
    const index = id === expected ? this.#next : indexInSorted(this.#ids, id);
    if (index === -1) return;
    this.#lats[index] = Math.round(lat * UNITS_PER_DEGREE);
    this.#lngs[index] = Math.round(lng * UNITS_PER_DEGREE);
    this.#next = index + 1;
  }

  get(id: number | undefined): LatLng | undefined {
    const index = id === undefined ? -1 : indexInSorted(this.#ids, id);
    const lat = this.#lats[index];
    const lng = this.#lngs[index];
    if (lat === undefined || lng === undefined || lat === UNKNOWN_LAT) return undefined;
    return { lat: lat / UNITS_PER_DEGREE, lng: lng / UNITS_PER_DEGREE };
  }

  /** Returns undefined if a node is missing from the file. */
  createLine(nodeIds: Float64Array): Polyline | undefined {
    const indices = Array.from(nodeIds, (id) => indexInSorted(this.#ids, id));
    const lats = Int32Array.from(indices, (index) => this.#lats[index] ?? UNKNOWN_LAT);
    if (lats.includes(UNKNOWN_LAT)) return undefined;
    const lngs = Int32Array.from(indices, (index) => this.#lngs[index] as number);
    return createPolyline(lats, lngs);
  }
}

function parseAdminLevel(tags: Tags): number | undefined {
  if (tags.get('boundary') !== 'administrative') return undefined;
  const level = Number(tags.get('admin_level'));
  return Number.isInteger(level) && level >= ADMIN_LEVELS.min && level <= ADMIN_LEVELS.max ? level : undefined;
}

function draftOfRelation(id: number, tags: Tags, members: readonly Member[]): AreaDraft {
  const findNode = (...roles: string[]) => members.find(({ kind, role }) => kind === 'N' && roles.includes(role))?.id;
  const ways = members.filter(({ kind, role }) => kind === 'W' && OUTLINE_ROLES.has(role));
  return {
    kind: 'R',
    id,
    tags,
    adminLevel: parseAdminLevel(tags),
    wayIds: ways.map((way) => way.id),
    labelNode: findNode('label'),
    seatNode: findNode('admin_centre', 'admin_center'),
  };
}

/** Returns sorted ids without duplicates. */
function neededNodeIds(nodeIdsOfWays: Iterable<Float64Array>, drafts: readonly AreaDraft[]): Float64Array {
  const ids = new GrowingArray(Float64Array);
  for (const nodeIds of nodeIdsOfWays) ids.pushAll(nodeIds);
  for (const { labelNode, seatNode } of drafts) {
    if (labelNode !== undefined) ids.push(labelNode);
    if (seatNode !== undefined) ids.push(seatNode);
  }
  const sorted = ids.view().sort();
  return sorted.filter((id, i) => id !== sorted[i - 1]);
}

function createOutline(
  wayIds: readonly number[],
  linesByWay: ReadonlyMap<number, Polyline | undefined>,
): Outline | undefined {
  const lines = wayIds.map((id) => linesByWay.get(id)).filter((line) => line !== undefined);
  return lines.length === wayIds.length && areClosed(lines) ? new Outline(lines) : undefined;
}

/** A line and the box around it, in units of 1e-7 degrees. */
interface Polyline extends Readonly<Record<'south' | 'west' | 'north' | 'east', number>> {
  readonly lats: Int32Array;
  readonly lngs: Int32Array;
}

function createPolyline(lats: Int32Array, lngs: Int32Array): Polyline {
  const [south, north] = rangeOf(lats);
  const [west, east] = rangeOf(lngs);
  return { lats, lngs, south, west, north, east };
}

/**
 * The area that lines enclose. A point is inside if a ray to the east crosses the lines an odd
 * number of times. Lines need no order for this test.
 */
class Outline {
  readonly #lines: readonly Polyline[];

  constructor(lines: readonly Polyline[]) {
    this.#lines = lines;
  }

  /** In degrees. No line is empty: see `areClosed`. */
  boundingBox(): BoundingBox {
    const [south, north] = rangeOf(this.#lines.flatMap((line) => [line.south, line.north]));
    const [west, east] = rangeOf(this.#lines.flatMap((line) => [line.west, line.east]));
    const inDegrees = (value: number) => value / UNITS_PER_DEGREE;
    return { south: inDegrees(south), west: inDegrees(west), north: inDegrees(north), east: inDegrees(east) };
  }

  /** The narrowest box around the lines, in degrees. It may cross the antimeridian. */
  extent(): BoundingBox {
    const { south, north } = this.boundingBox();
    const eastward = this.#lines.toSorted((a, b) => a.west - b.west);
    let { west, east } = eastward[0]!; // of the lines so far
    let gap = { width: 0, west: 0, east: 0 }; // the widest between lines
    for (const line of eastward) {
      if (line.west - east > gap.width) gap = { width: line.west - east, west: east, east: line.west };
      east = Math.max(east, line.east);
    }
    const outsideWidth = 360 * UNITS_PER_DEGREE - (east - west);
    if (gap.width > outsideWidth) [west, east] = [gap.east, gap.west];
    return { south, west: west / UNITS_PER_DEGREE, north, east: east / UNITS_PER_DEGREE };
  }

  contains(lat: number, lng: number): boolean {
    const [y, x] = [lat * UNITS_PER_DEGREE, lng * UNITS_PER_DEGREE];
    let isInside = false;
    for (const line of this.#lines) {
      if (y < line.south || y > line.north || x > line.east) continue;
      if (crossesOddTimes(line, y, x)) isInside = !isInside;
    }
    return isInside;
  }

  /** Centroid of the lines, in degrees. It may be outside the area. */
  centroid(): LatLng {
    let [latSum, lngSum, totalLength] = [0, 0, 0]; // the first two are sums of length × middle
    for (const { lats, lngs } of this.#lines) {
      for (let i = 1; i < lats.length; i++) {
        const [lat1, lat2] = [lats[i - 1] as number, lats[i] as number];
        const [lng1, lng2] = [lngs[i - 1] as number, lngs[i] as number];
        const segmentLength = Math.hypot(lat2 - lat1, lng2 - lng1);
        latSum += (segmentLength * (lat1 + lat2)) / 2;
        lngSum += (segmentLength * (lng1 + lng2)) / 2;
        totalLength += segmentLength;
      }
    }
    return { lat: latSum / totalLength / UNITS_PER_DEGREE, lng: lngSum / totalLength / UNITS_PER_DEGREE };
  }
}

/** The lowest and the highest value. */
function rangeOf(values: ArrayLike<number>): [min: number, max: number] {
  let [min, max] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    min = Math.min(min, values[i] as number);
    max = Math.max(max, values[i] as number);
  }
  return [min, max];
}

/** Whether the lines form closed rings. There must be one. */
function areClosed(lines: readonly Polyline[]): boolean {
  const openEnds = new Set<string>();
  for (const { lats, lngs } of lines) {
    if (lats.length < 2) return false;
    for (const end of [`${lats[0]},${lngs[0]}`, `${lats.at(-1)},${lngs.at(-1)}`]) {
      if (!openEnds.delete(end)) openEnds.add(end);
    }
  }
  return lines.length > 0 && openEnds.size === 0;
}

/** The ray goes east from (y, x). A vertex on the ray counts as south of the ray. */
function crossesOddTimes({ lats, lngs }: Polyline, y: number, x: number): boolean {
  let isOdd = false;
  for (let i = 1; i < lats.length; i++) {
    const [lat1, lat2] = [lats[i - 1] as number, lats[i] as number];
    const isNorth1 = lat1 > y;
    const isNorth2 = lat2 > y;
    if (isNorth1 === isNorth2) continue;
    const [lng1, lng2] = [lngs[i - 1] as number, lngs[i] as number];
    const crossingLng = lng1 + ((y - lat1) / (lat2 - lat1)) * (lng2 - lng1);
    if (x < crossingLng) isOdd = !isOdd;
  }
  return isOdd;
}
