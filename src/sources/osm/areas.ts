/**
 * The areas of an OpenStreetMap extract that places need: administrative boundaries, and places drawn as areas.
 * Three passes, because an extract lists nodes before the ways that use them, and ways before the relations that use those:
 * relations tell which ways matter, ways which nodes. What is kept grows with the boundaries of the file, not with the file:
 * 8 bytes for each node of a way that matters, and 16 for its place on the map.
 */
import { GrowingArray } from '../../collections/growing-array.ts';
import { indexInSorted } from '../../collections/lower-bound.ts';
import type { OnStage } from '../report.ts';
import { HOLDS, type OsmVisitor, type Tags, visitBlock } from './elements.ts';
import { createPolyline, Outline, type Polyline, UNITS_PER_DEGREE } from './outline.ts';
import type { OsmBlock, OsmFile } from './pbf-file.ts';

export interface OsmArea {
  readonly kind: 'W' | 'R';
  readonly id: number;
  readonly tags: Tags;
  /** Undefined for all that are no administrative boundary. */
  readonly adminLevel: number | undefined;
  /** Nodes that stand for the area: where its name is written, and its seat. */
  readonly labelNode: number | undefined;
  readonly centreNode: number | undefined;
  /** Undefined when the file does not hold all of it. */
  readonly outline: Outline | undefined;
}

export interface OsmAreas {
  readonly areas: readonly OsmArea[];
  /** Tags of the nodes that stand for whole countries (`place=country`). */
  readonly countryNodes: readonly Tags[];
  /** Where a label or centre is, if it is in the file. */
  pointOf(nodeId: number): { readonly lat: number; readonly lng: number } | undefined;
  /** Blocks that hold nodes. */
  readonly nodeBlocks: readonly OsmBlock[];
}

/** Country to municipality. Below that lie quarters, which are places rather than what places lie in. */
const MIN_ADMIN_LEVEL = 2;
const MAX_ADMIN_LEVEL = 8;
/** No coordinate has this value: 180 degrees are 1.8e9. */
const UNKNOWN = 0x7fff_ffff;

interface Draft {
  readonly kind: 'W' | 'R';
  readonly id: number;
  readonly tags: Tags;
  readonly adminLevel: number | undefined;
  readonly wayIds: readonly number[];
  readonly labelNode: number | undefined;
  readonly centreNode: number | undefined;
}

export async function readAreas(file: OsmFile, onStage: OnStage): Promise<OsmAreas> {
  const passes = new Passes(file, onStage);
  const drafts: Draft[] = [];
  const relation = (id: number, tags: Tags, members: Parameters<NonNullable<OsmVisitor['relation']>>[2]) => {
    const adminLevel = adminLevelOf(tags);
    if (adminLevel !== undefined || tags.has('place')) drafts.push(draftOf(id, tags, members()));
  };
  await passes.run('finding boundaries', HOLDS.relations, { relation });

  const wayNodes = new Map<number, Float64Array>();
  const neededWays = new Set(drafts.flatMap(({ wayIds }) => wayIds));
  const way: NonNullable<OsmVisitor['way']> = (id, tags, nodeIds) => {
    const isPlace = tags.has('place');
    if (!isPlace && !neededWays.has(id)) return;
    wayNodes.set(id, Float64Array.from(nodeIds()));
    if (!isPlace) return;
    const none = { adminLevel: undefined, labelNode: undefined, centreNode: undefined };
    drafts.push({ kind: 'W', id, tags, wayIds: [id], ...none });
  };
  await passes.run('reading their lines', HOLDS.ways, { way });

  const points = new NodePoints(neededNodes(wayNodes.values(), drafts));
  const countryNodes: Tags[] = [];
  const node: NonNullable<OsmVisitor['node']> = (id, { lat, lng }, tags) => {
    points.set(id, lat, lng);
    if (tags?.get('place') === 'country') countryNodes.push(tags);
  };
  await passes.run('placing their points', HOLDS.nodes, { node });
  const lines = new Map<number, Polyline | undefined>();
  for (const [id, nodeIds] of wayNodes) lines.set(id, points.line(nodeIds));
  return {
    areas: drafts.map((draft) => ({ ...draft, outline: outlineOf(draft.wayIds, lines) })),
    countryNodes,
    pointOf: (nodeId) => points.get(nodeId),
    nodeBlocks: passes.blocksWith(HOLDS.nodes),
  };
}

/** Remembers what each block holds, so that after the first pass only those are unpacked that matter. */
class Passes {
  readonly #file: OsmFile;
  readonly #onStage: OnStage;
  readonly #holds: number[] = [];

