/**
 * Updates an index from GeoNames: downloads the changed files and builds a new index. Nothing is
 * built if the program version, the downloads and the index still match the file `<index>.origin`.
 */

import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { INDEX_VERSION } from 'toponym-engine/index-file/layout';
import { errorReason, UsageError } from 'toponym-files/errors/errors';
import { takeLock } from 'toponym-files/lock';
import { makeFolder } from 'toponym-files/new-file';
import { VERSION } from 'toponym-files/program';
import { readTextFile } from 'toponym-files/regular-file';
import { replaceFile } from 'toponym-files/replace-file';
import type { BuildReport } from '../build/build-index.ts';
import { forgetFile, hashFile } from '../fetch/cached-file.ts';
import { type Download, type DownloadProgress, downloadFile } from '../fetch/download.ts';
import { publicUrl } from '../fetch/urls.ts';
import { type OnProgress, SourceError } from '../sources/report.ts';
import { noPlacesError } from '../sources/source-format.ts';
import { checkOutputFile } from './check-output.ts';
import { GEONAMES_SETS, type GeonamesChoice, type GeonamesPlan, type RemoteFile } from './geonames-plan.ts';
import { buildSources } from './source-build.ts';

const MAX_ORIGIN_BYTES = 1024 * 1024;

interface UpdateOptions {
  readonly sourceUrl: URL;
  /** Folder for downloaded files. */
  readonly cache: string;
  readonly out: string;
  /** See `SourceJob`. */
  readonly replaced?: string | undefined;
  readonly onBuildProgress: OnProgress;
  readonly onDownloadProgress: (file: string, progress: DownloadProgress) => void;
  readonly onRetry: (file: string, reason: string, delayMs: number) => void;
}

export interface UpdateResult {
  readonly downloads: readonly Download[];
  /** Undefined if the index was up to date. */
  readonly built: BuiltIndex | undefined;
}

export type BuiltIndex = BuildReport & {
  readonly dataVersion: string;
  /** Undefined if there was no usable index to replace. */
  readonly previousPlaces: number | undefined;
};

/** Keeps the old index if it throws UsageError, DownloadError or SourceError. */
export async function updateGeonames(plan: GeonamesPlan, options: UpdateOptions): Promise<UpdateResult> {
  prepareCache(options.cache);
  const inputs = plan.files.map(({ relativePath }) => join(options.cache, relativePath));
  checkOutputFile(options.out, inputs);
  const lock = takeLock(join(options.cache, '.lock'));
  if (lock === undefined) {
    throw new UsageError(`Another update is using ${options.cache}: wait for it, or choose another --cache.`);
  }
  try {
    const downloads: Download[] = [];
    for (const file of plan.files) downloads.push(await download(file, options));
    const isUnchanged = await isBuiltFrom(options.out, downloads);
    return { downloads, built: isUnchanged ? undefined : await build(downloads, options) };
  } finally {
    lock.release();
  }
}

/** Throws UsageError if the folder cannot be written. */
function prepareCache(cache: string): void {
  try {
    makeFolder(cache);
    accessSync(cache, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UsageError(`--cache ${cache} cannot be written: ${errorReason(error)}.`, { cause: error });
  }
}

async function download({ relativePath, maxBytes, signature }: RemoteFile, options: UpdateOptions): Promise<Download> {
  const path = join(options.cache, relativePath);
  makeFolder(dirname(path));
  return await downloadFile(new URL(relativePath, options.sourceUrl), path, {
    maxBytes,
    signature,
    onProgress: (progress) => options.onDownloadProgress(relativePath, progress),
    onRetry: (reason, delayMs) => options.onRetry(relativePath, reason, delayMs),
  });
}

async function build(
  downloads: readonly Download[],
  { out, replaced, onBuildProgress }: UpdateOptions,
): Promise<BuiltIndex> {
  try {
    const sources = [{ format: 'geonames', paths: downloads.map(({ path }) => path) }] as const;
    const job = { sources, out, outName: '--out', replaced };
    const { report, version, previousPlaces } = await buildSources(job, onBuildProgress);
    if (report.places === 0) throw await noPlacesError(sources, out);
    // names the hash of the index, so that the next run builds again after a crash
    replaceFile(originPath(out), [Buffer.from(await describeOrigin(out, downloads))]);
    return { ...report, dataVersion: version, previousPlaces };
  } catch (error) {
    // the next run must download the bad files again
    if (error instanceof SourceError) for (const { path } of downloads) await forgetFile(path);
    throw error;
  }
}

/** Whether this program version built the index at `out`, as it is now, from these downloads. */
async function isBuiltFrom(out: string, downloads: readonly Download[]): Promise<boolean> {
  const origin = originPath(out);
  if (!existsSync(out) || !existsSync(origin)) return false;
  return readTextFile(origin, MAX_ORIGIN_BYTES) === (await describeOrigin(out, downloads));
}

async function describeOrigin(out: string, downloads: readonly Download[]): Promise<string> {
  const files = downloads.map(({ url, sha256 }) => `${publicUrl(new URL(url))} ${sha256}`);
  const index = await hashFile(out);
  const lines = [`toponym ${VERSION} format ${INDEX_VERSION}`, ...files, `index ${index.sha256}`];
  return `${lines.join('\n')}\n`;
}

/** What the index at `out` was built from; undefined if `update` has not built it. */
export function previousChoice(out: string): GeonamesChoice | undefined {
  const origin = originPath(out);
  if (!existsSync(out) || !existsSync(origin)) return undefined;
  const text = readTextFile(origin, MAX_ORIGIN_BYTES);
  const [, name] = /^\S+\/(\w+)\.zip /m.exec(text) ?? [];
  if (name === undefined) return undefined;
  const alternateNames = /\/alternatenames/i.test(text);
  return GEONAMES_SETS.some((set) => set === name) ? { set: name, alternateNames } : { country: name, alternateNames };
}

function originPath(out: string): string {
  return `${out}.origin`;
}
