/**
 * Reloads a running service when one of its files changes, and on request. Index and overlay are
 * replaced together or not at all; if a file cannot be used, the old data stays in use. Nothing here
 * may throw or reject, because timers and signal handlers call this class.
 */
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import timers from 'node:timers/promises'; // not by name, so that tests can mock the clock
import { errorMessage } from '../../errors/errors.ts';
import { closeIpDatabases, type IpDatabase } from '../../locate/ip-database.ts';
import type { Logger } from '../log.ts';
import type { IndexDownload, NewIndex } from '../remote/index-download.ts';
import { RemoteWatch } from '../remote/remote-watch.ts';
import type { WorkerPool } from '../threads/worker-pool.ts';
import type { ServiceCertificate } from '../tls/certificate.ts';
import { FileReloader } from './file-reloader.ts';
import { FileWatch } from './file-watch.ts';
import {
  checkAge,
  checkPlaceCount,
  readIndexInThread,
  type ServedFacts,
  ShrunkenDataError,
  trySearches,
} from './new-data.ts';
import { collectGarbageSoon, createReloadQueue, PAUSE_AFTER_RELOAD_MS } from './reload-queue.ts';

interface ReloaderOptions {
  readonly pool: WorkerPool;
  readonly sources: ReloadSources;
  readonly log: Logger;
}

export interface ReloadSources {
  readonly indexPath: string;
  /** The index of `toponym update`, if the service serves the embedded data. */
  readonly updatedIndexPath: string | undefined;
  /** Undefined if the index is a file of the user. */
  readonly remote: IndexDownload | undefined;
  readonly allowShrunkenData: boolean;
  readonly overlayPath: string | undefined;
  /** Paths that `/readyz` shows without their folders. */
  readonly privatePaths: readonly string[];
  /** Resolves with the index itself if there is no overlay. */
  readonly applyOverlay: (index: SharedArrayBuffer) => Promise<SharedArrayBuffer>;
  /** Files for TLS that the settings name. */
  readonly tlsPaths: readonly string[];
  /** Resolves with undefined behind a proxy. */
  readonly loadCertificate: () => Promise<ServiceCertificate | undefined>;
  readonly ipDatabasePaths: readonly string[];
  readonly loadIpDatabases: () => Promise<readonly IpDatabase[]>;
}

/** Seconds between checks; 0 for never. */
type WatchIntervals = Readonly<Record<'files' | 'remote', number>>;

/** Why the newest files are not being served; empty if they are. */
const NO_PROBLEMS = { tls: '', ip: '', reload: '', watch: '', tlsWatch: '', ipWatch: '', download: '', threads: '' };

/** A start waits no longer for the server of the index if there is a copy of it. */
const FIRST_CHECK_MS = 5000;
const FILES = { tls: 'certificate', ip: 'IP database' };
const WATCHED = { watch: 'data', tlsWatch: FILES.tls, ipWatch: FILES.ip };

export class Reloader {
  readonly #options: ReloaderOptions;
  #problems = NO_PROBLEMS;
  readonly #watch: FileWatch;
  readonly #remoteWatch: RemoteWatch | undefined;
  /** Apart from the data, because a certificate is replaced in milliseconds. */
  readonly #certificate: FileReloader<ServiceCertificate>;
  readonly #ipDatabases: FileReloader<readonly IpDatabase[]>;
  readonly #requestReload: () => Promise<void>;
  /** What the next reload does. */
  #nextReload: { files: boolean; download: NewIndex | undefined } = { files: false, download: undefined };
  #isLastDownloadServed = false;
  #isStopped = false;
  /** The index being served. */
  served: ServedFacts | undefined;
  #servedPath: string;
  readonly reloads = { ok: 0, failed: 0 };
  /** Modification time of the index file last read, even if that index was refused. */
  #readModifiedMs: number | undefined;
  /** Modification time of the index file being served; undefined if stat failed. */
  servedModifiedMs: number | undefined;

