/**
 * Reads the administrative boundaries of an OpenStreetMap extract, and its places mapped as areas.
 * Three passes are needed, because relations list ways, and ways list nodes, but the file starts
 * with the nodes.
 */

import { indexInSorted } from '../../collections/sorting.ts';
import { GrowingArray } from '../../collections/typed-array.ts';
import type { OnProgress } from '../report.ts';
import { ELEMENT_BITS, type Member, type OsmVisitor, type Tags, visitBlock } from './elements.ts';
import { createPolyline, Outline, type Polyline, UNITS_PER_DEGREE } from './outline.ts';
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
  nodePoint(nodeId: number): { readonly lat: number; readonly lng: number } | undefined;
  readonly nodeBlocks: readonly OsmBlock[];
}

/** From countries to municipalities. Higher levels are parts of settlements. */
const ADMIN_LEVELS = { min: 2, max: 8 } as const;
/** Real latitudes, in units of 1e-7 degrees, are at most 9e8. */
const UNKNOWN_LAT = 0x7fff_ffff;

/** Some mappers leave the role empty. */
const OUTLINE_ROLES: ReadonlySet<string> = new Set(['', 'outer', 'inner', 'exclave', 'enclave']);

interface AreaDraft extends Omit<OsmArea, 'outline'> {
  readonly wayIds: readonly number[];
}

export async function readAreas(file: OsmFile, onProgress: OnProgress): Promise<OsmAreaData> {
  const passes = new Passes(file, onProgress);
  const drafts: AreaDraft[] = [];
  await passes.run('finding boundaries', ELEMENT_BITS.relation, {
    relation(id, tags, members) {
      if (parseAdminLevel(tags) === undefined && !tags.has('place')) return;
      drafts.push(draftOfRelation(id, tags, members()));
    },
  });

  const nodeIdsByWay = new Map<number, Float64Array>();
  const neededWays = new Set(drafts.flatMap(({ wayIds }) => wayIds));
  await passes.run('reading boundary lines', ELEMENT_BITS.way, {
    way(id, tags, nodeIds) {
      const isPlace = tags.has('place');
      if (isPlace || neededWays.has(id)) nodeIdsByWay.set(id, Float64Array.from(nodeIds()));
      if (isPlace) drafts.push(draftOfWay(id, tags));
    },
  });

  const points = new NodePoints(neededNodeIds(nodeIdsByWay.values(), drafts));
  const countryNodes: { tags: Tags }[] = [];
  await passes.run('reading boundary points', ELEMENT_BITS.node, {
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
    nodeBlocks: passes.blocksWith(ELEMENT_BITS.node),
  };
}

/** Runs passes over the file. Later passes skip blocks without elements of their kind. */
class Passes {
  readonly #file: OsmFile;
  readonly #onProgress: OnProgress;
  /** ELEMENT_BITS of each block that has been read. */
  readonly #blockBits: number[] = [];

  constructor(file: OsmFile, onProgress: OnProgress) {
    this.#file = file;
    this.#onProgress = onProgress;
  }

  /** `elementBit` must be that of the visitor's only method. */
  async run(stage: string, elementBit: number, visitor: OsmVisitor): Promise<void> {
    for (const [i, block] of this.#file.dataBlocks.entries()) {
      const bits = this.#blockBits[i];
      if (bits !== undefined && (bits & elementBit) === 0) continue;
      this.#blockBits[i] = await this.#file.decode(block, (bytes) => visitBlock(bytes, visitor));
      this.#onProgress({ stage: `${stage} in ${this.#file.label}`, done: i + 1 });
    }
  }

  blocksWith(elementBit: number): OsmBlock[] {
    return this.#file.dataBlocks.filter((_, i) => ((this.#blockBits[i] ?? 0) & elementBit) !== 0);
  }
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

  get(id: number): { lat: number; lng: number } | undefined {
    const index = indexInSorted(this.#ids, id);
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

function draftOfWay(id: number, tags: Tags): AreaDraft {
  return { kind: 'W', id, tags, adminLevel: undefined, wayIds: [id], labelNode: undefined, seatNode: undefined };
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

type LinesByWay = ReadonlyMap<number, Polyline | undefined>;

function createOutline(wayIds: readonly number[], linesByWay: LinesByWay): Outline | undefined {
  const lines = wayIds.map((id) => linesByWay.get(id)).filter((line) => line !== undefined);
  return lines.length < wayIds.length ? undefined : Outline.of(lines);
}
