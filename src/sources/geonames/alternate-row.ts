/**
 * Rows of GeoNames' alternateNamesV2.txt: id, geonameid, language or kind of code, name, flags for
 * preferred, short, colloquial and historic names, and two years, which are not used. The older
 * alternateNames.txt lacks the years.
 */
import type { NameKind } from '../../place/place.ts';
import { canonicalLanguage } from '../language-tag.ts';

export interface AlternateName {
  readonly value: string;
  /** `wikidata` if the value is not a name but a Wikidata id: `Q90`. */
  readonly kind: NameKind | 'wikidata';
  /** BCP 47 tag, or empty. */
  readonly language: string;
  /** Sort key among the names of a language: 0 for the most preferred name. */
  readonly order: number;
}

export interface AlternateRow extends AlternateName {
  readonly geonameId: number;
}

const MIN_COLUMNS = 4;

/** Values of the language column whose rows are ignored: codes, links, pronunciations. */
const IGNORED_LABELS: ReadonlySet<string> = new Set(
  'post link icao faac tcid unlc abbr phon nuts lauc uicn wiki'.split(' '),
);

/** Returns undefined for a row that is ignored, and `malformed` for a line that is not a row. */
export function parseAlternateRow(line: string): AlternateRow | 'malformed' | undefined {
  const columns = line.split('\t');
  const [nameId = '', geonameId = '', label = '', name = '', isPreferred, isShort, isColloquial, isHistoric] = columns;
  if (columns.length < MIN_COLUMNS || !isId(nameId) || !isId(geonameId)) return 'malformed';
  const value = name.replace(/\s+/g, ' ').trim();
  if (IGNORED_LABELS.has(label) || value === '' || value.includes('://')) return undefined;
  const tagged = parseLabel(label);
  if (tagged === undefined) return undefined;
  if (tagged.kind === 'wikidata' && !/^Q\d+$/.test(value)) return undefined;
  const kind = isHistoric === '1' ? 'historic' : tagged.kind;
  const order = (kind === 'historic' ? 8 : 0) + (isColloquial === '1' ? 4 : 0) + (isShort === '1' ? 2 : 0);
  return {
    geonameId: Number(geonameId),
    value,
    kind,
    language: tagged.language,
    // preferred names come before short and colloquial ones: "New York", not "The Big Apple"
    order: isPreferred === '1' ? order : order + 1,
  };
}

function parseLabel(label: string): Pick<AlternateName, 'kind' | 'language'> | undefined {
  if (label === '') return { kind: 'alternate', language: '' };
  if (label === 'wkdt') return { kind: 'wikidata', language: '' };
  if (label === 'iata') return { kind: 'code', language: '' };
  // names from the French Revolution
  if (label === 'fr_1793') return { kind: 'historic', language: 'fr' };
  if (label === 'piny') return { kind: 'romanized', language: 'zh-Latn' };
  // an unknown kind of code
  if (!/^[a-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/.test(label)) return undefined;
  return { kind: 'alternate', language: canonicalLanguage(label) };
}

function isId(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text);
}