  constructor(options: ReloaderOptions) {
    this.#options = options;
    const { indexPath, remote, overlayPath, tlsPaths, loadCertificate, ipDatabasePaths, loadIpDatabases } =
      options.sources;
    this.#servedPath = indexPath;
    const watchedPaths = () => [this.#indexPath, ...(overlayPath === undefined ? [] : [overlayPath])];
    this.#watch = new FileWatch(watchedPaths, {
      onChange: () => {
        void this.#remoteWatch?.retry();
        void this.#requestFiles();
      },
      onProblem: (problem) => void this.#reportWatchProblem('watch', problem),
    });
    this.#certificate = new FileReloader({
      what: FILES.tls,
      watchedPaths: tlsPaths,
      load: loadCertificate,
      use: async (tls) => void (await options.pool.replaceValues({ tls })),
      onReloaded: ({ content, problem }) =>
        void this.#reportFiles('tls', problem, { certificate: content?.fingerprint }),
      onWatchProblem: (problem) => void this.#reportWatchProblem('tlsWatch', problem),
      log: options.log,
    });
    this.#ipDatabases = new FileReloader({
      what: FILES.ip,
      watchedPaths: ipDatabasePaths,
      load: loadIpDatabases,
      use: async (ipDatabases) => {
        const { ipDatabases: old } = await options.pool.replaceValues({ ipDatabases });
        closeIpDatabases(old);
      },
      onReloaded: ({ content, problem }) =>
        void this.#reportFiles('ip', problem, { files: content?.map(({ path }) => path) }),
      onWatchProblem: (problem) => void this.#reportWatchProblem('ipWatch', problem),
      log: options.log,
    });
    const events = {
      onNewIndex: (downloaded: NewIndex) => this.#requestDownload(downloaded),
      onProblem: (download: string) => this.#report({ download }),
    };
    this.#remoteWatch = remote && new RemoteWatch(remote, events, options.log);
    this.#requestReload = createReloadQueue(() => this.#reload(), PAUSE_AFTER_RELOAD_MS);
  }

  /** Call right before the files are read, so that every later change causes a reload. */
  markRead(): void {
    this.#watch.markRead();
    this.#readModifiedMs = modifiedMs(this.#indexPath);
  }

  /** Why the newest files are not being served. It is public: no folders, no content of files. */
  get notice(): string {
    const text = Object.values(this.#problems).filter(Boolean).join('; ');
    return this.#options.sources.privatePaths.reduce((shown, path) => shown.replaceAll(path, basename(path)), text);
  }

  /** Watches the files and the URL. Resolves when the URL's server has responded, or after 5 s. */
  async start(served: ServedFacts, watchSeconds: WatchIntervals, stopping?: AbortSignal): Promise<void> {
    this.served = served;
    this.servedModifiedMs = this.#readModifiedMs;
    if (watchSeconds.files > 0) {
      this.#watch.start(watchSeconds.files * 1000);
      this.#certificate.start(watchSeconds.files * 1000);
      this.#ipDatabases.start(watchSeconds.files * 1000);
    }
    if (this.#remoteWatch === undefined) return;
    const limit = timers.setTimeout(FIRST_CHECK_MS, undefined, { ref: false, ...(stopping && { signal: stopping }) });
    await Promise.race([this.#remoteWatch.start(watchSeconds.remote * 1000), limit.catch(() => {})]);
  }

  /** A running reload then fails, and says nothing of it. */
  stop(): void {
    this.#isStopped = true;
    this.#watch.stop();
    this.#certificate.stop();
    this.#ipDatabases.stop();
    this.#remoteWatch?.stop();
  }

  /** Resolves after a reload that began after this call, whether it succeeded or failed. */
  async request(): Promise<void> {
    this.#certificate.endGrace();
    void this.#remoteWatch?.restart();
    await this.#requestFiles();
    this.#ipDatabases.endGrace();
    const { problem } = await this.#ipDatabases.reload();
    if (problem !== '') this.reloads.failed++;
    await this.#report({ ip: problem });
  }

  async #requestFiles(): Promise<void> {
    this.#nextReload.files = true;
    await this.#runReload();
  }

  async #runReload(): Promise<void> {
    try {
      await this.#requestReload();
    } catch (error) {
      // unexpected: files that cannot be used are logged
      this.#options.log.error({ err: error }, 'a reload failed: the old data stays in use');
    }
  }

  async #reload(): Promise<void> {
    const { files, download } = this.#nextReload;
    this.#nextReload = { files: false, download: undefined };
    if (download !== undefined) this.#isLastDownloadServed = await this.#tryDownload(download);
    if (files) await this.#reloadFiles();
    collectGarbageSoon();
  }

  async #reloadFiles(): Promise<void> {
    this.markRead();
    const { sources, log } = this.#options;
    const { problem, content } = await this.#certificate.reload();
    const problems: string[] = [];
    const attempt = async <T>(what: string, path: string, step: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await step();
      } catch (error) {
        if (this.#isStopped) return undefined;
        problems.push(`${what} ${basename(path)} not reloaded${publicReason(error)}`);
        log.error({ reason: errorMessage(error) }, `${what} not reloaded: the old one stays in use`);
        return undefined;
      }
    };
    const path = this.#indexPath;
    const loaded = await attempt('index', path, () => this.#readIndex(path, {}));
    const data =
      loaded && (await attempt('overlay', sources.overlayPath ?? '', () => sources.applyOverlay(loaded.index)));
    const version = data && (await attempt('index', path, () => this.#useData(data)));
    if (loaded !== undefined && version !== undefined) this.#markServed(loaded.facts, path);
    await this.#report({ tls: problem, reload: problems.join('; ') });
    const isOk = problems.length === 0 && problem === '';
    this.reloads[isOk ? 'ok' : 'failed']++;
    if (isOk) log.info({ data: version, certificate: content?.fingerprint }, 'reloaded');
  }

  /** Shows in `/readyz` that threads have not confirmed the newest files; 0 threads ends this. */
  async reportLateThreads(threads: number): Promise<void> {
    const problem = `${threads} of ${this.#options.pool.servedData().length} threads may still serve the old files`;
    await this.#report({ threads: threads === 0 ? '' : problem });
  }

  async #reportFiles(what: 'tls' | 'ip', problem: string, served: object): Promise<void> {
    const isOk = problem === '';
    this.reloads[isOk ? 'ok' : 'failed']++;
    if (isOk) this.#options.log.info(served, `${FILES[what]} reloaded`);
    await this.#report({ [what]: problem });
  }

  /** Resolves with whether the download is being served. */
  async #requestDownload(download: NewIndex): Promise<boolean> {
    this.#nextReload.download = download;
    this.#isLastDownloadServed = false;
    await this.#runReload();
    return this.#isLastDownloadServed;
  }

  async #tryDownload(download: NewIndex): Promise<boolean> {
    const { log, sources } = this.#options;
    const url = sources.remote?.name;
    const { path, isBackdated } = download;
    let facts: ServedFacts;
    try {
      const loaded = await this.#readIndex(path, { remedy: 'set --allow-shrunken-data' });
      const servedVersion = this.served?.version ?? '';
      checkAge(loaded.facts.version, { indexPath: this.#indexPath, servedVersion, isBackdated });
      await this.#useData(await sources.applyOverlay(loaded.index));
      facts = loaded.facts;
    } catch (error) {
      if (this.#isStopped) return false; // the download stays for the next start
      log.error({ reason: errorMessage(error), url }, 'index not reloaded: the old one stays in use');
      this.reloads.failed++;
      await download.refuse();
      return false;
    }
    try {
      await download.accept();
    } catch (error) {
      log.error({ reason: errorMessage(error), url }, 'the new index is in use, but its copy could not be stored');
    }
    this.#watch.markReplaced(this.#indexPath);
    this.#readModifiedMs = modifiedMs(this.#indexPath);
    this.#markServed(facts, this.#indexPath);
    this.reloads.ok++;
    log.info({ data: facts.version, url }, 'reloaded');
    await this.#report({ reload: '' }); // an overlay that did not fit the old index fits this one
    return true;
  }

  /**
   * Path of the index that a reload reads: that of `toponym update` once it exists. Once that is served, no reload
   * returns to the embedded data, even if the file disappears.
   */
  get #indexPath(): string {
    const updated = this.#options.sources.updatedIndexPath;
    return updated !== undefined && existsSync(updated) ? updated : this.#servedPath;
  }

  async #readIndex(indexPath: string, remedy: { readonly remedy?: string }) {
    const { allowShrunkenData } = this.#options.sources;
    const index = await readIndexInThread(indexPath);
    const facts = checkPlaceCount(index, { indexPath, allowShrunkenData, served: this.served, ...remedy });
    return { index, facts };
  }

  /** Returns the version of the data, overlay included. */
  async #useData(data: SharedArrayBuffer): Promise<string> {
    const version = await trySearches(data);
    await this.#options.pool.replaceValues({ data });
    return version;
  }

  #markServed(served: ServedFacts, path: string): void {
    this.served = served;
    this.#servedPath = path;
    this.servedModifiedMs = this.#readModifiedMs;
  }

  async #reportWatchProblem(source: keyof typeof WATCHED, problem: string): Promise<void> {
    const { log } = this.#options;
    if (problem === '') log.info('all watched files can be read again');
    else log.error({ reason: problem }, `a watched file cannot be read: the old ${WATCHED[source]} stays in use`);
    await this.#report({ [source]: problem });
  }

  /** Replaces the earlier problems of the same sources. */
  async #report(problems: Partial<typeof NO_PROBLEMS>): Promise<void> {
    const before = this.notice;
    this.#problems = { ...this.#problems, ...problems };
    if (this.notice !== before) await this.#options.pool.share({ notice: this.notice });
  }
}

/** The notice is public, and most reasons may quote file content. */
function publicReason(error: unknown): string {
  return error instanceof ShrunkenDataError ? `: ${error.publicReason}` : '; the log says why';
}

function modifiedMs(path: string): number | undefined {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return undefined;
  }
}
