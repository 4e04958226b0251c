/**
 * Decodes a block of an OpenStreetMap extract and passes its elements to a visitor: nodes (points),
 * ways (lines through nodes) and relations (groups of elements).
 * Field numbers: https://wiki.openstreetmap.org/wiki/PBF_Format
 */
import { decodeDeltas, decodeVarints, WireError, WireReader } from './wire-reader.ts';

export type Tags = ReadonlyMap<string, string>;

export interface Member {
  /** Node, way or relation. */
  readonly kind: 'N' | 'W' | 'R';
  readonly id: number;
  readonly role: string;
}

export interface OsmVisitor {
  node?(id: number, at: { readonly lat: number; readonly lng: number }, tags: Tags | undefined): void;
  // `nodeIds` and `members` decode when called, because few lists are needed
  way?(id: number, tags: Tags, nodeIds: () => number[]): void;
  relation?(id: number, tags: Tags, members: () => Member[]): void;
}

/** Bits that tell which kinds of elements a block has. */
export const ELEMENT_BITS = { node: 1, way: 2, relation: 4 } as const;

/** By field number in a group. */
const KIND_BY_FIELD: readonly (keyof OsmVisitor | undefined)[] = [undefined, 'node', 'node', 'way', 'relation'];
/** Field number of nodes that are stored in columns. */
const DENSE_NODES = 2;
const NO_BYTES = new Uint8Array();
/** By number in the file. */
const MEMBER_KINDS = ['N', 'W', 'R'] as const;
/** An index at which every lookup fails. */
const MISSING = -1;

/** What the elements of a block share. Granularity and offsets are in units of 1e-9 degrees. */
interface BlockContext {
  readonly strings: StringTable;
  readonly granularity: number;
  readonly latOffset: number;
  readonly lngOffset: number;
}

/** Returns the ELEMENT_BITS of all kinds in the block, including those that are not visited. */
export function visitBlock(bytes: Uint8Array, visitor: OsmVisitor): number {
  const reader = new WireReader(bytes);
  const groups: Uint8Array[] = [];
  // the format's default values
  const block = { strings: new StringTable([]), granularity: 100, latOffset: 0, lngOffset: 0 };
  while (reader.next()) {
    if (reader.field === 1) block.strings = new StringTable(readStrings(reader.message()));
    else if (reader.field === 2) groups.push(reader.bytes());
    else if (reader.field === 17) block.granularity = reader.varint();
    else if (reader.field === 19) block.latOffset = reader.int64();
    else if (reader.field === 20) block.lngOffset = reader.int64();
    else reader.skip();
  }
  let bits = 0;
  // after the loop, because elements need the other fields of the block
  for (const group of groups) bits |= visitGroup(new WireReader(group), block, visitor);
  return bits;
}

function visitGroup(group: WireReader, block: BlockContext, visitor: OsmVisitor): number {
  let bits = 0;
  while (group.next()) {
    const { field } = group;
    const kind = KIND_BY_FIELD[field];
    if (kind !== undefined) bits |= ELEMENT_BITS[kind];
    if (kind === undefined || visitor[kind] === undefined) group.skip();
    else if (field === DENSE_NODES) visitDenseNodes(group.message(), block, visitor);
    else if (kind === 'node') visitNode(group.message(), block, visitor);
    else if (kind === 'way') visitWay(group.message(), block, visitor);
    else visitRelation(group.message(), block, visitor);
  }
  return bits;
}

function visitNode(reader: WireReader, block: BlockContext, visitor: OsmVisitor): void {
  let [id, lat, lng] = [0, 0, 0];
  let keys: number[] = [];
  let values: number[] = [];
  while (reader.next()) {
    if (reader.field === 1) id = reader.zigzag();
    else if (reader.field === 2) keys = decodeVarints(reader.bytes());
    else if (reader.field === 3) values = decodeVarints(reader.bytes());
    else if (reader.field === 8) lat = reader.zigzag();
    else if (reader.field === 9) lng = reader.zigzag();
    else reader.skip();
  }
  visitor.node?.(id, toDegrees(lat, lng, block), keys.length === 0 ? undefined : block.strings.tags(keys, values));
}

