/** Small MaxMind DB files. Format: https://maxmind.github.io/MaxMind-DB/ */
export type Value = string | number | { readonly [key: string]: Value };

interface Layout {
  readonly recordBits: 24 | 28 | 32;
  readonly ipVersion: 4 | 6;
}

const METADATA_MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
const SEPARATOR = Buffer.alloc(16);

/** The smallest possible file: one node, so every IPv4 address has the same record. */
export function anMmdb(record: Value): Buffer {
  return anMmdbOf({ 0: record, 1: record }, { recordBits: 24, ipVersion: 4 });
}

/** `records`: by prefix of an address, in bits such as `0101`. No prefix may begin with another. */
export function anMmdbOf(records: Readonly<Record<string, Value>>, { recordBits, ipVersion }: Layout): Buffer {
  const beginnings = Object.keys(records).flatMap((prefix) => Array.from(prefix, (_, i) => prefix.slice(0, i)));
  const nodes = [...new Set(beginnings)].sort(); // '' is the root
  const offsets = new Map<string, number>();
  let data = Buffer.alloc(0);
  for (const [prefix, record] of Object.entries(records)) {
    offsets.set(prefix, data.length);
    data = Buffer.concat([data, encode(record)]);
  }
  // below the number of nodes a node, the number itself for none, above it an offset plus the separator's length
  const childOf = (prefix: string) => {
    if (nodes.includes(prefix)) return nodes.indexOf(prefix);
    const offset = offsets.get(prefix);
    return nodes.length + (offset === undefined ? 0 : SEPARATOR.length + offset);
  };
  const tree = nodes.map((node) => encodeNode(childOf(`${node}0`), childOf(`${node}1`), recordBits));
  const metadata = Buffer.concat([
    Buffer.from([(7 << 5) | 9]),
    ...entry('node_count', unsigned(6, nodes.length)),
    ...entry('record_size', unsigned(5, recordBits)),
    ...entry('ip_version', unsigned(5, ipVersion)),
    ...entry('database_type', encode('Test')),
    ...entry('binary_format_major_version', unsigned(5, 2)),
    ...entry('binary_format_minor_version', unsigned(5, 0)),
    ...entry('build_epoch', Buffer.from([1, 2, 1])),
    ...entry('languages', Buffer.from([0, 4])),
    ...entry('description', Buffer.from([7 << 5])),
  ]);
  return Buffer.concat([...tree, SEPARATOR, data, METADATA_MARKER, metadata]);
}

function encodeNode(left: number, right: number, recordBits: Layout['recordBits']): Buffer {
  const digits = recordBits / 4;
  const [l, r] = [left, right].map((child) => child.toString(16).padStart(digits, '0')) as [string, string];
  // with 28 bits, the byte between the numbers has the high digits of both
  return Buffer.from(recordBits === 28 ? l.slice(1) + l[0] + r[0] + r.slice(1) : l + r, 'hex');
}

function entry(key: string, value: Buffer): Buffer[] {
  return [encode(key), value];
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([Buffer.from([(2 << 5) | text.length]), text]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9, (3 << 5) | 8);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  const entries = Object.entries(value);
  return Buffer.concat([
    Buffer.from([(7 << 5) | entries.length]),
    ...entries.flatMap(([key, item]) => entry(key, encode(item))),
  ]);
}

function unsigned(type: number, value: number): Buffer {
  return Buffer.from([(type << 5) | 2, value >> 8, value & 255]);
}
