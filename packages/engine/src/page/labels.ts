/**
 * Labels of places: name, city of a suburban area, division in some countries, country. On a page,
 * equal labels get longer until they differ, for example by the nearest larger town. A plain label,
 * the most common one, is the name and `labelEnd`, which responses write without creating a string.
 */

import type { PlaceRecord } from '../engine.ts';
import { fold } from '../text/fold.ts';
import { listSpellings } from '../text/spellings.ts';

/** Levels of labels. Each adds a part to the previous one, but coordinates replace the landmark. */
const LEVEL = { base: 0, firstDivision: 1, secondDivision: 2, landmark: 3, coordinates: 4 } as const;
/** The third decimal of a degree is about a hundred metres. */
const COORDINATE_DECIMALS = 3;
/**
 * Countries whose labels show the first-level division, because people add it to a town's name.
 * Other federal countries, such as Germany, are left out: people there seldom name the division.
 */
export const COUNTRIES_WITH_DIVISION: ReadonlySet<string> = new Set([
  'ae', // federal: people say in which emirate a town is
  'ar', // federal: many towns have namesakes in other provinces
  'au', // federal: the state is part of every address
  'br', // federal: the state follows every town, as in "Santos, SP"
  'ca', // federal: the province follows every town, as in "London, Ontario"
  'cn', // not federal, but many towns have namesakes in other provinces
  'fm', // federal: each state is a group of islands
  'in', // federal: the state is part of every address
  'mx', // federal: the state follows every town, as in "León, Guanajuato"
  'my', // federal: the state is part of every address
  'ng', // federal: the state follows every town, as in "Ibadan, Oyo State"
  'pk', // federal: the province follows the town, as in "Hyderabad, Sindh"
  'ru', // federal: many towns have namesakes in other oblasts
  'us', // federal: the state follows every town, as in "Paris, Texas"
  've', // federal: the state follows every town, as in "Valencia, Carabobo"
]);

/** Returns the name of the nearest larger town. */
export type FindLandmark = (record: PlaceRecord) => string | undefined;
/** The label of each hit, or undefined if it is plain. */
type PageLabels = readonly (string | undefined)[];

/** The label of a place by itself. */
export function baseLabel(record: PlaceRecord): string {
  return labelUnlessPlain(record) ?? record.name + record.regions.labelEnd;
}

export function formatLabelEnd(division: string | undefined, country: string): string {
  const end = country === '' ? '' : `, ${country}`;
  return division === undefined ? end : `, ${division}${end}`;
}

export function pageLabels(records: readonly PlaceRecord[], findLandmark: FindLandmark): PageLabels {
  const labels = records.map(labelUnlessPlain);
  if (hasEqualLabels(records, labels)) distinguish(records, labels, findLandmark);
  return labels;
}

function labelUnlessPlain(record: PlaceRecord): string | undefined {
  const { name, city, regions } = record;
  const { labelDivision } = regions;
  const isPlain = city === undefined && (labelDivision === undefined || !isSameName(name, labelDivision));
  return isPlain ? undefined : formatLabel(record, LEVEL.base);
}

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

/** Changes `labels`: raises the level of equal labels until all differ. */
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

/** `brackets` is shown in brackets after the name. */
function formatLabel({ name, city, regions }: PlaceRecord, level: number, brackets?: string): string {
  const parts = [name];
  addPart(parts, city);
  if (level >= LEVEL.secondDivision) addPart(parts, regions.county[0]);
  addPart(parts, level >= LEVEL.firstDivision ? regions.administrative[0] : regions.labelDivision);
  if (regions.country !== '') parts.push(regions.country);
  if (brackets !== undefined) parts[0] = `${name} (${brackets})`;
  return parts.join(', '); // unlike `+`, makes a flat string, which is written faster
}

function addPart(parts: string[], part: string | undefined): void {
  if (part === undefined) return;
  for (let i = 0; i < parts.length; i++) if (isSameName(parts[i]!, part)) return;
  parts.push(part);
}

/** Whether names differ at most in spelling, like Saint Petersburg and St.-Petersburg. */
export function isSameName(name: string, part: string): boolean {
  if (name === part) return true;
  // cheap checks first, because listing spellings is slow
  if (name.charCodeAt(0) !== part.charCodeAt(0) || !name.endsWith(part.slice(-3))) return false;
  return listSpellings(part).includes(fold(name));
}
