/**
 * The smallest possible MaxMind DB: one node, so every IPv4 address has the same record.
 * Format: https://maxmind.github.io/MaxMind-DB/
 */
type Value = string | number | { readonly [key: string]: Value };

const METADATA_MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');

export function anMmdb(record: Value): Buffer {
  const nodeCount = 1;
  // a record above the node count is an offset into the data section, plus its 16-byte separator
  const pointer = nodeCount + 16;
  const node = Buffer.from([0, 0, pointer, 0, 0, pointer]);
  const metadata = Buffer.concat([
    Buffer.from([(7 << 5) | 9]),
    ...entry('node_count', unsigned(6, nodeCount)),
    ...entry('record_size', unsigned(5, 24)),
    ...entry('ip_version', unsigned(5, 4)),
    ...entry('database_type', encode('Test')),
    ...entry('binary_format_major_version', unsigned(5, 2)),
    ...entry('binary_format_minor_version', unsigned(5, 0)),
    ...entry('build_epoch', Buffer.from([1, 2, 1])),
    ...entry('languages', Buffer.from([0, 4])),
    ...entry('description', Buffer.from([7 << 5])),
  ]);
  return Buffer.concat([node, Buffer.alloc(16), encode(record), METADATA_MARKER, metadata]);
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
