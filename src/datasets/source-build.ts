/**
 * Builds an index from gazetteer files in a thread of its own. Sorting and indexing take minutes
 * without a pause, and the main thread meanwhile shows progress and answers Ctrl-C.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BuildReport } from '../build/build-index.ts';
import { UsageError } from '../errors/errors.ts';
import { removeUnfinished } from '../files/replace-file.ts';
import { threadEnvironment } from '../files/thread-environment.ts';
import type { Gazetteer } from '../place/place.ts';
import type { PlaceFilter } from '../sources/filter.ts';
import { type OnProgress, SourceError } from '../sources/report.ts';
import type { SourceFormat } from '../sources/source-format.ts';

export interface SourceGroup {
  readonly format: SourceFormat;
  readonly paths: readonly string[];
  /** What was read already: of an index its bytes, of an overlay its text. */
  readonly content?: ArrayBuffer | SharedArrayBuffer | string;
}

export interface SourceJob {
  /** The embedded data if there are none. */
  readonly sources: readonly SourceGroup[];
  readonly filter?: PlaceFilter;
  /** For OpenStreetMap: country of places outside all boundaries. */
  readonly country?: string;
  /** Not written if there are no places. */
  readonly out: string;
  /** What `out` is, for messages: `--out` by default. */
  readonly outName?: string;
  /** Lets everything else on the machine go first. */
  readonly isBackground?: boolean;
  /** The index that the new one replaces if there is none at `out`. Its ids lead to their successors. */
  readonly replaced?: string | undefined;
}

export interface SourceBuild {
  readonly report: BuildReport;
  readonly version: string;
  readonly gazetteers: readonly Pick<Gazetteer, 'version' | 'attribution' | 'report'>[];
  /** Undefined if there was no usable index to replace. */
  readonly previousPlaces: number | undefined;
}

export type BuilderMessage = { readonly progress: Parameters<OnProgress>[0] } | { readonly built: SourceBuild };

// .ts in a clone, .js in the published package
const BUILDER_FILE = new URL(`./source-builder${extname(import.meta.url)}`, import.meta.url);

/** Throws SourceError, UsageError, or the system's error of a file that cannot be read. */
export async function buildSources(
  job: SourceJob,
  onProgress: OnProgress,
  stopping?: AbortSignal,
): Promise<SourceBuild> {
  const { promise, resolve, reject } = Promise.withResolvers<SourceBuild>();
  const builder = new Worker(BUILDER_FILE, { workerData: job, env: threadEnvironment() });
  builder.on('message', (message: BuilderMessage) => {
    if ('built' in message) resolve(message.built);
    else onProgress(message.progress);
  });
  builder.once('error', (error) => reject(withClass(error as Error)));
  builder.once('exit', () => reject(new Error('the thread ended without a result')));
  const { threadId } = builder; // part of the temporary file's name; -1 after the thread has ended
  const stop = () => void builder.terminate();
  stopping?.addEventListener('abort', stop);
  try {
    return await promise;
  } finally {
    stopping?.removeEventListener('abort', stop);
    if (stopping?.aborted) removeUnfinished(job.out, threadId);
    stopping?.throwIfAborted();
  }
}

/** An error from another thread has its name, but not its class. */
function withClass(error: Error): Error {
  if (error.name === 'UsageError') return new UsageError(error.message, { cause: error });
  return error.name === 'SourceError' ? new SourceError(error.message, { cause: error }) : error;
}
