/**
 * Reads the areas of an OpenStreetMap extract: administrative boundaries, and places mapped as
 * areas. An extract lists nodes before the ways that use them, and ways before relations. So there
 * are three passes: relations determine the needed ways, and ways determine the needed nodes.
 * Memory grows with the boundaries, not with the file: 8 bytes per node of a needed way, and 16 for
 * its coordinates.
 */
import { GrowingArray } from '../../collections/growing-array.ts';
import { indexInSorted } from '../../collections/lower-bound.ts';
import type { OnProgress } from '../report.ts';
import { CONTENTS, type OsmVisitor, type Tags, visitBlock } from './elements.ts';
import { createPolyline, Outline, type Polyline, UNITS_PER_DEGREE } from './outline.ts';
import type { OsmBlock, OsmFile } from './pbf-file.ts';

export interface OsmArea {
  readonly kind: 'W' | 'R';
  readonly id: number;
  readonly tags: Tags;
  /** Undefined unless the area is an administrative boundary. */
  readonly adminLevel: number | undefined;
  /** Node at which maps print the area's name. */
  readonly labelNode: number | undefined;
  /** Node of the area's seat of government. */
  readonly centreNode: number | undefined;
  /** Undefined if a part of the outline is missing from the file. */
  readonly outline: Outline | undefined;
}

export interface OsmAreas {
  readonly areas: readonly OsmArea[];
  /** Tags of the nodes with `place=country`. */
  readonly countryNodes: readonly Tags[];
  /** Coordinates of a label or centre node, if it is in the file. */
  nodePoint(nodeId: number): { readonly lat: number; readonly lng: number } | undefined;
  /** Blocks that contain nodes. */
  readonly nodeBlocks: readonly OsmBlock[];
}

/** Levels of countries (2) to municipalities (8). Higher levels are quarters, which are places. */
const MIN_ADMIN_LEVEL = 2;
const MAX_ADMIN_LEVEL = 8;
/** Marks an unknown coordinate; the largest valid one is 1.8e9 (180 degrees). */
const UNKNOWN = 0x7fff_ffff;

interface AreaDraft {
  readonly kind: 'W' | 'R';
  readonly id: number;
  readonly tags: Tags;
  readonly adminLevel: number | undefined;
  readonly wayIds: readonly number[];
  readonly labelNode: number | undefined;
  readonly centreNode: number | undefined;
}

export async function readAreas(file: OsmFile, onProgress: OnProgress): Promise<OsmAreas> {
  const passes = new Passes(file, onProgress);
  const drafts: AreaDraft[] = [];
  const relation = (id: number, tags: Tags, members: Parameters<NonNullable<OsmVisitor['relation']>>[2]) => {
    const adminLevel = parseAdminLevel(tags);
    if (adminLevel !== undefined || tags.has('place')) drafts.push(createDraft(id, tags, members()));
  };
  await passes.run('finding boundaries', CONTENTS.relations, { relation });

  const wayNodes = new Map<number, Float64Array>();
  const neededWays = new Set(drafts.flatMap(({ wayIds }) => wayIds));
  const way: NonNullable<OsmVisitor['way']> = (id, tags, nodeIds) => {
    const isPlace = tags.has('place');
    if (!isPlace && !neededWays.has(id)) return;
    wayNodes.set(id, Float64Array.from(nodeIds()));
    if (!isPlace) return;
    const noBoundary = { adminLevel: undefined, labelNode: undefined, centreNode: undefined };
    drafts.push({ kind: 'W', id, tags, wayIds: [id], ...noBoundary });
  };
  await passes.run('reading boundary lines', CONTENTS.ways, { way });

  const points = new NodePoints(neededNodes(wayNodes.values(), drafts));
  const countryNodes: Tags[] = [];
  const node: NonNullable<OsmVisitor['node']> = (id, { lat, lng }, tags) => {
    points.set(id, lat, lng);
    if (tags?.get('place') === 'country') countryNodes.push(tags);
  };
  await passes.run('reading boundary points', CONTENTS.nodes, { node });
  const lines = new Map<number, Polyline | undefined>();
  for (const [id, nodeIds] of wayNodes) lines.set(id, points.line(nodeIds));
  return {
    areas: drafts.map((draft) => ({ ...draft, outline: createOutline(draft.wayIds, lines) })),
    countryNodes,
    nodePoint: (nodeId) => points.get(nodeId),
    nodeBlocks: passes.blocksWith(CONTENTS.nodes),
  };
}

