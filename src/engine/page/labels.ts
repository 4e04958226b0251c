/**
 * Labels of places as people write them: the name, the city of a suburban area, in some countries
 * the first-level division, and the country. On a page, places of the same name get as much more
 * as their labels need to differ: divisions, then the nearest larger town, then coordinates.
 */
import { listSpellings } from '../../text/spellings.ts';
import type { PlaceRecord, RecordRegions } from '../engine.ts';
import { COUNTRIES_WITH_DIVISION } from './label-countries.ts';

/** Levels of labels. Each adds a part to the previous one; coordinates replace the landmark. */
const LEVEL = { usual: 0, firstDivision: 1, secondDivision: 2, landmark: 3, coordinates: 4 } as const;
/** Decimals of coordinates in labels; the third is about a hundred metres. */
const COORDINATE_DECIMALS = 3;

type ExtendedLabels = readonly (string | undefined)[];
type RegionNames = Omit<RecordRegions, 'labelDivision' | 'labelEnd'>;

/** Returns the name of the nearest larger town; undefined if there is none. */
export type FindLandmark = (record: PlaceRecord) => string | undefined;

/** The label of a place by itself. */
export function usualLabel(record: PlaceRecord): string {
  return hasUsualEnd(record) ? record.name + record.regions.labelEnd : formatLabel(record, LEVEL.usual);
}

/** Whether the usual label of a place is its name and the `labelEnd` of its regions. */
export function hasUsualEnd({ name, city, regions: { labelDivision } }: PlaceRecord): boolean {
  return city === undefined && (labelDivision === undefined || !isSameName(name, labelDivision));
}

/** `labelDivision` and `labelEnd` of regions. */
export function labelParts({ country, countryCode, administrative }: RegionNames) {
  const labelDivision = COUNTRIES_WITH_DIVISION.has(countryCode) ? administrative[0] : undefined;
  const labelEnd = [labelDivision, country].map((part) => (part ? `, ${part}` : '')).join('');
  return { labelDivision, labelEnd };
}

/** For each record of a page, its label if it needs more than the usual one to differ. */
export function extendedLabels(records: readonly PlaceRecord[], findLandmark: FindLandmark): ExtendedLabels {
  return hasEqualLabels(records) ? distinguish(records, findLandmark) : [];
}

/** Whether two records have the same usual label. Compares parts: most pages need no label here. */
function hasEqualLabels(records: readonly PlaceRecord[]): boolean {
  const names: string[] = [];
  for (let i = 0; i < records.length; i++) {
    const { name, city, regions } = records[i]!;
    for (let j = 0; j < i; j++) {
      if (names[j] !== name) continue;
      const other = records[j]!;
      if (other.city === city && other.regions.labelEnd === regions.labelEnd) return true;
    }
    names.push(name);
  }
  return false;
}

/** Raises the level of equal labels until all differ. */
function distinguish(records: readonly PlaceRecord[], findLandmark: FindLandmark): ExtendedLabels {
  const labels = records.map(usualLabel);
  const extended: (string | undefined)[] = [];
  for (let level = LEVEL.firstDivision; level <= LEVEL.coordinates; level++) {
    const repeated = repeatedIndexes(labels);
    if (repeated.length === 0) break;
    for (const i of repeated) {
      labels[i] = extendedLabel(records[i]!, level, findLandmark);
      extended[i] = labels[i];
    }
  }
  return extended;
}

/** Indexes of the labels that are in the list more than once. */
function repeatedIndexes(labels: readonly string[]): number[] {
  const indexes: number[] = [];
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    if (labels.indexOf(label) !== i || labels.indexOf(label, i + 1) > i) indexes.push(i);
  }
  return indexes;
}

function extendedLabel(record: PlaceRecord, level: number, findLandmark: FindLandmark): string {
  if (level === LEVEL.landmark) return formatLabel(record, level, findLandmark(record));
  if (level < LEVEL.coordinates) return formatLabel(record, level);
  const coordinates = [record.lat, record.lng].map((degrees) => degrees.toFixed(COORDINATE_DECIMALS));
  return formatLabel(record, level, coordinates.join(', '));
}

/**
 * Formats a label, with the text in `brackets` after the name. Leaves out a city or a division that
 * has the name of a part before it.
 */
function formatLabel({ name, city, regions }: PlaceRecord, level: number, brackets?: string): string {
  const { administrative, county, country, labelDivision } = regions;
  const divisions = [
    level >= LEVEL.secondDivision ? county[0] : undefined,
    level >= LEVEL.firstDivision ? administrative[0] : labelDivision,
  ];
  const parts = [name];
  for (const part of [city, ...divisions]) {
    if (part !== undefined && !parts.some((earlier) => isSameName(earlier, part))) parts.push(part);
  }
  if (brackets !== undefined) parts[0] = `${name} (${brackets})`;
  if (country !== '') parts.push(country);
  return parts.join(', ');
}

/**
 * Whether two names are spelled alike: Québec and Quebec, Saint Petersburg and St.-Petersburg.
 * Compares first and last letters before it lists spellings, which is slow.
 */
function isSameName(name: string, other: string): boolean {
  if (name === other) return true;
  if (name[0] !== other[0] || name.at(-1) !== other.at(-1)) return false;
  const spellings = listSpellings(name);
  return listSpellings(other).some((spelling) => spellings.includes(spelling));
}
