/** How old data is, by the date in its version, such as `geonames-cities500-2023-03-05`. */

export interface DataAge {
  /** `5 March 2023` */
  readonly date: string;
  /** `3 years old` */
  readonly text: string;
}

const DAY_MS = 86_400_000;
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Undefined if the version has no date. The last date counts, because overlays are younger. */
export function dataAge(version: string, now: Date): DataAge | undefined {
  const [day] = version.match(/\d{4}-\d{2}-\d{2}/g)?.slice(-1) ?? [];
  const date = new Date(day ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return undefined;
  return { date: DATE.format(date), text: ageText(Math.floor((now.getTime() - date.getTime()) / DAY_MS)) };
}

function ageText(days: number): string {
  if (days < 2) return 'new';
  const [count, unit] = days < 60 ? [days, 'days'] : days < 730 ? [days / 30.4, 'months'] : [days / 365.25, 'years'];
  return `${Math.floor(Number(count))} ${unit} old`;
}
