/** Reads an index in a thread of its own, because the main thread of a service answers health checks and signals. */
import { runInThread, threadFile } from 'toponym-files/thread';
import type { readIndexFile } from './file.ts';
import { IndexFormatError } from './open-index.ts';

const READ_THREAD = threadFile('./read-index-thread', import.meta.url);
const LIMITS = { maxOldGenerationSizeMb: 512 };

/** Takes 2 ms per MB or more. Rejects as `readIndexFile` throws. */
export async function readIndexInThread(path: string): Promise<SharedArrayBuffer> {
  const options = { limits: LIMITS, isUnref: true, errors: [IndexFormatError] };
  return await runInThread<typeof readIndexFile>(READ_THREAD, path, options);
}
