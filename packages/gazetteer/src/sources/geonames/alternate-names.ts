/**
 * Names in GeoNames' alternateNamesV2.txt, which mostly state their language. Its columns: id,
 * geonameid, label (a language or a kind of code), name, flags for preferred, short, colloquial and
 * historic names, and two unused years.
 */

import { Interner } from 'toponym-engine/collections/sets';
import { indexInSorted } from 'toponym-engine/collections/sorting';
import { GrowingArray } from 'toponym-engine/collections/typed-array';
import { NAME_KINDS, type NameKind, type PlaceName, type Translations } from 'toponym-engine/place/place';
import { canonicalLanguage } from '../place-values.ts';
import { firstNameByLanguage } from '../regions/regions.ts';
import { isPositiveId } from './place-row.ts';

interface AlternateName {
  readonly value: string;
  /** `wikidata` if the value is a Wikidata id (`Q90`), not a name. */
  readonly kind: NameKind | 'wikidata';
  /** BCP 47 tag, or empty. */
  readonly language: string;
  /** Sorts the names of a language, lowest first. A sum of `ORDER` values. */
  readonly order: number;
}

export interface AlternateRow extends AlternateName {
  readonly geonameId: number;
}

/** Powers of two, so each outweighs all that follow it together. */
const ORDER = { historic: 8, colloquial: 4, short: 2, notPreferred: 1 } as const;

/** Columns up to the name. Flags and years may be missing. */
const MIN_COLUMNS = 4;

/** Parses a row. Undefined means that the row is ignored. */
export function parseAlternateRow(line: string): AlternateRow | 'malformed' | undefined {
  const columns = line.split('\t');
  const [nameId = '', geonameId = '', label = '', name = '', preferred, short, colloquial, historic] = columns;
  if (columns.length < MIN_COLUMNS || !isPositiveId(nameId) || !isPositiveId(geonameId)) return 'malformed';
  const value = name.replace(/\s+/g, ' ').trim();
  if (value === '' || value.includes('://')) return undefined;
  const parsed = parseLabel(label);
  if (parsed === undefined) return undefined;
  // places that share a Wikidata id are merged, but a former id may belong to another place
  if (parsed.kind === 'wikidata' && (historic === '1' || !/^Q\d+$/.test(value))) return undefined;
  const kind = historic === '1' && parsed.kind !== 'postcode' ? 'historic' : parsed.kind;
  const order =
    (kind === 'historic' ? ORDER.historic : 0) +
    (colloquial === '1' ? ORDER.colloquial : 0) +
    (short === '1' ? ORDER.short : 0) +
    (preferred === '1' ? 0 : ORDER.notPreferred);
  return { geonameId: Number(geonameId), value, kind, language: parsed.language, order };
}

