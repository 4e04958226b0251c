/** Writes small zip archives, valid unless a file has a `claim`. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  readonly name: string;
  readonly content: string | Buffer;
  readonly isStored?: boolean;
  /** Writes sizes in 64-bit fields, as archives over 4 GiB do. */
  readonly isZip64?: boolean;
  /** False values for the directory. */
  readonly claim?: {
    readonly bytes?: number;
    readonly crc?: number;
    readonly offset?: number;
    readonly flags?: number;
  };
}

export function writeZip(...files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const content = Buffer.from(file.content);
    const packed = file.isStored ? content : deflateRawSync(content);
    const entry = {
      method: file.isStored ? 0 : 8,
      crc: file.claim?.crc ?? crc32(content),
      packedBytes: packed.length,
      bytes: file.claim?.bytes ?? content.length,
      offset: file.claim?.offset ?? offset,
      flags: file.claim?.flags ?? 0,
    };
    const name = Buffer.from(file.name);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(entry.method, 8);
    header.writeUInt16LE(name.length, 26);
    parts.push(header, name, packed);
    directory.push(directoryEntry(name, entry, file.isZip64 ?? false));
    offset += header.length + name.length + packed.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

interface Entry {
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
  readonly flags: number;
}

function directoryEntry(name: Buffer, entry: Entry, isZip64: boolean): Buffer {
  const header = Buffer.alloc(46);
  const extra = Buffer.alloc(isZip64 ? 28 : 0);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(entry.flags, 8);
  header.writeUInt16LE(entry.method, 10);
  header.writeUInt32LE(entry.crc, 16);
  header.writeUInt32LE(isZip64 ? 0xffffffff : entry.packedBytes, 20);
  header.writeUInt32LE(isZip64 ? 0xffffffff : entry.bytes, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(isZip64 ? 0xffffffff : entry.offset, 42);
  if (isZip64) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    extra.writeBigUInt64LE(BigInt(entry.bytes), 4);
    extra.writeBigUInt64LE(BigInt(entry.packedBytes), 12);
    extra.writeBigUInt64LE(BigInt(entry.offset), 20);
  }
  return Buffer.concat([header, name, extra]);
}
