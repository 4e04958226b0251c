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

/** Every section and its array type, in file order. */
export const SECTIONS = {
  /** `Meta` as JSON. */
  meta: Uint8Array,

  // Places by dense id (number in the order of importance). E7 means degrees × 10⁷.
  packedRecords: Uint32Array,
  placeType: Uint8Array,
  placeLatE7: Int32Array,
  placeLngE7: Int32Array,
  placeImportance: Uint16Array,
  /** `Place.adminRank`. Searches do not read it. */
  placeRank: Uint8Array,
  // Region ids: see `regionText`.
  placeCountry: Uint16Array,
  placeAdmin1: Uint32Array,
  placeAdmin2: Uint32Array,
  /** Dense ids ordered by letter, then by number of the object id, such as `G123`. */
  placeByNumber: Uint32Array,

  // Retired object ids, ordered by letter, then by number, with the dense id of the current place.
  retiredSource: Uint8Array,
  retiredNumber: Float64Array,
  retiredPlace: Uint32Array,

  // Ids of places in other datasets, such as `wd:Q90`, ordered by place. Searches do not read them.
  externalPlace: Uint32Array,
  externalText: Uint32Array,

  // Suburban areas with a known city, ordered by place. The city may be in another index, so it is
  // stored as an object id.
  suburbPlace: Uint32Array,
  suburbCity: Uint32Array,

  // True extents of the places that have one, ordered by place: see `readExtent`.
  extentPlace: Uint32Array,
  extentE7: Int32Array,

  // Airports at the edge of places, ordered by place: latitude and longitude of each.
  airportPlace: Uint32Array,
  airportE7: Int32Array,

  // Place p has the names from placeNames[p] up to placeNames[p + 1], the main name first.
  placeNames: Uint32Array,
  nameText: Uint32Array,
  nameLanguage: Uint16Array,
  nameKind: Uint8Array,
  /** The string pool, in which `…Text`, `suburbCity` and `regionKey` are offsets. */
  texts: Uint8Array,

  // Regions by id: 0 means none, then countries, first-level divisions, second-level divisions.
  regionText: Uint32Array,
  /** The code of a country, or the key of a division: `US.TX`. */
  regionKey: Uint32Array,
  regionParent: Uint32Array,
  regionLevel: Uint8Array,
  // Region r has the places from regionPlaceStart[r] up to regionPlaceStart[r + 1], in the order of
  // dense ids.
  regionPlaceStart: Uint32Array,
  regionPlaces: Uint32Array,
  // Region r has the translations from regionTranslations[r] up to regionTranslations[r + 1], at
  // most one per language.
  regionTranslations: Uint32Array,
  translationText: Uint32Array,
  translationLanguage: Uint16Array,

  // A trie of the spellings of names, also from later words: "rio de janeiro" and "janeiro".
  nameTrieEdgeLetter: Uint16Array,
  nameTrieChildStart: Uint32Array,
  nameTrieTailStart: Uint32Array,
  nameTriePostingStart: Uint32Array,
  nameTrieMaxImportance: Uint8Array,
  nameTrieHasMainName: Uint8Array,
  nameTrieTailLetters: Uint16Array,
  nameTrieGaps: Int32Array,
  nameTrieMainGaps: Int32Array,
  /** Dense ids and flags, ordered by key, then by place: see posting.ts. */
  postings: Uint32Array,
  /** Lowest dense id in each block of POSTING.blockSize postings. */
  postingBlocks: Uint32Array,
  // The most important places of long ranges of postings: see build/names/name-index.ts.
  rangeStart: Uint32Array,
  rangeEnd: Uint32Array,
  rangeTopsStart: Uint32Array,
  rangeTops: Uint32Array,
  // A slot is the number of a posting in the order of places. Place p has the slots from
  // placeSlots[p] up to placeSlots[p + 1]. By slot: the index in `postings`, and which name of the
  // place gives the key (0 is the main name).
  placeSlots: Uint32Array,
  slotPosting: Uint32Array,
  slotName: Uint8Array,

  // A trie of the names and abbreviations of regions. Its postings are region ids, without flags.
  regionTrieEdgeLetter: Uint16Array,
  regionTrieChildStart: Uint32Array,
  regionTrieTailStart: Uint32Array,
  regionTriePostingStart: Uint32Array,
  regionTrieMaxImportance: Uint8Array,
  regionTrieHasMainName: Uint8Array,
  regionTrieTailLetters: Uint16Array,
  regionTrieGaps: Int32Array,
  regionTrieMainGaps: Int32Array,
  regionPostings: Uint32Array,

  // Nearest places: a k-d tree over unit vectors (see build/kd-tree.ts).
  treeIds: Uint32Array,
  treeCoords: Float32Array,
} as const;

export type SectionName = keyof typeof SECTIONS;
export type Sections = { readonly [Name in SectionName]: (typeof SECTIONS)[Name]['prototype'] };
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