/** Runs passes over the file. Later passes unpack only the blocks whose contents they need. */
class Passes {
  readonly #file: OsmFile;
  readonly #onProgress: OnProgress;
  readonly #contents: number[] = [];

  constructor(file: OsmFile, onProgress: OnProgress) {
    this.#file = file;
    this.#onProgress = onProgress;
  }

  async run(stage: string, kind: number, visitor: OsmVisitor): Promise<void> {
    const { blocks } = this.#file;
    for (const [i, block] of blocks.entries()) {
      const known = this.#contents[i];
      if (known !== undefined && (known & kind) === 0) continue;
      this.#contents[i] = await this.#file.decode(block, (bytes) => visitBlock(bytes, visitor));
      this.#onProgress({ stage: `${stage} in ${this.#file.label}`, done: i + 1 });
    }
  }

  blocksWith(kind: number): OsmBlock[] {
    return this.#file.blocks.filter((_, i) => ((this.#contents[i] ?? 0) & kind) !== 0);
  }
}

/** The coordinates of the needed nodes, by id. */
class NodePoints {
  readonly #ids: Float64Array;
  readonly #lats: Int32Array;
  readonly #lngs: Int32Array;
  /** Index of the next expected node: extracts list nodes by ascending id. */
  #next = 0;

  constructor(sortedIds: Float64Array) {
    this.#ids = sortedIds;
    this.#lats = new Int32Array(sortedIds.length).fill(UNKNOWN);
    this.#lngs = new Int32Array(sortedIds.length);
  }

  set(id: number, lat: number, lng: number): void {
    const expected = this.#ids[this.#next];
    const isUnneeded = (expected === undefined || id < expected) && id > (this.#ids[this.#next - 1] ?? -Infinity);
    if (isUnneeded) return;
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
    if (lat === undefined || lng === undefined || lat === UNKNOWN) return undefined;
    return { lat: lat / UNITS_PER_DEGREE, lng: lng / UNITS_PER_DEGREE };
  }

  /** Undefined if a node of the line is missing from the file. */
  line(nodeIds: Float64Array): Polyline | undefined {
    const indices = Array.from(nodeIds, (id) => indexInSorted(this.#ids, id));
    const lats = Int32Array.from(indices, (index) => this.#lats[index] ?? UNKNOWN);
    if (lats.includes(UNKNOWN)) return undefined;
    return createPolyline(
      lats,
      Int32Array.from(indices, (index) => this.#lngs[index] ?? UNKNOWN),
    );
  }
}

function parseAdminLevel(tags: Tags): number | undefined {
  if (tags.get('boundary') !== 'administrative') return undefined;
  const level = Number(tags.get('admin_level'));
  return Number.isInteger(level) && level >= MIN_ADMIN_LEVEL && level <= MAX_ADMIN_LEVEL ? level : undefined;
}

function createDraft(
  id: number,
  tags: Tags,
  members: ReturnType<Parameters<NonNullable<OsmVisitor['relation']>>[2]>,
): AreaDraft {
  const findNode = (...roles: string[]) => members.find(({ kind, role }) => kind === 'N' && roles.includes(role))?.id;
  return {
    kind: 'R',
    id,
    tags,
    adminLevel: parseAdminLevel(tags),
    wayIds: members
      .filter(({ kind, role }) => kind === 'W' && /^(|outer|inner|exclave|enclave)$/.test(role))
      .map((m) => m.id),
    labelNode: findNode('label'),
    centreNode: findNode('admin_centre', 'admin_center'),
  };
}

function neededNodes(ways: Iterable<Float64Array>, drafts: readonly AreaDraft[]): Float64Array {
  const ids = new GrowingArray(Float64Array);
  for (const nodeIds of ways) ids.pushAll(nodeIds);
  for (const { labelNode, centreNode } of drafts) {
    if (labelNode !== undefined) ids.push(labelNode);
    if (centreNode !== undefined) ids.push(centreNode);
  }
  const sorted = ids.view().sort();
  return sorted.filter((id, i) => id !== sorted[i - 1]);
}

function createOutline(
  wayIds: readonly number[],
  lines: ReadonlyMap<number, Polyline | undefined>,
): Outline | undefined {
  const parts = wayIds.map((id) => lines.get(id)).filter((line) => line !== undefined);
  return parts.length < wayIds.length ? undefined : Outline.of(parts);
}
