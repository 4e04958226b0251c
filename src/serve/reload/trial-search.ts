/**
 * Searches new data before they are served, because checksums do not show that an index was built
 * wrongly. A separate thread runs the searches, because a bad index can make them crash or hang.
 */
import { extname } from 'node:path';
import { errorMessage } from '../../errors/error-message.ts';
import type { ServedData } from '../threads/worker-messages.ts';
import { runThread } from './short-thread.ts';

// .ts in a clone, .js in the published package
const THREAD_FILE = new URL(`./trial-thread${extname(import.meta.url)}`, import.meta.url);
// the searches take 0.3 s with 200,000 places
const LIMIT_MS = 20_000;
/** Returns the version of the data. Throws if a search fails or takes too long. */
export async function trySearches(
  data: ServedData,
  { limitMs = LIMIT_MS, threadFile = THREAD_FILE } = {},
): Promise<string> {
  try {
    return await runThread<string>({ file: threadFile, data, limitMs });
  } catch (error) {
    throw new Error(`the data cannot be searched: ${errorMessage(error)}`, { cause: error });
  }
}
