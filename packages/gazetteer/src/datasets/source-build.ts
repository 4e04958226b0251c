/**
 * Builds an index from gazetteer files in a thread or process of its own. Sorting and indexing take
 * minutes without a pause, and the main thread meanwhile shows progress and answers Ctrl-C.
 */

import { IndexFormatError } from 'toponym-engine/index-file/open-index';
import type { Gazetteer } from 'toponym-engine/place/place';
import { UsageError } from 'toponym-files/errors/errors';
import { removeLeftovers, removeUnfinished } from 'toponym-files/replace-file';
import { type JobOptions, runInThread, threadFile } from 'toponym-files/thread';
import type { BuildReport } from '../build/build-index.ts';
import { DataPackageError } from '../sources/embedded/data-package.ts';
import type { SourceFilter } from '../sources/filter.ts';
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
  readonly filter?: SourceFilter;
  /** For OpenStreetMap: country of places outside all boundaries. */
  readonly country?: string;
  /** Not written if there are no places. */
  readonly out: string;
  /** What the user calls `out`, such as `--out`. A file without such a name has no index to replace. */
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

/** What the thread does. */
type Build = (job: SourceJob, onProgress: OnProgress) => Promise<SourceBuild>;

const BUILDER_FILE = threadFile('./source-builder', import.meta.url);

/** Throws SourceError, UsageError, DataPackageError, or the system's error of a file that cannot be read. */
export async function buildSources(job: SourceJob, onProgress: OnProgress, signal?: AbortSignal): Promise<SourceBuild> {
  const errors = [UsageError, SourceError, DataPackageError, IndexFormatError];
  if (job.sources.length === 0) return await buildEmbedded(job, { onProgress, signal, errors });
  const onAborted = (threadId: number) => removeUnfinished(job.out, threadId);
  return await runInThread<Build>(BUILDER_FILE, job, { onProgress, signal, onAborted, errors });
}

/** In a process, because a service would keep 130 MB that a thread needs to join the embedded data. */
async function buildEmbedded(job: SourceJob, options: JobOptions<Build>): Promise<SourceBuild> {
  const { runInProcess } = await import('toponym-files/process'); // imported only if needed
  try {
    return await runInProcess<Build>(BUILDER_FILE, job, options);
  } finally {
    if (options.signal?.aborted) removeLeftovers(job.out);
  }
}
