/** The dates in a data version, such as `geonames-cities500-2026-05-01`. */
export const VERSION_DATE = /\d{4}-\d\d-\d\d/g;

/** Returns the newest date; undefined if the version has no valid date. */
export function dataDate(version: string): Date | undefined {
  const times = (version.match(VERSION_DATE) ?? [])
    .map((text) => Date.parse(text))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}
