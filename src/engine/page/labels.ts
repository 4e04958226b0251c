/**
 * Labels of places as people write them: the name, the city of a suburban area, in some countries
 * the first-level division, and the country. On a page, labels that would be the same get longer
 * until they differ: by divisions, then by the nearest larger town, or else by coordinates.
 *
 * A plain label, the most common one, is the name and `labelEnd` of the place's regions. Responses
 * write it without creating a string.
 */
import { fold } from '../../text/fold.ts';
import { listSpellings } from '../../text/spellings.ts';
import type { PlaceRecord } from '../engine.ts';

/** Levels of labels. Each adds a part to the previous one, but coordinates replace the landmark. */
const LEVEL = { base: 0, firstDivision: 1, secondDivision: 2, landmark: 3, coordinates: 4 } as const;
/** Decimals of coordinates in labels; the third is about a hundred metres. */
const COORDINATE_DECIMALS = 3;
/** Maximum size of `cachedSpellings`: few texts get past the first comparison of `isSameName`. */
const MAX_CACHED_SPELLINGS = 1000;
const cachedSpellings = new Map<string, readonly string[]>();

/** Returns the name of the nearest larger town; undefined if there is none. */
export type FindLandmark = (record: PlaceRecord) => string | undefined;
/** The label of each hit; undefined if it is plain. */
export type PageLabels = readonly (string | undefined)[];

/** The label of a place by itself. */
export function baseLabel(record: PlaceRecord): string {
  return labelUnlessPlain(record) ?? record.name + record.regions.labelEnd;
}

/** The end of a label in a country: the division, if labels show one there, and the country. */
export function formatLabelEnd(division: string | undefined, country: string): string {
  const end = country === '' ? '' : `, ${country}`;
  return division === undefined ? end : `, ${division}${end}`;
}

/** Labels of the records of a page, all different. */
export function pageLabels(records: readonly PlaceRecord[], findLandmark: FindLandmark): PageLabels {
  const labels = records.map(labelUnlessPlain);
  if (hasEqualLabels(records, labels)) distinguish(records, labels, findLandmark);
  return labels;
}

/** The label of a place by itself; undefined if it is plain. */
function labelUnlessPlain(record: PlaceRecord): string | undefined {
  const { name, city, regions } = record;
  const { labelDivision } = regions;
  const isPlain = city === undefined && (labelDivision === undefined || !isSameName(name, labelDivision));
  return isPlain ? undefined : formatLabel(record, LEVEL.base);
}

/** Whether two records have the same label. Compares labels only if the names are the same. */
function hasEqualLabels(records: readonly PlaceRecord[], labels: PageLabels): boolean {
  const names = records.map(({ name }) => name);
  const labelOf = (i: number) => labels[i] ?? names[i]! + records[i]!.regions.labelEnd;
  for (let i = 1; i < names.length; i++) {
    for (let j = names.indexOf(names[i]!); j < i; j = names.indexOf(names[i]!, j + 1)) {
      if (labelOf(i) === labelOf(j)) return true;
    }
  }
  return false;
}

/** Raises the level of equal labels until all differ. Changes `labels`. */
function distinguish(
  records: readonly PlaceRecord[],
  labels: (string | undefined)[],
  findLandmark: FindLandmark,
): void {
  const texts = records.map(baseLabel);
  let repeated = repeatedIndexes(texts);
  for (let level = LEVEL.firstDivision; repeated.length > 0 && level <= LEVEL.coordinates; level++) {
    for (const i of repeated) {
      texts[i] = extendedLabel(records[i]!, level, findLandmark);
      labels[i] = texts[i];
    }
    repeated = repeatedIndexes(texts);
  }
}

/** Indexes of the labels that are in the list more than once. */
function repeatedIndexes(labels: readonly string[]): number[] {
  const indexes: number[] = [];
  for (let i = 0; i < labels.length; i++) {
    if (labels.indexOf(labels[i]!) !== i || labels.indexOf(labels[i]!, i + 1) > i) indexes.push(i);
  }
  return indexes;
}

function extendedLabel(record: PlaceRecord, level: number, findLandmark: FindLandmark): string {
  if (level === LEVEL.landmark) return formatLabel(record, level, findLandmark(record));
  if (level < LEVEL.coordinates) return formatLabel(record, level);
  const { lat, lng } = record;
  return formatLabel(record, level, `${lat.toFixed(COORDINATE_DECIMALS)}, ${lng.toFixed(COORDINATE_DECIMALS)}`);
}

/**
 * Formats a label, with the text in `brackets` after the name. Leaves out a city or a division that
 * has the name of a part before it.
 */
function formatLabel({ name, city, regions }: PlaceRecord, level: number, brackets?: string): string {
  const parts = [name];
  addPart(parts, city);
  if (level >= LEVEL.secondDivision) addPart(parts, regions.county[0]);
  addPart(parts, level >= LEVEL.firstDivision ? regions.administrative[0] : regions.labelDivision);
  if (regions.country !== '') parts.push(regions.country);
  if (brackets !== undefined) parts[0] = `${name} (${brackets})`;
  return parts.join(', '); // unlike `+`, makes a flat string, which is written faster
}

/** Adds a part, unless it is undefined or has the name of an earlier part. */
function addPart(parts: string[], part: string | undefined): void {
  if (part === undefined) return;
  for (let i = 0; i < parts.length; i++) if (isSameName(parts[i]!, part)) return;
  parts.push(part);
}

/**
 * Whether a city or division, `part`, has the name of an earlier part: Quebec that of Québec,
 * St.-Petersburg that of Saint Petersburg. Compares a few letters first: listing spellings is slow.
 */
function isSameName(name: string, part: string): boolean {
  if (name === part) return true;
  if (name.charCodeAt(0) !== part.charCodeAt(0) || !name.endsWith(part.slice(-3))) return false;
  return spellingsOf(part).includes(fold(name));
}

function spellingsOf(part: string): readonly string[] {
  let spellings = cachedSpellings.get(part);
  if (spellings === undefined) {
    spellings = listSpellings(part);
    if (cachedSpellings.size < MAX_CACHED_SPELLINGS) cachedSpellings.set(part, spellings);
  }
  return spellings;
}
