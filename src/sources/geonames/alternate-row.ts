/**
 * Parses rows of GeoNames' alternateNamesV2.txt: id, geonameid, label (a language or a kind of
 * code), name, flags for preferred, short, colloquial and historic names, and two unused years.
 */
import type { NameKind } from '../../place/place.ts';
import { canonicalLanguage } from '../language-tag.ts';
import { isPositiveId } from './place-row.ts';

export interface AlternateName {
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
export const ORDER = { historic: 8, colloquial: 4, short: 2, notPreferred: 1 } as const;

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
