/**
 * Damaged index files with correct checksums: a small real index with an entry in every section,
 * and seeded random changes to its words, sections, directory and meta.
 */
import { crc32 } from 'node:zlib';
import { buildIndex } from 'toponym-gazetteer/build/build-index';
import { aGazetteer, aPlace } from '../../../../test/support/an-engine.ts';
import {
  ENTRY,
  HEAD_BYTES,
  HEADER,
  paddedSize,
  SECTION_NAMES,
  SECTIONS,
  type SectionName,
} from '../../src/index-file/layout.ts';
import { readDirectory } from '../../src/index-file/open-index.ts';

/** Leaves room in the meta section for longer values. */
const LONG_CREDIT = 'Test data '.repeat(50);

type Random = (limit: number) => number;

/**
 * Has enough names with a common prefix for long ranges, places merged from two sources, a suburban
 * area with a city, places with an extent, and regions with translations.
 */
export async function aFullIndex(): Promise<ArrayBuffer> {
  const places = Array.from({ length: 300 }, (_, i) =>
    aPlace({
      id: `G${1000 + i}`,
      name: `San ${'abcdefghij'[i % 10]}${'aeiou'[i % 5]}r${i}`,
      alternateNames: [
        { value: `Saint ${i}`, kind: 'alternate', language: i % 2 === 0 ? 'fr' : 'de' },
        { value: `聖${i}`, kind: 'alternate', language: 'ja' },
      ],
      country: i % 3 === 0 ? 'US' : 'FR',
      ...(i % 3 === 0 ? { admin1: 'US.IL', admin2: 'US.IL.167' } : { admin1: 'FR.11' }),
      lat: (i * 37) % 89,
      lng: ((i * 73) % 359) - 179,
      population: 1000 * (300 - i),
      adminRank: i % 6,
      timezone: i % 2 === 0 ? 'Europe/Paris' : 'America/Chicago',
      externalIds: [`wd:Q${i}`],
      ...(i < 3 ? { box: { south: -1, west: 170, north: 89, east: 169 } } : {}),
      ...(i < 2 ? { edgeAirports: [{ lat: 1, lng: i }] } : {}),
      ...(i === 297 ? { type: 'suburban area', lat: 0, lng: -179 } : {}), // of the first place
    }),
  );
  const others = Array.from({ length: 20 }, (_, i) =>
    aPlace({
      id: `N${i + 1}`,
      name: `Other ${i}`,
      lat: places[i]!.lat,
      lng: places[i]!.lng,
      externalIds: [`wd:Q${i}`],
    }),
  );
  const gazetteer = aGazetteer([...places, ...others]);
  const regions = gazetteer.regions.map((region) => ({ ...region, translations: new Map([['fr', 'Région']]) }));
  const file = Buffer.concat((await buildIndex({ ...gazetteer, regions, attribution: [LONG_CREDIT] })).chunks);
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
}

/** An index file whose sections can be changed; `seal` corrects the checksums. */
export class MutableIndex {
  readonly bytes: Buffer;

  constructor(index: ArrayBuffer) {
    this.bytes = Buffer.from(index.slice(0));
  }

  get buffer(): ArrayBuffer {
    return this.bytes.buffer as ArrayBuffer;
  }

  section(name: SectionName) {
    const entry = readDirectory(this.buffer).find((each) => each.name === name)!;
    const [View] = SECTIONS[name];
    return new View(this.buffer, entry.offset, entry.bytes / View.BYTES_PER_ELEMENT);
  }

  /** Replaces the text of the meta section, which must not become longer. */
  setMeta(text: string): void {
    const meta = this.section('meta') as Uint8Array;
    if (Buffer.byteLength(text) > meta.length) throw new RangeError('the new meta is longer than the old one');
    meta.fill(0x20);
    meta.set(Buffer.from(text));
  }

  get meta(): Record<string, unknown> {
    return JSON.parse(Buffer.from(this.section('meta') as Uint8Array).toString()) as Record<string, unknown>;
  }

  entryAt(section: number): number {
    return HEADER.size + section * ENTRY.size;
  }

