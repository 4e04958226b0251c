/** The columns of a table that name the place or the point of a row. */
import { UsageError } from 'toponym-files/errors/errors';
import { findHeading } from 'toponym-gazetteer/sources/input/headings';

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
    if (isReverse && used.length > 2) {
      throw new UsageError(`--column: --reverse needs a latitude and a longitude, got ${used.length} columns.`);
    }
    const repeated = given.find((_, i) => used.indexOf(used[i]!) < i);
    if (repeated !== undefined) throw new UsageError(`--column: ${JSON.stringify(repeated)} is given twice.`);
    return { used, countries: used.filter(isCountry), isGuess: false };
  }
  const find = (...meanings: string[]) => meanings.map((meaning) => findHeading(headings, meaning));
  const place = find('place', 'admin2', 'admin1', 'country');
  const guess = isReverse ? (findLatLng(headings) ?? find('point')) : place;
  if (guess[0] !== undefined) {
    const used = [...new Set(guess.filter((at) => at !== undefined))];
    return { used, countries: used.filter(isCountry), isGuess: true };
  }
  const wanted = isReverse ? 'coordinates. Name them' : 'a place. Name one';
  throw new UsageError(`No heading looks like ${wanted} with --column. ${reverseHint(headings, isReverse)}${listed}`);
}

/** Tells a user whose table has coordinates what they need --reverse for; else empty. */
export function reverseHint(headings: readonly string[], isReverse: boolean): string {
  const columns = isReverse ? undefined : findLatLng(headings);
  if (columns === undefined) return '';
  const names = columns.map((at) => headings[at]).join(' and ');
  return `The columns ${names} look like coordinates: with --reverse, their places are found. `;
}

function findLatLng(headings: readonly string[]): number[] | undefined {
  const columns = ['lat', 'lng'].map((meaning) => findHeading(headings, meaning)).filter((at) => at !== undefined);
  return columns.length === 2 ? columns : undefined;
}
