/**
 * Builds the overlay of a service in a thread of its own. A long overlay takes seconds, and the main
 * thread meanwhile answers health checks and signals. The main thread never loads the code that
 * builds indexes.
 */
import { extname, resolve } from 'node:path';
import { UsageError } from '../../errors/errors.ts';
import { runThread } from '../../serve/reload/new-data.ts';
import type { ServeOptions } from '../../serve/serve.ts';

// .ts in a clone, .js in the published package
const THREAD_FILE = new URL(`../../datasets/overlay-thread${extname(import.meta.url)}`, import.meta.url);
/** 200,000 added places (21 MB of lines) take about 0.5 GB, and an overlay may have 64 MB. */
const MAX_HEAP_MB = 2048;

export function servedOverlay(givenPath: string): NonNullable<ServeOptions['overlay']> {
  const path = resolve(givenPath);
  return { path, build: (index) => buildInThread(path, index) };
}

async function buildInThread(path: string, index: SharedArrayBuffer): Promise<SharedArrayBuffer> {
  try {
    return await runThread<SharedArrayBuffer>({ file: THREAD_FILE, data: { path, index }, maxHeapMb: MAX_HEAP_MB });
  } catch (error) {
    const { name, message } = error as Error; // an error from another thread has its name, but not its class
    throw name === 'UsageError' ? new UsageError(message, { cause: error }) : error;
  }
}
