/**
 * Replaces index and overlay from their files while the service runs, together or not at all. If a
 * file cannot be used, the old data stay in use.
 */

import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { errorMessage } from '../../errors/error-message.ts';
import type { Logger } from '../log.ts';
import type { IndexDownload, NewIndex } from '../remote/index-download.ts';
import type { ServedData } from '../threads/worker-messages.ts';
import type { WorkerPool } from '../threads/worker-pool.ts';
import type { ServiceCertificate } from '../tls/service-certificate.ts';
import {
  checkAge,
  checkPlaceCount,
  readIndexInThread,
  type ServedFacts,
  ShrunkenDataError,
  trySearches,
} from './new-data.ts';

export interface ReloadSources {
  readonly location: IndexLocation;
  /** Undefined if the index is a file of the user. */
  readonly remote: IndexDownload | undefined;
  readonly allowShrunkenData: boolean;
  readonly overlayPath: string | undefined;
  /** Paths that `/readyz` shows without their folders. */
  readonly privatePaths: readonly string[];
  readonly buildOverlay: (index: SharedArrayBuffer) => Promise<SharedArrayBuffer | undefined>;
  /** Files for TLS that the settings name. */
  readonly tlsPaths: readonly string[];
  /** Resolves with undefined behind a proxy. */
  readonly loadCertificate: () => Promise<ServiceCertificate | undefined>;
}

export interface ReloadContext {
  readonly pool: WorkerPool;
  readonly sources: ReloadSources;
  readonly served: ServedFacts | undefined;
  readonly notice: Notice;
  readonly log: Logger;
}

interface ReloadResult {
  readonly isComplete: boolean;
  /** Version of the new data, overlay included; undefined if the old data stay in use. */
  readonly dataVersion: string | undefined;
  /** Undefined if the old index stays in use. */
  readonly newData: ServedFacts | undefined;
}

/** Reloads the data, then updates the notice of `/readyz`. Never rejects. */
export async function reloadData(context: ReloadContext): Promise<ReloadResult> {
  const { pool, sources, notice, log } = context;
  const problems: string[] = [];
  const attempt = async <T>(what: string, step: () => Promise<T>, path = ''): Promise<T | undefined> => {
    try {
      return await step();
    } catch (error) {
      const named = path === '' ? what : `${what} ${basename(path)}`;
      problems.push(`${named} not reloaded${publicReason(error)}`);
      log.error({ reason: errorMessage(error) }, `${what} not reloaded: the old one stays in use`);
      return undefined;
    }
  };
  const indexPath = sources.location.path;
  const loaded = await attempt('index', () => readNewIndex(context, indexPath), indexPath);
  const data = loaded && (await attempt('overlay', () => addOverlay(sources, loaded.index), sources.overlayPath));
  const dataVersion = data && (await attempt('index', () => useData(pool, data), indexPath));
  if (dataVersion !== undefined) sources.location.markServed(indexPath);
  notice.set('reload', problems.join('; '));
  await pool.setNotice(notice.text);
  const isComplete = problems.length === 0;
  return { isComplete, dataVersion, newData: dataVersion === undefined ? undefined : loaded?.facts };
}

/** Serves a downloaded index. Throws if it cannot be used, or is older than the one being served. */
export async function serveDownload(
  { pool, sources, served }: ReloadContext,
  { path, isBackdated }: NewIndex,
): Promise<ServedFacts> {
  const index = await readIndexInThread(path);
  const remedy = 'set --allow-shrunken-data';
  const facts = checkPlaceCount(index, { ...sources, indexPath: path, served, remedy });
  const indexPath = sources.location.path;
  checkAge(facts.version, { indexPath, servedVersion: served?.version ?? '', isBackdated });
  await useData(pool, await addOverlay(sources, index));
  return facts;
}

/** The notice is public, and most reasons may quote file content. */
function publicReason(error: unknown): string {
  return error instanceof ShrunkenDataError ? `: ${error.publicReason}` : '; the log says why';
}

async function readNewIndex({ sources, served }: ReloadContext, indexPath: string) {
  const index = await readIndexInThread(indexPath);
  return { index, facts: checkPlaceCount(index, { ...sources, indexPath, served }) };
}

async function addOverlay({ buildOverlay }: ReloadSources, index: SharedArrayBuffer): Promise<ServedData> {
  return { index, overlay: await buildOverlay(index) };
}

async function useData(pool: WorkerPool, data: ServedData): Promise<string> {
  const version = await trySearches(data);
  await pool.replaceValues({ data });
  return version;
}

export type ProblemSource = 'certificate' | 'reload' | 'watch' | 'tlsWatch' | 'download' | 'threads';

/**
 * The notice that `/readyz` shows: why the newest files are not being served. The notice is public,
 * so it must not contain folders or file content.
 */
export class Notice {
  readonly #paths: readonly string[];
  readonly #problems: Record<ProblemSource, string> = {
    certificate: '',
    reload: '',
    watch: '',
    tlsWatch: '',
    download: '',
    threads: '',
  };

  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** Replaces the earlier problem of this source; '' if there is none any more. */
  set(source: ProblemSource, problem: string): void {
    this.#problems[source] = problem;
  }

  /** Empty when there is no problem. */
  get text(): string {
    const text = Object.values(this.#problems).filter(Boolean).join('; ');
    return this.#paths.reduce((shown, path) => shown.replaceAll(path, basename(path)), text);
  }
}

/**
 * Path of the index that a reload reads. A service of the embedded data reads the index of `toponym
 * update` as soon as that exists. Once it serves the updated index, it does not return to the embedded
 * data, even if the file disappears.
 */
export class IndexLocation {
  #servedPath: string;
  readonly #updatedPath: string | undefined;

  /** `updatedPath` names the updated index if the service serves the embedded data. */
  constructor(servedPath: string, updatedPath: string | undefined) {
    this.#servedPath = servedPath;
    this.#updatedPath = updatedPath;
  }

  get path(): string {
    const updated = this.#updatedPath;
    return updated !== undefined && existsSync(updated) ? updated : this.#servedPath;
  }

  markServed(path: string): void {
    this.#servedPath = path;
  }
}
