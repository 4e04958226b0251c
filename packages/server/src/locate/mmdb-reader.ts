/**
 * Reads a MaxMind DB file in place: a lookup reads only the blocks of the file that it needs. So a database of
 * 134 MB takes 2 MB per thread, and the system keeps the often used parts of the file in its cache.
 * The format: https://maxmind.github.io/MaxMind-DB/
 */
import { fstatSync, readSync } from 'node:fs';

const METADATA_MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const METADATA_BYTES = 128 * 1024; // the format puts the metadata in the last 128 KiB
const SEPARATOR_BYTES = 16; // the format puts 16 zero bytes between the search tree and the data
/** 10 ms for the embedded files, if the system has them in its cache. */
const VERIFIED_ADDRESSES = 200;
const GOLDEN_STEP = 2_654_435_769; // 2 ** 32 divided by the golden ratio: its multiples are spread evenly
const IPV4_PREFIX_BITS = 96; // a tree of IPv6 addresses has IPv4 addresses below 96 zero bits

/** The functions throw an Error if the file is damaged or cannot be read. */
export class MmdbReader {
  readonly metadata: ReturnType<typeof readMetadata>;
  readonly #blocks: FileBlocks;
  readonly #data: ValueDecoder;
  readonly #treeBytes: number;
  readonly #ipv4Start: number;

  /** `file`: the descriptor of an open file. */
  constructor(file: number) {
    this.#blocks = new FileBlocks(file);
    this.metadata = readMetadata(this.#blocks);
    const { nodeCount, recordBits, ipVersion } = this.metadata;
    this.#treeBytes = (nodeCount * recordBits) / 4;
    this.#checkSeparator();
    this.#data = new ValueDecoder(this.#blocks, this.#treeBytes + SEPARATOR_BYTES);
    this.#ipv4Start = ipVersion === 4 ? 0 : this.#follow(new Uint8Array(IPV4_PREFIX_BITS / 8), 0);
  }

  /** Looks up addresses all over the tree. Throws if a lookup does not end at a record, as in a file with a hole. */
  verify(): void {
    const [ipv4, ipv6] = [Buffer.alloc(4), Buffer.alloc(16)];
    for (let i = 0; i < VERIFIED_ADDRESSES; i++) {
      const start = (i * GOLDEN_STEP) >>> 0;
      ipv4.writeUInt32BE(start);
      ipv6.writeUInt32BE(0x2000_0000 + (start >>> 3)); // 2000::/3 has all public addresses
      this.find(ipv4);
      this.find(ipv6);
    }
  }

  /** The record of an address of 4 or 16 bytes; undefined if there is none. */
  find(address: ArrayLike<number>): unknown {
    const isShort = address.length === 4;
    if (!isShort && this.metadata.ipVersion === 4) return undefined;
    const node = this.#follow(address, isShort ? this.#ipv4Start : 0);
    // what is not a node is the count, for no record, or above it and an offset from the end of the tree
    const { nodeCount } = this.metadata;
    if (node < nodeCount) throw new Error('its search tree has no end');
    return node === nodeCount ? undefined : this.#data.decodeAt(node - nodeCount + this.#treeBytes);
  }

  /** Follows the bits down the tree until they end, or lead to what is not a node. */
  #follow(bytes: ArrayLike<number>, start: number): number {
    let node = start;
    for (let i = 0; i < bytes.length * 8 && node < this.metadata.nodeCount; i++) {
      node = this.#child(node, (bytes[i >> 3]! >> (7 - (i & 7))) & 1);
    }
    return node;
  }

  /** A node is two numbers of 24, 28 or 32 bits. With 28, the byte between them has the high bits of both. */
  #child(node: number, bit: number): number {
    const { recordBits } = this.metadata;
    const blocks = this.#blocks;
    const at = (node * recordBits) / 4;
    if (recordBits !== 28) return blocks.uintAt(at + (bit * recordBits) / 8, recordBits / 8);
    const highBits = bit === 0 ? blocks.byteAt(at + 3) >> 4 : blocks.byteAt(at + 3) & 15;
    return (highBits << 24) | blocks.uintAt(at + bit * 4, 3);
  }

  #checkSeparator(): void {
    for (let i = 0; i < SEPARATOR_BYTES; i++) {
      if (this.#blocks.byteAt(this.#treeBytes + i) === 0) continue;
      throw new Error('its search tree does not end where its metadata says');
    }
  }
}

const BLOCK_BYTES = 4096;
/** 2 MB, with which a random IPv4 address takes 4.4 reads; with 1 MB 5.2, with 8 MB 2.7. */
const CACHED_BLOCKS = 512;

/** The bytes of a file. Recently read blocks are cached, each in the slot that its number determines. */
class FileBlocks {
  readonly size: number;
  readonly #file: number;
  readonly #cache = Buffer.alloc(CACHED_BLOCKS * BLOCK_BYTES);
  /** By slot: the number of the cached block; -1 for none. */
  readonly #numbers = new Int32Array(CACHED_BLOCKS).fill(-1);

  constructor(file: number) {
    this.#file = file;
    this.size = fstatSync(file).size;
  }

