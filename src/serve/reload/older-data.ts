/**
 * Prevents an old index from replacing newer data, such as one from a cache that is behind. The
 * dates in the data versions decide; if they do not, the server's Last-Modified does.
 */
import { VERSION_DATE } from '../../http/data-age.ts';
import { IndexFormatError } from '../../index-file/format-error.ts';

interface AgeCheck {
  /** The copy of the data being served. */
  readonly indexPath: string;
  readonly servedVersion: string;
  /** Whether the new Last-Modified is earlier than that of the data being served. */
  readonly isBackdated: boolean;
}

/** Throws IndexFormatError if the data are older than those being served. */
export function checkAge(version: string, { indexPath, servedVersion, isBackdated }: AgeCheck): void {
  const order = compareVersions(version, servedVersion);
  if (order > 0 || (order === 0 && !isBackdated)) return;
  const reason = order < 0 ? `data ${version}` : `data ${version} with an earlier Last-Modified`;
  throw new IndexFormatError(
    `the index holds ${reason}, and ${servedVersion} is being served. To go back to older data, delete ${indexPath} and restart the service`,
  );
}

/**
 * Negative if `a` is older, positive if it is newer. 0 if the versions do not tell: they have no
 * dates, the same dates, or are versions of different data.
 */
export function compareVersions(a: string, b: string): number {
  if (a.replaceAll(VERSION_DATE, 'DATE') !== b.replaceAll(VERSION_DATE, 'DATE')) return 0;
  const datesOfB = b.match(VERSION_DATE) ?? [];
  const orders = (a.match(VERSION_DATE) ?? []).map((date, i) => date.localeCompare(datesOfB[i] ?? ''));
  const [min, max] = [Math.min(0, ...orders), Math.max(0, ...orders)];
  return min + max; // 0 if one date is earlier and another later
}
