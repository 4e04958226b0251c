/**
 * Checks of new data before it is served: it can be read and searched, and a bad build does not empty a live
 * service. Separate threads read and search, because the main thread answers health checks and signals, and a
 * bad index can make a search crash or hang.
 */

import type { Meta } from 'toponym-engine/index-file/layout';
import { IndexFormatError, openIndex } from 'toponym-engine/index-file/open-index';
import { errorMessage } from 'toponym-files/errors/errors';
import { readIndexInThread } from 'toponym-files/index-file';
import { runInThread, threadFile } from 'toponym-files/thread';
import type { runTrial } from './trial-thread.ts';

const TRIAL_THREAD = threadFile('./trial-thread', import.meta.url);
// the searches take 0.3 s with 200,000 places
const MAX_SEARCH_MS = 20_000;

/** Reads an index that is to replace the one being served. Throws if it may not. */
export async function readNewData(path: string, check: PlaceCountCheck) {
  const data = await readIndexInThread(path);
  const facts = checkPlaceCount(data, check);
  await trySearches(data);
  return { data, facts };
}

/** Searches data, because checksums do not show a wrong build. Throws if a search fails or is slow. */
export async function trySearches(
  data: SharedArrayBuffer,
  { limitMs = MAX_SEARCH_MS, trialThread = TRIAL_THREAD } = {},
): Promise<void> {
  try {
    const limits = { maxOldGenerationSizeMb: 512 };
    await runInThread<typeof runTrial>(trialThread, data, { limits, isUnref: true, limitMs });
  } catch (error) {
    throw new Error(`the data cannot be searched: ${errorMessage(error)}`, { cause: error });
  }
}

/** What the checks of new data compare. */
export type ServedFacts = Pick<Meta, 'version' | 'places'>;

class ShrunkenDataError extends IndexFormatError {
  /** Contains no path and nothing of the file but its number of places. */
  readonly publicReason: string;

  constructor(message: string, publicReason: string) {
    super(message);
    this.publicReason = publicReason;
  }
}

interface PlaceCountCheck {
  /** For messages: a path or a URL. */
  readonly name: string;
  readonly allowShrunkenData: boolean;
  /** Undefined until the service has started. */
  readonly served: ServedFacts | undefined;
  /** How to use the index anyway; by default a restart. */
  readonly remedy?: string;
}

/** Returns the facts of the index. Throws IndexFormatError if there are too few places. */
export function checkPlaceCount(index: SharedArrayBuffer, check: PlaceCountCheck): ServedFacts {
  const { name, allowShrunkenData, served, remedy = 'restart the service or set --allow-shrunken-data' } = check;
  const { places, version } = openIndex(index).metadata;
  const facts = { places, version };
  if (allowShrunkenData) return facts;
  if (places === 0) {
    throw new IndexFormatError(
      `${name}: the index holds no places. Check its build report, or allow this with --allow-shrunken-data`,
    );
  }
  if (served !== undefined && places < served.places / 2) {
    const counts = `${places.toLocaleString('en')} places, and ${served.places.toLocaleString('en')} are being served`;
    throw new ShrunkenDataError(
      `${name}: the index holds ${counts}. Check its build report; to use it anyway, ${remedy}`,
      `it holds ${counts}. To use it anyway, ${remedy}`,
    );
  }
  return facts;
}
