/**
 * Layout of an index file: the head (a header and a directory of the sections), then the sections,
 * each a typed array. All numbers are little-endian. docs/index-format.md has a diagram.
 */
/** Must be raised when the meaning of any section changes. */
export const FORMAT_VERSION = 13;
/** Must be raised when folding changes (text/fold.ts). Not there, so that opening a file loads no code of folding. */
export const TEXT_VERSION = 3;
/** Format version and text version, such as `13.3`. */
export const INDEX_VERSION = `${FORMAT_VERSION}.${TEXT_VERSION}`;
export const MAGIC = 'TOPONYM\n';
/** Offsets in bytes. The header starts with the magic bytes. */
export const HEADER = {
  formatVersionAt: 8,
  textVersionAt: 12,
  sectionCountAt: 16,
  headChecksumAt: 20,
  fileBytesAt: 24,
  size: 32,
} as const;
/** Offsets in a directory entry, which starts with the name of the section. */
export const ENTRY = {
  nameSize: 24,
  offsetAt: 24,
  bytesAt: 32,
  checksumAt: 40,
  elementBytesAt: 44,
  size: 48,
} as const;
/** Sections start at multiples of this, so that any typed array can view them. */
const ALIGNMENT = 64;

export function paddedSize(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Importances from 0 to 1 are stored as integers from 0 to this. */
export const MAX_IMPORTANCE = 0xffff;
/** Bytes of the number before each text in the section `texts`. It is the length of the text in UTF-8. */
export const LENGTH_BYTES = 2;
export const MAX_TEXT_BYTES = 0xffff;

/**
 * How a packed index (the gazetteer's build/pack-index.ts) stores a section: as it is, as differences, because neighbours are close, or not at
 * all, because it is computed from others. The texts come last.
 */
type Packing = 'plain' | 'differences' | 'computed' | 'texts';

/** Every section with its array type and packing, in file order. */
export const SECTIONS = {
  /** `Meta` as JSON. */
  meta: [Uint8Array, 'plain'],

  // Places by dense id (number in the order of importance). E7 means degrees × 10⁷.
  packedRecords: [Uint32Array, 'plain'],
  placeType: [Uint8Array, 'computed'],
  placeLatE7: [Int32Array, 'computed'],
  placeLngE7: [Int32Array, 'computed'],
  placeImportance: [Uint16Array, 'computed'],
  /** `Place.adminRank`. Searches do not read it. */
  placeRank: [Uint8Array, 'plain'],
  // Region ids: see `regionText`.
  placeCountry: [Uint16Array, 'plain'],
  placeAdmin1: [Uint32Array, 'plain'],
  placeAdmin2: [Uint32Array, 'computed'],
  /** Dense ids ordered by letter, then by number of the object id, such as `G123`. */
  placeByNumber: [Uint32Array, 'plain'],

  // Retired object ids, ordered by letter, then by number, with the dense id of the current place.
  retiredSource: [Uint8Array, 'plain'],
  retiredNumber: [Float64Array, 'plain'],
  retiredPlace: [Uint32Array, 'plain'],

  // Ids of places in other datasets, such as `wd:Q90`, ordered by place. Searches do not read them.
  externalPlace: [Uint32Array, 'plain'],
  externalText: [Uint32Array, 'differences'],

  // Suburban areas with a known city, ordered by place. The city may be in another index, so it is
  // stored as an object id.
  suburbPlace: [Uint32Array, 'plain'],
  suburbCity: [Uint32Array, 'plain'],

  // True extents of the places that have one, ordered by place: see `readExtent`.
  extentPlace: [Uint32Array, 'plain'],
  extentE7: [Int32Array, 'plain'],

  // Airports at the edge of places, ordered by place: latitude and longitude of each.
  airportPlace: [Uint32Array, 'plain'],
  airportE7: [Int32Array, 'plain'],

  // Place p has the names from placeNames[p] up to placeNames[p + 1], the main name first.
  placeNames: [Uint32Array, 'differences'],
  nameText: [Uint32Array, 'differences'],
  nameLanguage: [Uint16Array, 'plain'],
  nameKind: [Uint8Array, 'plain'],
  /** The string pool, in which `…Text`, `suburbCity` and `regionKey` are offsets. */
  texts: [Uint8Array, 'texts'],

  // Regions by id: 0 means none, then countries, first-level divisions, second-level divisions.
  regionText: [Uint32Array, 'differences'],
  /** The code of a country, or the key of a division: `US.TX`. */
  regionKey: [Uint32Array, 'differences'],
  regionParent: [Uint32Array, 'plain'],
  regionLevel: [Uint8Array, 'plain'],
  // Region r has the places from regionPlaceStart[r] up to regionPlaceStart[r + 1], in the order of
  // dense ids.
  regionPlaceStart: [Uint32Array, 'computed'],
  regionPlaces: [Uint32Array, 'computed'],
  // Region r has the translations from regionTranslations[r] up to regionTranslations[r + 1], at
  // most one per language.
  regionTranslations: [Uint32Array, 'differences'],
  translationText: [Uint32Array, 'differences'],
  translationLanguage: [Uint16Array, 'plain'],

  // A trie of the spellings of names, also from later words: "rio de janeiro" and "janeiro".
  nameTrieEdgeLetter: [Uint16Array, 'plain'],
  nameTrieChildStart: [Uint32Array, 'differences'],
  nameTrieTailStart: [Uint32Array, 'differences'],
  nameTriePostingStart: [Uint32Array, 'differences'],
  nameTrieMaxImportance: [Uint8Array, 'plain'],
  nameTrieHasMainName: [Uint8Array, 'plain'],
  nameTrieTailLetters: [Uint16Array, 'plain'],
  nameTrieGaps: [Int32Array, 'plain'],
  nameTrieMainGaps: [Int32Array, 'plain'],
  /** Dense ids and flags, ordered by key, then by place: see posting.ts. */
  postings: [Uint32Array, 'plain'],
  /** Lowest dense id in each block of POSTING.blockSize postings. */
  postingBlocks: [Uint32Array, 'plain'],
  // The most important places of long ranges of postings: see build/names/name-index.ts.
  rangeStart: [Uint32Array, 'differences'],
  rangeEnd: [Uint32Array, 'plain'],
  rangeTopsStart: [Uint32Array, 'differences'],
  rangeTops: [Uint32Array, 'plain'],
  // A slot is the number of a posting in the order of places. Place p has the slots from
  // placeSlots[p] up to placeSlots[p + 1]. By slot: the index in `postings`, and which name of the
  // place gives the key (0 is the main name).
  placeSlots: [Uint32Array, 'differences'],
  slotPosting: [Uint32Array, 'plain'],
  slotName: [Uint8Array, 'plain'],

  // A trie of the names and abbreviations of regions. Its postings are region ids, without flags.
  regionTrieEdgeLetter: [Uint16Array, 'plain'],
  regionTrieChildStart: [Uint32Array, 'differences'],
  regionTrieTailStart: [Uint32Array, 'differences'],
  regionTriePostingStart: [Uint32Array, 'differences'],
  regionTrieMaxImportance: [Uint8Array, 'plain'],
  regionTrieHasMainName: [Uint8Array, 'plain'],
  regionTrieTailLetters: [Uint16Array, 'plain'],
  regionTrieGaps: [Int32Array, 'plain'],
  regionTrieMainGaps: [Int32Array, 'plain'],
  regionPostings: [Uint32Array, 'plain'],

  // Nearest places: a k-d tree over unit vectors (see build/kd-tree.ts).
  treeIds: [Uint32Array, 'plain'],
  treeCoords: [Float32Array, 'computed'],
} as const satisfies Readonly<Record<string, readonly [unknown, Packing]>>;

export type SectionName = keyof typeof SECTIONS;
export type Sections = { readonly [Name in SectionName]: (typeof SECTIONS)[Name][0]['prototype'] };
export const SECTION_NAMES = Object.keys(SECTIONS) as readonly SectionName[];
/** Offsets in `texts`, in addition to the names to show in packed records. */
export const TEXT_SECTIONS = [
  'nameText',
  'regionText',
  'regionKey',
  'translationText',
  'externalText',
  'suburbCity',
] as const satisfies readonly SectionName[];
export const HEAD_BYTES = paddedSize(HEADER.size + SECTION_NAMES.length * ENTRY.size);

export interface Meta {
  /** Version of the data, such as `geonames-cities500-2026-05-02`. */
  readonly version: string;
  readonly attribution: readonly string[];
  readonly places: number;
  readonly names: number;
  /** ISO codes. `countries[0]` is region 1. */
  readonly countries: readonly string[];
  /** Empty means unknown, also in `languages`. */
  readonly timezones: readonly string[];
  readonly languages: readonly string[];
}

export interface Index extends Sections {
  /** The parsed section `meta`. */
  readonly metadata: Meta;
}
