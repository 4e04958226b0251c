/**
 * The date and age of data, by the dates in its version, such as `geonames-cities500-2023-03-05`.
 * Uses no Node.js module, because web/ uses it too.
 */

/** Half a year: places change slowly, so younger data needs no attention. */
export const MAX_DATA_AGE_DAYS = 180;
export const VERSION_DATE = /\d{4}-\d\d-\d\d/g;

const DAY_MS = 86_400_000;
/** Creating it takes 20 ms, and most threads format no date. */
let longDate: Intl.DateTimeFormat | undefined;

/** Returns the newest date; undefined if the version has no valid date. */
export function dataDate(version: string): Date | undefined {
  const times = (version.match(VERSION_DATE) ?? [])
    .map((text) => Date.parse(text))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

export function isOldData(version: string, now: Date): boolean {
  const date = dataDate(version);
  return date !== undefined && ageInDays(date, now) > MAX_DATA_AGE_DAYS;
}

/** `GeoNames cities500 of 5 March 2023 (3.7 years old)`. A version may combine several sources. */
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
  const [, name = '', day = ''] = /^(.*[^-])-(\d{4}-\d\d-\d\d)$/.exec(source) ?? [];
  const date = dataDate(day);
  if (date === undefined) return source;
  const shownName = name.replace(/^geonames-/, 'GeoNames ').replace(/^osm-/, 'OpenStreetMap ');
  return `${shownName} of ${formatDateAndAge(date, now)}`;
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