  /** Corrects every checksum that can be computed. */
  seal(): ArrayBuffer {
    const { bytes } = this;
    for (let i = 0; i < SECTION_NAMES.length; i++) {
      const entry = this.entryAt(i);
      const offset = Number(bytes.readBigUInt64LE(entry + ENTRY.offsetAt));
      const end = offset + paddedSize(Number(bytes.readBigUInt64LE(entry + ENTRY.bytesAt)));
      if (end <= bytes.length) bytes.writeUInt32LE(crc32(bytes.subarray(offset, end)), entry + ENTRY.checksumAt);
    }
    bytes.writeUInt32LE(0, HEADER.headChecksumAt);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, HEAD_BYTES)), HEADER.headChecksumAt);
    return this.buffer;
  }
}

const EDGES = [0, 1, 2, 63, 127, 128, 255, 0x7fff, 0xffff, 0x07ff_ffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
const META_VALUES = [null, -1, 0.5, 1e9, '', 'x', true, [], {}, ['__proto__'], ['valueOf'], [''], [1], ['ZZZ']];

/** Makes one random change. */
export function mutate(index: MutableIndex, random: Random): void {
  const kind = random(20);
  if (kind === 0) changeDirectory(index, random);
  else if (kind === 1) swapEntries(index, random);
  else if (kind <= 3) changeMeta(index, random);
  else {
    const name = SECTION_NAMES[1 + random(SECTION_NAMES.length - 1)]!;
    for (let times = [1, 1, 2, 20, 500][random(5)]!; times > 0; times--) changeWord(index.section(name), random);
  }
}

function changeWord(words: ReturnType<MutableIndex['section']>, random: Random): void {
  if (words.length === 0) return;
  const at = random(words.length);
  const other = random(words.length);
  const before = words[at]!;
  const values = [
    EDGES[random(EDGES.length)]!,
    before + random(5) - 2,
    random(2 ** 32),
    random(words.length),
    words[other]!,
    before ^ (2 ** random(31)),
    Number.NaN,
  ];
  words[at] = values[random(values.length)]!;
  if (random(3) === 0) words[other] = before;
}

function changeDirectory({ bytes, entryAt }: MutableIndex, random: Random): void {
  const entry = entryAt(random(SECTION_NAMES.length));
  const field = entry + [ENTRY.offsetAt, ENTRY.bytesAt, ENTRY.elementBytesAt][random(3)]!;
  const before = Number(bytes.readBigUInt64LE(field));
  const values = [
    0,
    before + 1,
    before + 4,
    before + 64,
    Math.max(0, before - 64),
    bytes.length,
    2 ** 53,
    random(2 ** 20),
  ];
  if (field === entry + ENTRY.elementBytesAt) bytes.writeUInt32LE(values[random(values.length)]! % 2 ** 32, field);
  else bytes.writeBigUInt64LE(BigInt(values[random(values.length)]!), field);
}

/** Swaps two sections in the directory only. */
function swapEntries({ bytes, entryAt }: MutableIndex, random: Random): void {
  const randomEntry = () => entryAt(random(SECTION_NAMES.length)) + ENTRY.offsetAt;
  const [a, b] = [randomEntry(), randomEntry()];
  const saved = Buffer.from(bytes.subarray(a, a + 16));
  bytes.copy(bytes, a, b, b + 16);
  saved.copy(bytes, b);
}

function changeMeta(index: MutableIndex, random: Random): void {
  const { meta } = index;
  const keys = Object.keys(meta);
  const key = keys[random(keys.length)]!;
  if (random(4) === 0) delete meta[key];
  else if (typeof meta[key] === 'number' && random(2) === 0) meta[key] += random(3) - 1;
  else if (Array.isArray(meta[key]) && random(2) === 0) meta[key].pop();
  else meta[key] = META_VALUES[random(META_VALUES.length)];
  const text = random(10) === 0 ? '{' : JSON.stringify(meta);
  if (Buffer.byteLength(text) <= index.section('meta').length) index.setMeta(text);
}