function parseLabel(label: string): Pick<AlternateName, 'kind' | 'language'> | undefined {
  if (label === '') return { kind: 'alternate', language: '' };
  if (label === 'wkdt') return { kind: 'wikidata', language: '' };
  if (label === 'iata') return { kind: 'code', language: '' };
  if (label === 'post') return { kind: 'postcode', language: '' };
  if (label === 'fr_1793') return { kind: 'historic', language: 'fr' }; // from the French Revolution
  if (label === 'piny') return { kind: 'romanized', language: 'zh-Latn' };
  // longer labels mean links, other codes, pronunciations, …
  if (!/^[a-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/.test(label)) return undefined;
  return { kind: 'alternate', language: canonicalLanguage(label) };
}

const KINDS = [...NAME_KINDS, 'wikidata'] as const;
const NO_NAME = 0xffff_ffff;

/**
 * Names by GeoNames id, stored compactly and only for the ids that a build needs: all 16 million
 * names would take gigabytes. Names are numbered in the order of addition.
 */
export class AlternateNames {
  readonly #ids: Uint32Array;
  /** By index in `#ids`: the number of the last name. */
  readonly #lastNames: Uint32Array;
  /** By name number: the previous name of the same id. */
  readonly #previousNames = new GrowingArray(Uint32Array);
  /** By name number: the exclusive end in `#text`. */
  readonly #textEnds = new GrowingArray(Float64Array);
  /** By name number: language number (upper 16 bits), `order` (8 bits), index in KINDS (8 bits). */
  readonly #attributes = new GrowingArray(Uint32Array);
  readonly #text = new GrowingArray(Uint8Array);
  readonly #languages = new Interner();

  /** The ids may repeat and be in any order. */
  constructor(ids: Uint32Array) {
    this.#ids = ids.slice().sort();
    this.#lastNames = new Uint32Array(ids.length).fill(NO_NAME);
  }

  /** Ignores a name whose id was not given to the constructor. */
  add(row: AlternateRow): void {
    const index = indexInSorted(this.#ids, row.geonameId);
    if (index === -1) return;
    this.#previousNames.push(this.#lastNames[index] as number);
    this.#lastNames[index] = this.#previousNames.length - 1;
    this.#text.pushAll(Buffer.from(row.value));
    this.#textEnds.push(this.#text.length);
    const kind = KINDS.indexOf(row.kind);
    this.#attributes.push(((this.#languages.intern(row.language) << 16) | (row.order << 8) | kind) >>> 0);
  }

  /** Names in the order of addition. */
  get(id: number): AlternateName[] {
    const index = indexInSorted(this.#ids, id);
    if (index === -1) return [];
    const names: AlternateName[] = [];
    let nameNumber = this.#lastNames[index] as number;
    while (nameNumber !== NO_NAME) {
      names.push(this.#readName(nameNumber));
      nameNumber = this.#previousNames.at(nameNumber);
    }
    return names.reverse();
  }

  #readName(nameNumber: number): AlternateName {
    const attributes = this.#attributes.at(nameNumber);
    const start = nameNumber === 0 ? 0 : this.#textEnds.at(nameNumber - 1);
    const text = this.#text.view().subarray(start, this.#textEnds.at(nameNumber));
    return {
      value: Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8'),
      kind: KINDS[attributes & 0xff] as AlternateName['kind'],
      language: this.#languages.strings[attributes >>> 16] as string,
      order: (attributes >>> 8) & 0xff,
    };
  }
}

/**
 * Merges a place's names in a dump (`names`, whose first is the main name and stays first) with its
 * alternate names. The preferred name of each language comes before its other names. Postcodes come
 * last, because only the first MAX_NAMES names (build/names/name-keys.ts) are searchable.
 */
export function mergeNames(names: readonly PlaceName[], alternateNames: readonly AlternateName[]): PlaceName[] {
  const [main] = names;
  if (main === undefined || alternateNames.length === 0) return [...names];
  const merged: PlaceName[] = [main];
  const mergedValues = new Set([main.value]);
  const seen = new Set<string>();
  // Names whose value is in `merged` in another language. They come late because only the first
  // MAX_NAMES names are searchable, but before later names of their language.
  const deferredByLanguage = new Map<string, PlaceName[]>();
  const postcodes: PlaceName[] = [];
  for (const { value, kind, language } of [...alternateNames].sort((a, b) => a.order - b.order)) {
    const languageAndValue = `${language}\t${value}`;
    if (seen.has(languageAndValue)) continue;
    seen.add(languageAndValue);
    if (kind === 'wikidata') continue;
    if (kind === 'postcode') {
      postcodes.push({ value, kind });
      continue;
    }
    const name = language === '' ? { value, kind } : { value, kind, language };
    const deferred = deferredByLanguage.get(language) ?? [];
    if (!mergedValues.has(value)) {
      mergedValues.add(value);
      merged.push(...deferred, name);
      deferredByLanguage.delete(language);
    } else if (language !== '') {
      deferredByLanguage.set(language, [...deferred, name]);
    }
  }
  for (const name of names) if (!mergedValues.has(name.value)) merged.push(name);
  for (const deferred of deferredByLanguage.values()) merged.push(...deferred);
  return [...merged, ...postcodes];
}

/** Names of a division or country to search by. Codes and historic names would be ambiguous. */
export function regionAliases(names: readonly AlternateName[]): string[] {
  return names.filter(isAlternate).map(({ value }) => value);
}

/** Names of a division to show: in each language the main name, else a preferred, plain or short one. */
export function regionTranslations(names: readonly AlternateName[], mainName: string): Translations {
  const rank = (name: AlternateName) => (name.value === mainName ? -1 : orderOf(name));
  const shown = names.filter((name) => isAlternate(name) && name.order < ORDER.colloquial);
  return firstNameByLanguage(shown.sort((a, b) => rank(a) - rank(b)));
}

/** A preferred name comes first even if it is short: California, not State of California. */
function orderOf({ order }: AlternateName): number {
  const isPreferred = (order & ORDER.notPreferred) === 0;
  return isPreferred ? 0 : order;
}

function isAlternate({ kind }: AlternateName): boolean {
  return kind === 'alternate';
}
