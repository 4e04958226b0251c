/** The columns of a table that name the place or the point of a row. */
import { UsageError } from '../errors/errors.ts';
import { findHeading } from '../sources/input/headings.ts';

export interface Columns {
  /** Indexes of headings; of a point latitude and longitude, or one column with both. */
  readonly used: readonly number[];
  /** Those of `used` that have countries. */
  readonly countries: readonly number[];
  readonly isGuess: boolean;
}

/** `given` are the values of `--column`. Throws UsageError if they do not fit, or nothing can be guessed. */
export function chooseColumns(headings: readonly string[], given: readonly string[], isReverse: boolean): Columns {
  const isCountry = (at: number) => findHeading([headings[at]!], 'country') === 0;
  const listed = `The columns are: ${headings.map((heading) => JSON.stringify(heading)).join(', ')}.`;
  if (given.length > 0) {
    const used = given.map((name) => headings.findIndex((each) => each.toLowerCase() === name.trim().toLowerCase()));
    const missing = given[used.indexOf(-1)];
    if (missing !== undefined) throw new UsageError(`--column: there is no ${JSON.stringify(missing)}. ${listed}`);
    if (!isReverse || used.length <= 2) return { used, countries: used.filter(isCountry), isGuess: false };
    throw new UsageError(`--column: --reverse needs a latitude and a longitude, got ${used.length} columns.`);
  }
  const find = (...meanings: string[]) => meanings.map((meaning) => findHeading(headings, meaning));
  const place = find('place', 'admin2', 'admin1', 'country');
  const points = [find('lat', 'lng'), find('point')].filter((columns) => !columns.includes(undefined));
  const guess = isReverse ? points[0] : place[0] === undefined ? undefined : place;
  if (guess !== undefined) {
    const used = [...new Set(guess.filter((at) => at !== undefined))];
    return { used, countries: used.filter(isCountry), isGuess: true };
  }
  const wanted = isReverse ? 'coordinates. Name them' : 'a place. Name one';
  throw new UsageError(`No heading looks like ${wanted} with --column. ${listed}`);
}
