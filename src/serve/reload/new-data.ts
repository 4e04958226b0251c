/**
 * Checks of new data before it is served: it can be read and searched, is not older than the data being
 * served, and a bad build does not empty a live service. Separate threads read and search, because
 * the main thread answers health checks and signals, and a bad index can make a search crash or hang.
 */
import { errorMessage } from '../../errors/errors.ts';
import { VERSION_DATE } from '../../http/data-age.ts';
import type { readIndexFile } from '../../index-file/file.ts';
import type { Meta } from '../../index-file/layout.ts';
import { IndexFormatError, openIndex } from '../../index-file/open-index.ts';
import { runInThread, threadFile } from '../../thread.ts';
import type { runTrial } from './trial-thread.ts';

const READ_THREAD = threadFile('./read-index-thread', import.meta.url);
const TRIAL_THREAD = threadFile('./trial-thread', import.meta.url);
const JOB = { limits: { maxOldGenerationSizeMb: 512 }, isUnref: true };
// the searches take 0.3 s with 200,000 places
const MAX_SEARCH_MS = 20_000;

/** Reads and verifies a file: 2 ms per MB or more. Rejects as `readIndexFile` throws. */
export async function readIndexInThread(path: string): Promise<SharedArrayBuffer> {
  return await runInThread<typeof readIndexFile>(READ_THREAD, path, { ...JOB, errors: [IndexFormatError] });
}

/** Searches data, because checksums do not show a wrong build. Returns its version. Throws if a search fails or is slow. */
export async function trySearches(
  data: SharedArrayBuffer,
  { limitMs = MAX_SEARCH_MS, trialThread = TRIAL_THREAD } = {},
): Promise<string> {
  try {
    return await runInThread<typeof runTrial>(trialThread, data, { ...JOB, limitMs });
  } catch (error) {
    throw new Error(`the data cannot be searched: ${errorMessage(error)}`, { cause: error });
  }
}

interface AgeCheck {
  /** The copy of the data being served. */
  readonly indexPath: string;
  readonly servedVersion: string;
  /** Whether the new Last-Modified is earlier than that of the data being served. */
  readonly isBackdated: boolean;
}

/**
 * Throws IndexFormatError if the data is older than that being served, such as the data of a cache that
 * is behind. The dates in the data versions decide; if they do not, the server's Last-Modified does.
 */
export function checkAge(version: string, { indexPath, servedVersion, isBackdated }: AgeCheck): void {
  const order = compareVersions(version, servedVersion);
  if (order > 0 || (order === 0 && !isBackdated)) return;
  const reason = order < 0 ? `data ${version}` : `data ${version} with an earlier Last-Modified`;
  throw new IndexFormatError(
    `the index holds ${reason}, and ${servedVersion} is being served. To go back to older data, delete ${indexPath} and restart the service`,
  );
}

/** Negative if `a` is older. 0 if the versions do not tell: no dates, the same, or of other data. */
export function compareVersions(a: string, b: string): number {
  if (a.replaceAll(VERSION_DATE, 'DATE') !== b.replaceAll(VERSION_DATE, 'DATE')) return 0;
  const datesOfB = b.match(VERSION_DATE) ?? [];
  const orders = (a.match(VERSION_DATE) ?? []).map((date, i) => date.localeCompare(datesOfB[i] ?? ''));
  const [min, max] = [Math.min(0, ...orders), Math.max(0, ...orders)];
  return min + max; // 0 if one date is earlier and another later
}

/** What the checks of new data compare. */
export type ServedFacts = Pick<Meta, 'version' | 'places'>;

export class ShrunkenDataError extends IndexFormatError {
  /** Contains no path and nothing of the file but its number of places. */
  readonly publicReason: string;

  constructor(message: string, publicReason: string) {
    super(message);
    this.publicReason = publicReason;
  }
}

interface PlaceCountCheck {
  /** For messages: a path or a URL. */
  readonly indexPath: string;
  readonly allowShrunkenData: boolean;
  /** Undefined until the service has started. */
  readonly served: ServedFacts | undefined;
  /** How to use the index anyway; by default a restart. */
  readonly remedy?: string;
}

/** Returns the facts of the index. Throws IndexFormatError if there are too few places. */
export function checkPlaceCount(index: SharedArrayBuffer, check: PlaceCountCheck): ServedFacts {
  const { indexPath, allowShrunkenData, served, remedy = 'restart the service or set --allow-shrunken-data' } = check;
  const { places, version } = openIndex(index).metadata;
  const facts = { places, version };
  if (allowShrunkenData) return facts;
  if (places === 0) {
    throw new IndexFormatError(
      `${indexPath}: the index holds no places. Check its build report, or allow this with --allow-shrunken-data`,
    );
  }
  if (served !== undefined && places < served.places / 2) {
    const counts = `${places.toLocaleString('en')} places, and ${served.places.toLocaleString('en')} are being served`;
    throw new ShrunkenDataError(
      `${indexPath}: the index holds ${counts}. Check its build report; to use it anyway, ${remedy}`,
      `it holds ${counts}. To use it anyway, ${remedy}`,
    );
  }
  return facts;
}
