/** Summarises an index file for people: its sections and counts. */

import { INDEX_VERSION } from 'toponym-engine/index-file/layout';
import { openIndex, readDirectory, type SectionEntry } from 'toponym-engine/index-file/open-index';
import { PLACE_TYPES, type PlaceType } from 'toponym-engine/place/place';

export interface IndexDescription {
  readonly formatVersion: string;
  readonly dataVersion: string;
  readonly attribution: readonly string[];
  readonly bytes: number;
  readonly places: number;
  readonly names: number;
  readonly sections: readonly SectionEntry[];
  readonly byType: Readonly<Record<PlaceType, number>>;
  /** Places by ISO code of the country, highest count first. */
  readonly byCountry: Readonly<Record<string, number>>;
  /** Names by language tag (`und` if unknown), highest count first. */
  readonly byLanguage: Readonly<Record<string, number>>;
}

/** Expects a verified index. */
export function describeIndex(buffer: SharedArrayBuffer | ArrayBuffer): IndexDescription {
  const index = openIndex(buffer);
  const { metadata } = index;
  const placesByType = countValues(index.placeType, PLACE_TYPES.length);
  const placesByCountry = countValues(index.placeCountry, metadata.countries.length + 1); // 0 means none
  const namesByLanguage = countValues(index.nameLanguage, metadata.languages.length);
  return {
    formatVersion: INDEX_VERSION,
    dataVersion: metadata.version,
    attribution: metadata.attribution,
    bytes: buffer.byteLength,
    places: metadata.places,
    names: metadata.names,
    sections: readDirectory(buffer),
    byType: Object.fromEntries(PLACE_TYPES.map((type, i) => [type, placesByType[i]])) as Record<PlaceType, number>,
    byCountry: byDescendingCount(metadata.countries.map((code, i) => [code, placesByCountry[i + 1] ?? 0])),
    byLanguage: byDescendingCount(metadata.languages.map((tag, i) => [tag || 'und', namesByLanguage[i] ?? 0])),
  };
}

function countValues(values: Uint8Array | Uint16Array, valueCount: number): number[] {
  const counts = new Array<number>(valueCount).fill(0);
  for (const value of values) counts[value]!++;
  return counts;
}

/** Leaves out counts of 0. The tag `und` may occur twice, so counts of a tag are added up. */
function byDescendingCount(counts: [string, number][]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [tag, count] of counts) if (count > 0) sums.set(tag, (sums.get(tag) ?? 0) + count);
  return Object.fromEntries([...sums].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}
