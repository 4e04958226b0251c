/** Writes small OpenStreetMap extracts: https://wiki.openstreetmap.org/wiki/PBF_Format. */
import { deflateSync } from 'node:zlib';

export interface OsmNode {
  readonly id: number;
  readonly lat: number;
  readonly lng: number;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface OsmWay {
  readonly id: number;
  readonly nodes: readonly number[];
  readonly tags?: Readonly<Record<string, string>>;
}

export interface OsmRelation {
  readonly id: number;
  /** For example `['W', 10, 'outer']`. */
  readonly members: readonly (readonly [kind: 'N' | 'W' | 'R', id: number, role: string])[];
  readonly tags?: Readonly<Record<string, string>>;
}

export interface OsmContent {
  readonly nodes?: readonly OsmNode[];
  readonly ways?: readonly OsmWay[];
  readonly relations?: readonly OsmRelation[];
  /** Writes nodes one by one instead of in columns. */
  readonly isSparse?: boolean;
  readonly features?: readonly string[];
  /** Compresses a block; the default is zlib. */
  readonly pack?: (bytes: Buffer) => Buffer;
}

export function writeOsm(content: OsmContent): Buffer {
  const pack = content.pack ?? ((bytes) => message(field(2, bytes.length), field(3, deflateSync(bytes))));
  const features = content.features ?? ['OsmSchema-V0.6', 'DenseNodes'];
  const header = message(...features.map((name) => field(4, name)), field(32, 1_700_000_000));
  // as in real files, nodes, ways and relations are in separate blocks
  const blocks = [
    nodesBlock(content.nodes ?? [], content.isSparse ?? false),
    waysBlock(content.ways ?? []),
    relationsBlock(content.relations ?? []),
  ];
  return Buffer.concat([block('OSMHeader', pack(header)), ...blocks.map((bytes) => block('OSMData', pack(bytes)))]);
}

export function block(type: string, blob: Buffer): Buffer {
  const header = message(field(1, type), field(3, blob.length));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, blob]);
}

export function field(number: number, value: number | string | Buffer): Buffer {
  if (typeof value === 'number') return Buffer.concat([varint(number * 8), varint(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

export function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function nodesBlock(nodes: readonly OsmNode[], isSparse: boolean): Buffer {
  const strings = new StringTable();
  const units = (degrees: number) => Math.round(degrees * 1e7);
  if (isSparse) {
    const group = nodes.map(({ id, lat, lng, tags }) =>
      field(
        1,
        message(
          Buffer.concat([varint(8), varint(zigzag(id))]),
          ...strings.fields(tags),
          Buffer.concat([varint(64), varint(zigzag(units(lat)))]),
          Buffer.concat([varint(72), varint(zigzag(units(lng)))]),
        ),
      ),
    );
    return message(strings.field(), field(2, message(...group)));
  }
  const keysAndValues = nodes.flatMap(({ tags = {} }) => [
    ...Object.entries(tags).flatMap(([key, value]) => [strings.intern(key), strings.intern(value)]),
    0,
  ]);
  const dense = message(
    field(1, deltas(nodes.map(({ id }) => id))),
    field(8, deltas(nodes.map(({ lat }) => units(lat)))),
    field(9, deltas(nodes.map(({ lng }) => units(lng)))),
    field(10, packed(keysAndValues)),
  );
  return message(strings.field(), field(2, message(field(2, dense))));
}

function waysBlock(ways: readonly OsmWay[]): Buffer {
  const strings = new StringTable();
  const group = ways.map(({ id, nodes, tags }) =>
    field(3, message(field(1, id), ...strings.fields(tags), field(8, deltas(nodes)))),
  );
  return message(strings.field(), field(2, message(...group)));
}

function relationsBlock(relations: readonly OsmRelation[]): Buffer {
  const strings = new StringTable();
  const group = relations.map(({ id, members, tags }) =>
    field(
      4,
      message(
        field(1, id),
        ...strings.fields(tags),
        field(8, packed(members.map(([, , role]) => strings.intern(role)))),
        field(9, deltas(members.map(([, memberId]) => memberId))),
        field(10, packed(members.map(([kind]) => ['N', 'W', 'R'].indexOf(kind)))),
      ),
    ),
  );
  return message(strings.field(), field(2, message(...group)));
}

class StringTable {
  readonly #all = [''];

  intern(text: string): number {
    const known = this.#all.indexOf(text);
    return known === -1 || text === '' ? this.#all.push(text) - 1 : known;
  }

  fields(tags: Readonly<Record<string, string>> = {}): Buffer[] {
    const pairs = Object.entries(tags);
    const keys = packed(pairs.map(([key]) => this.intern(key)));
    return [field(2, keys), field(3, packed(pairs.map(([, value]) => this.intern(value))))];
  }

  field(): Buffer {
    return field(1, message(...this.#all.map((text) => field(1, text))));
  }
}

function packed(values: readonly number[]): Buffer {
  return Buffer.concat(values.map(varint));
}

function deltas(values: readonly number[]): Buffer {
  return packed(values.map((value, i) => zigzag(value - (values[i - 1] ?? 0))));
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}