  constructor(file: OsmFile, onStage: OnStage) {
    this.#file = file;
    this.#onStage = onStage;
  }

  async run(stage: string, kind: number, visitor: OsmVisitor): Promise<void> {
    const { blocks } = this.#file;
    for (const [i, block] of blocks.entries()) {
      const known = this.#holds[i];
      if (known !== undefined && (known & kind) === 0) continue;
      this.#holds[i] = await this.#file.decode(block, (bytes) => visitBlock(bytes, visitor));
      this.#onStage({ stage: `${stage} in ${this.#file.label}`, done: i + 1 });
    }
  }

  blocksWith(kind: number): OsmBlock[] {
    return this.#file.blocks.filter((_, i) => ((this.#holds[i] ?? 0) & kind) !== 0);
  }
}

/** The coordinates of chosen nodes, by id. */
class NodePoints {
  readonly #ids: Float64Array;
  readonly #lats: Int32Array;
  readonly #lngs: Int32Array;
  /** Where the next node is expected: extracts list them by ascending id. */
  #next = 0;

  constructor(sortedIds: Float64Array) {
    this.#ids = sortedIds;
    this.#lats = new Int32Array(sortedIds.length).fill(UNKNOWN);
    this.#lngs = new Int32Array(sortedIds.length);
  }

  set(id: number, lat: number, lng: number): void {
    const expected = this.#ids[this.#next];
    const isBetween = (expected === undefined || id < expected) && id > (this.#ids[this.#next - 1] ?? -Infinity);
    if (isBetween) return;
    const position = id === expected ? this.#next : indexInSorted(this.#ids, id);
    if (position === -1) return;
    this.#lats[position] = Math.round(lat * UNITS_PER_DEGREE);
    this.#lngs[position] = Math.round(lng * UNITS_PER_DEGREE);
    this.#next = position + 1;
  }

  get(id: number): { lat: number; lng: number } | undefined {
    const position = indexInSorted(this.#ids, id);
    const lat = this.#lats[position];
    const lng = this.#lngs[position];
    if (lat === undefined || lng === undefined || lat === UNKNOWN) return undefined;
    return { lat: lat / UNITS_PER_DEGREE, lng: lng / UNITS_PER_DEGREE };
  }

  /** Undefined when a node of it is not in the file. */
  line(nodeIds: Float64Array): Polyline | undefined {
    const positions = Array.from(nodeIds, (id) => indexInSorted(this.#ids, id));
    const lats = Int32Array.from(positions, (position) => this.#lats[position] ?? UNKNOWN);
    if (lats.includes(UNKNOWN)) return undefined;
    return createPolyline(
      lats,
      Int32Array.from(positions, (position) => this.#lngs[position] ?? UNKNOWN),
    );
  }
}

function adminLevelOf(tags: Tags): number | undefined {
  if (tags.get('boundary') !== 'administrative') return undefined;
  const level = Number(tags.get('admin_level'));
  return Number.isInteger(level) && level >= MIN_ADMIN_LEVEL && level <= MAX_ADMIN_LEVEL ? level : undefined;
}

function draftOf(
  id: number,
  tags: Tags,
  members: ReturnType<Parameters<NonNullable<OsmVisitor['relation']>>[2]>,
): Draft {
  const nodeOf = (...roles: string[]) => members.find(({ kind, role }) => kind === 'N' && roles.includes(role))?.id;
  return {
    kind: 'R',
    id,
    tags,
    adminLevel: adminLevelOf(tags),
    wayIds: members
      .filter(({ kind, role }) => kind === 'W' && /^(|outer|inner|exclave|enclave)$/.test(role))
      .map((m) => m.id),
    labelNode: nodeOf('label'),
    centreNode: nodeOf('admin_centre', 'admin_center'),
  };
}

function neededNodes(ways: Iterable<Float64Array>, drafts: readonly Draft[]): Float64Array {
  const ids = new GrowingArray(Float64Array);
  for (const nodeIds of ways) ids.pushAll(nodeIds);
  for (const { labelNode, centreNode } of drafts) {
    if (labelNode !== undefined) ids.push(labelNode);
    if (centreNode !== undefined) ids.push(centreNode);
  }
  const sorted = ids.view().sort();
  return sorted.filter((id, i) => id !== sorted[i - 1]);
}

function outlineOf(wayIds: readonly number[], lines: ReadonlyMap<number, Polyline | undefined>): Outline | undefined {
  const parts = wayIds.map((id) => lines.get(id)).filter((line) => line !== undefined);
  return parts.length < wayIds.length ? undefined : Outline.of(parts);
}