  byteAt(offset: number): number {
    if (offset >= this.size) throw new Error('it ends before its data does');
    const block = Math.floor(offset / BLOCK_BYTES);
    const slot = block % CACHED_BLOCKS;
    if (this.#numbers[slot] !== block) this.#read(block, slot);
    return this.#cache[slot * BLOCK_BYTES + (offset % BLOCK_BYTES)]!;
  }

  uintAt(offset: number, bytes: number): number {
    let value = 0;
    for (let i = 0; i < bytes; i++) value = value * 256 + this.byteAt(offset + i);
    return value;
  }

  /** May return a view of the cache, which the next call changes. */
  bytesAt(offset: number, count: number): Buffer {
    if (count === 0) return Buffer.alloc(0);
    const inBlock = offset % BLOCK_BYTES;
    if (inBlock + count > BLOCK_BYTES || offset + count > this.size)
      return this.#readBytes(offset, Buffer.alloc(count));
    this.byteAt(offset); // caches the block
    const start = (Math.floor(offset / BLOCK_BYTES) % CACHED_BLOCKS) * BLOCK_BYTES + inBlock;
    return this.#cache.subarray(start, start + count);
  }

  #read(block: number, slot: number): void {
    this.#numbers[slot] = -1; // in case the read throws
    const start = block * BLOCK_BYTES;
    const cacheStart = slot * BLOCK_BYTES;
    this.#readBytes(start, this.#cache.subarray(cacheStart, cacheStart + Math.min(BLOCK_BYTES, this.size - start)));
    this.#numbers[slot] = block;
  }

  #readBytes(offset: number, bytes: Buffer): Buffer {
    if (readSync(this.#file, bytes, 0, bytes.length, offset) === bytes.length) return bytes;
    throw new Error('it ends before its data does');
  }
}

const TYPE = {
  extended: 0,
  pointer: 1,
  string: 2,
  double: 3,
  bytes: 4,
  map: 7,
  int32: 8,
  array: 11,
  boolean: 14,
  float: 15,
} as const;
/** By number of further bytes of a pointer: what is added to their value. */
const POINTER_BASES = [0, 2048, 526_336, 0];
/** By number of further bytes of a size: what is added to their value. */
const SIZE_BASES = [0, 29, 285, 65_821];
// the largest records have some hundred values; a damaged record may refer to itself
const MAX_VALUES = 1000;
const MAX_TEXT_BYTES = 65_536;

class ValueDecoder {
  readonly #blocks: FileBlocks;
  readonly #pointersFrom: number;
  #at = 0;
  #values = 0;

  /** `pointersFrom`: the offset in the file from which pointers count. */
  constructor(blocks: FileBlocks, pointersFrom: number) {
    this.#blocks = blocks;
    this.#pointersFrom = pointersFrom;
  }

  decodeAt(offset: number): unknown {
    this.#at = offset;
    this.#values = 0;
    return this.#decode();
  }

  #decode(): unknown {
    if (++this.#values > MAX_VALUES) throw new Error('a record has too many values');
    const control = this.#uint(1);
    const type = control >> 5;
    if (type === TYPE.pointer) return this.#decodePointer(control & 31);
    return this.#decodeValue(type === TYPE.extended ? this.#uint(1) + 7 : type, this.#size(control & 31));
  }

  #decodeValue(type: number, size: number): unknown {
    if (type === TYPE.map) return this.#decodeMap(size);
    if (type === TYPE.array) return Array.from({ length: Math.min(size, MAX_VALUES) }, () => this.#decode());
    if (type === TYPE.boolean) return size !== 0;
    if (type === TYPE.string) return this.#bytes(size).toString('utf8');
    if (type === TYPE.bytes) return Buffer.from(this.#bytes(size));
    if (type === TYPE.double) return this.#bytes(8).readDoubleBE();
    if (type === TYPE.float) return this.#bytes(4).readFloatBE();
    if (type > TYPE.array) throw new Error(`a value has the unknown type ${type}`);
    const value = this.#uint(size);
    return type === TYPE.int32 ? value | 0 : value;
  }

  #decodeMap(size: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    for (let i = 0; i < size; i++) map[String(this.#decode())] = this.#decode();
    return map;
  }

  /** The value may be a pointer to where the value is. `bits`: the length of the pointer, and its high bits. */
  #decodePointer(bits: number): unknown {
    const length = bits >> 3;
    const highBits = length === 3 ? 0 : bits & 7;
    const bytes = length + 1;
    const target = highBits * 256 ** bytes + this.#uint(bytes) + POINTER_BASES[length]!;
    const next = this.#at;
    this.#at = this.#pointersFrom + target;
    const value = this.#decode();
    this.#at = next;
    return value;
  }

  #size(bits: number): number {
    const moreBytes = Math.max(0, bits - 28);
    return moreBytes === 0 ? bits : SIZE_BASES[moreBytes]! + this.#uint(moreBytes);
  }

  #uint(bytes: number): number {
    const value = this.#blocks.uintAt(this.#at, Math.min(bytes, 16));
    this.#at += bytes;
    return value;
  }

  #bytes(count: number): Buffer {
    if (count > MAX_TEXT_BYTES) throw new Error('a record has a text that is too long');
    const bytes = this.#blocks.bytesAt(this.#at, count);
    this.#at += count;
    return bytes;
  }
}

function readMetadata(blocks: FileBlocks) {
  const tailStart = Math.max(0, blocks.size - METADATA_BYTES);
  const marker = blocks.bytesAt(tailStart, blocks.size - tailStart).lastIndexOf(METADATA_MARKER);
  if (marker < 0) throw new Error('it has no metadata');
  const start = tailStart + marker + METADATA_MARKER.length;
  const fields = Object(new ValueDecoder(blocks, start).decodeAt(start)) as Readonly<Record<string, unknown>>;
  const { node_count: nodeCount, record_size: recordBits, ip_version: ipVersion } = fields;
  if (recordBits !== 24 && recordBits !== 28 && recordBits !== 32) throw new Error('unsupported record size');
  if (ipVersion !== 4 && ipVersion !== 6) throw new Error('unsupported IP version');
  if (typeof nodeCount !== 'number') throw new Error('its metadata has no number of nodes');
  return { nodeCount, recordBits, ipVersion, builtAt: new Date(Number(fields.build_epoch) * 1000) } as const;
}