/** The tags of all nodes are in one list: [key, value, …, 0] for each node. */
function visitDenseNodes(reader: WireReader, block: BlockContext, visitor: OsmVisitor): void {
  let ids: number[] = [];
  let lats: number[] = [];
  let lngs: number[] = [];
  let keysAndValues: number[] = [];
  while (reader.next()) {
    if (reader.field === 1) ids = decodeDeltas(reader.bytes());
    else if (reader.field === 8) lats = decodeDeltas(reader.bytes());
    else if (reader.field === 9) lngs = decodeDeltas(reader.bytes());
    else if (reader.field === 10) keysAndValues = decodeVarints(reader.bytes());
    else reader.skip();
  }
  if (lats.length !== ids.length || lngs.length !== ids.length) throw new WireError('nodes without coordinates');
  let at = 0;
  ids.forEach((id, i) => {
    const start = at;
    while (at < keysAndValues.length && keysAndValues[at] !== 0) at += 2;
    const tags = at === start ? undefined : block.strings.tagsOfPairs(keysAndValues.slice(start, at));
    at++; // skips the 0
    visitor.node?.(id, toDegrees(lats[i] as number, lngs[i] as number, block), tags);
  });
}

function visitWay(reader: WireReader, { strings }: BlockContext, visitor: OsmVisitor): void {
  const { id, tags, lists } = readElement(reader, strings);
  visitor.way?.(id, tags, () => decodeDeltas(lists[0]));
}

function visitRelation(reader: WireReader, { strings }: BlockContext, visitor: OsmVisitor): void {
  const { id, tags, lists } = readElement(reader, strings);
  visitor.relation?.(id, tags, () => {
    const [roles, kinds] = [decodeVarints(lists[0]), decodeVarints(lists[2])];
    return decodeDeltas(lists[1]).map((memberId, i): Member => {
      const kind = MEMBER_KINDS[kinds[i] ?? MISSING];
      if (kind === undefined) throw new WireError(`relation ${id} has a member of unknown type`);
      return { kind, id: memberId, role: strings.at(roles[i] ?? MISSING) };
    });
  });
}

/** Reads a way or relation. `lists` are its fields 8, 9 and 10, not decoded. */
function readElement(reader: WireReader, strings: StringTable) {
  let id = 0;
  let keys: number[] = [];
  let values: number[] = [];
  const lists: [Uint8Array, Uint8Array, Uint8Array] = [NO_BYTES, NO_BYTES, NO_BYTES];
  while (reader.next()) {
    if (reader.field === 1) id = reader.varint();
    else if (reader.field === 2) keys = decodeVarints(reader.bytes());
    else if (reader.field === 3) values = decodeVarints(reader.bytes());
    else if (reader.field >= 8 && reader.field <= 10) lists[reader.field - 8] = reader.bytes();
    else reader.skip();
  }
  return { id, tags: strings.tags(keys, values), lists };
}

function toDegrees(lat: number, lng: number, { granularity, latOffset, lngOffset }: BlockContext) {
  return { lat: (latOffset + granularity * lat) / 1e9, lng: (lngOffset + granularity * lng) / 1e9 };
}

function readStrings(reader: WireReader): Uint8Array[] {
  const strings: Uint8Array[] = [];
  while (reader.next()) {
    if (reader.field === 1) strings.push(reader.bytes());
    else reader.skip();
  }
  return strings;
}

/** The strings of a block, decoded on first use because most are never needed. */
class StringTable {
  readonly #bytes: readonly Uint8Array[];
  readonly #strings: (string | undefined)[] = [];

  constructor(bytes: readonly Uint8Array[]) {
    this.#bytes = bytes;
  }

  at(index: number): string {
    const decoded = this.#strings[index];
    if (decoded !== undefined) return decoded;
    const bytes = this.#bytes[index];
    if (bytes === undefined) throw new WireError(`string ${index} does not exist: the block has ${this.#bytes.length}`);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    this.#strings[index] = text;
    return text;
  }

  tags(keys: readonly number[], values: readonly number[]): Tags {
    if (keys.length !== values.length) throw new WireError('tags without values');
    return new Map(keys.map((key, i) => [this.at(key), this.at(values[i] as number)]));
  }

  tagsOfPairs(pairs: readonly number[]): Tags {
    const tags = new Map<string, string>();
    for (let i = 0; i < pairs.length; i += 2) tags.set(this.at(pairs[i] as number), this.at(pairs[i + 1] ?? MISSING));
    return tags;
  }
}
