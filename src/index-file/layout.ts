/**
 * The bytes of an index file: a header, a directory of sections, then the sections, each a typed array.
 * docs/index-format.md draws it. Everything is little-endian; every byte of the file is under a checksum.
 */
import { TEXT_VERSION } from '../text/fold.ts';

/** Raise when the meaning of any section changes. */
export const FORMAT_VERSION = 6;
export const MAGIC = 'TOPONYM\n';
/** Magic 8, format version 4, text version 4, section count 4, directory checksum 4, file bytes 8. */
export const HEADER_BYTES = 32;
/** Name 24, offset 8, bytes 8, checksum 4, bytes of an element 4. */
export const ENTRY_BYTES = 48;
/** Sections begin at multiples of this, so that any typed array can view them. */
const ALIGNMENT = 64;

/** The bytes a section or the head takes up in the file. */
export function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

export const VERSIONS = `${FORMAT_VERSION}.${TEXT_VERSION}`;

/** A trie of folded keys, breadth-first: see build/trie.ts for what each array holds. */
const trie = {
  Char: Uint16Array,
  Child: Uint32Array,
  Tail: Uint32Array,
  Value: Uint32Array,
  Best: Uint8Array,
  Main: Uint8Array,
  Tails: Uint16Array,
  Gaps: Int32Array,
  MainGaps: Int32Array,
} as const;

/** Every section and the array it is viewed as, in the order of the file. */
export const SECTIONS = {
  /** JSON: data version, attribution, counts, languages, time zones, country codes. */
  meta: Uint8Array,

  // Places, by dense id: the most important is 0.
  /** What a record shows: see place-card.ts. */
  placeCards: Uint32Array,
  placeType: Uint8Array,
  placeLatE7: Int32Array,
  placeLngE7: Int32Array,
  placeImportance: Uint16Array,
  /** Administrative rank, 0 to 5: see Place. Overlays compute the importance of a changed place from it. */
  placeRank: Uint8Array,
  placeCountry: Uint16Array,
  placeAdmin1: Uint32Array,
  placeAdmin2: Uint32Array,
  /** Dense ids in the order of (source letter, number). */
  placeByNumber: Uint32Array,

  // Ids that were merged or retired, in the order of (source letter, number), and the places that answer for them.
  retiredSource: Uint8Array,
  retiredNumber: Float64Array,
  retiredPlace: Uint32Array,

  // Ids of places in other data, by place; only the next build reads them.
  externalPlace: Uint32Array,
  externalText: Uint32Array,

  // Names: of place p those from placeNames[p] to placeNames[p + 1], the main one first.
  placeNames: Uint32Array,
  nameText: Uint32Array,
  nameLanguage: Uint16Array,
  nameKind: Uint8Array,
  texts: Uint8Array,

  // Regions: countries, then first-level divisions, then second-level ones. 0 is "none".
  regionText: Uint32Array,
  regionParent: Uint32Array,
  regionLevel: Uint8Array,

  // Search: every word start of every spelling of every name.
  nameTrieChar: trie.Char,
  nameTrieChild: trie.Child,
  nameTrieTail: trie.Tail,
  nameTrieValue: trie.Value,
  nameTrieBest: trie.Best,
  nameTrieMain: trie.Main,
  nameTrieTails: trie.Tails,
  nameTrieGaps: trie.Gaps,
  nameTrieMainGaps: trie.MainGaps,
  /** Place id and flags, in the order of the keys, then of the places. */
  postings: Uint32Array,
  /** The lowest place id in each block of postings. */
  postingBlocks: Uint32Array,
  /** The best postings of long runs: see build/run-tops.ts. */
  runLo: Uint32Array,
  runHi: Uint32Array,
  runStart: Uint32Array,
  runTops: Uint32Array,
  /** Of place p, its postings from placePostings[p] to placePostings[p + 1]: the index turned round. */
  placePostings: Uint32Array,
  postingOf: Uint32Array,
  postingName: Uint8Array,

  // Regions by every name and abbreviation.
  regionTrieChar: trie.Char,
  regionTrieChild: trie.Child,
  regionTrieTail: trie.Tail,
  regionTrieValue: trie.Value,
  regionTrieBest: trie.Best,
  regionTrieMain: trie.Main,
  regionTrieTails: trie.Tails,
  regionTrieGaps: trie.Gaps,
  regionTrieMainGaps: trie.MainGaps,
  regionPostings: Uint32Array,

  // Nearest places: a k-d tree over unit vectors.
  treeIds: Uint32Array,
  treeCoords: Float32Array,
} as const;

export type SectionName = keyof typeof SECTIONS;
export type Sections = { readonly [Name in SectionName]: ViewOf<(typeof SECTIONS)[Name]> };
type ViewOf<Constructor> = Constructor extends { readonly prototype: infer View extends TypedArray } ? View : never;
type TypedArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;
export const SECTION_NAMES = Object.keys(SECTIONS) as readonly SectionName[];

/** What the `meta` section holds. */
export interface Meta {
  readonly version: string;
  readonly attribution: readonly string[];
  readonly places: number;
  readonly names: number;
  /** Of region 1, 2, …: ISO codes of the countries. */
  readonly countries: readonly string[];
  readonly timezones: readonly string[];
  readonly languages: readonly string[];
  /** Of an overlay: ids of places of the index under it that are hidden, or that places of this one replace. */
  readonly replaces?: readonly string[];
}

/** An opened index: its arrays and its head. */
export interface Index extends Sections {
  readonly head: Meta;
}
