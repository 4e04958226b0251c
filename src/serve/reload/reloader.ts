/**
 * Reloads a running service when one of its files changes, and on request. Nothing here may throw or
 * reject, because timers and signal handlers call this class.
 */
import { statSync } from 'node:fs';
import timers from 'node:timers/promises'; // not by name, so that tests can mock the clock
import { errorMessage } from '../../errors/error-message.ts';
import type { ProcessState } from '../metrics/process-metrics.ts';
import type { NewIndex } from '../remote/index-download.ts';
import { RemoteWatch } from '../remote/remote-watch.ts';
import { collectGarbageSoon, PAUSE_AFTER_RELOAD_MS } from '../threads/garbage-collection.ts';
import { type CertificateReload, CertificateReloader } from './certificate-reloader.ts';
import { createReloadQueue, FileWatch, type ReloadQueue } from './file-watch.ts';
import type { ServedFacts } from './new-data.ts';
import { Notice, type ProblemSource, type ReloadContext, reloadData, serveDownload } from './reload.ts';

type ReloaderOptions = Pick<ReloadContext, 'pool' | 'sources' | 'log'>;

/** Seconds between checks; 0 for never. */
interface WatchIntervals {
  readonly files: number;
  readonly remote: number;
}

/** A start waits no longer for the server of the index if there is a copy of it. */
const FIRST_CHECK_MS = 5000;
const OLD_FILES = { watch: 'data stay', tlsWatch: 'certificate stays' };

export class Reloader {
  readonly #options: ReloaderOptions;
  readonly #notice: Notice;
  readonly #watch: FileWatch;
  readonly #remoteWatch: RemoteWatch | undefined;
  /** Apart from the data, because a certificate is replaced in milliseconds. */
  readonly #certificate: CertificateReloader;
  readonly #queue: ReloadQueue;
  /** What the next reload does. */
  #nextReload: { files: boolean; download: NewIndex | undefined } = { files: false, download: undefined };
  #isLastDownloadServed = false;
  #served: ServedFacts | undefined;
  readonly #reloads = { ok: 0, failed: 0 };
  /** Modification time of the index file last read, even if that index was refused. */
  #readModifiedMs: number | undefined;
  #servedModifiedMs: number | undefined;

  constructor(options: ReloaderOptions) {
    this.#options = options;
    const { location, remote, overlayPath, privatePaths, tlsPaths, loadCertificate } = options.sources;
    this.#notice = new Notice(privatePaths);
    const watchedPaths = () => [location.path, ...(overlayPath === undefined ? [] : [overlayPath])];
    this.#watch = new FileWatch(watchedPaths, {
      onChange: () => {
        void this.#remoteWatch?.retry();
        void this.#requestFiles();
      },
      onProblem: (problem) => void this.#reportWatchProblem('watch', problem),
    });
    this.#certificate = new CertificateReloader({
      watchedPaths: tlsPaths,
      load: loadCertificate,
      use: (tls) => options.pool.replaceValues({ tls }),
      onReloaded: (result) => void this.#reportCertificate(result),
      onWatchProblem: (problem) => void this.#reportWatchProblem('tlsWatch', problem),
      log: options.log,
    });
    const events = {
      onNewIndex: (downloaded: NewIndex) => this.#requestDownload(downloaded),
      onProblem: (problem: string) => this.#setNotice('download', problem),
    };
    this.#remoteWatch = remote && new RemoteWatch(remote, events, options.log);
    this.#queue = createReloadQueue(() => this.#reload(), PAUSE_AFTER_RELOAD_MS);
  }

  /** Call right before the files are read, so that every later change causes a reload. */
  markRead(): void {
    this.#watch.markRead();
    this.#readModifiedMs = modifiedMs(this.#options.sources.location.path);
  }

  get state(): ProcessState {
    return { reloads: this.#reloads, indexModifiedMs: this.#servedModifiedMs };
  }

  /** The warning that `/readyz` shows; empty if there is none. */
  get notice(): string {
    return this.#notice.text;
  }

  /** The index being served. */
  get served(): ServedFacts | undefined {
    return this.#served;
  }

  /** Watches the files and the URL. Resolves when the URL's server has responded, or after 5 s. */
  async start(served: ServedFacts, watchSeconds: WatchIntervals, stopping?: AbortSignal): Promise<void> {
    this.#served = served;
    this.#servedModifiedMs = this.#readModifiedMs;
    if (watchSeconds.files > 0) {
      this.#watch.start(watchSeconds.files * 1000);
      this.#certificate.start(watchSeconds.files * 1000);
    }
    if (this.#remoteWatch === undefined) return;
    const limit = timers.setTimeout(FIRST_CHECK_MS, undefined, { ref: false, ...(stopping && { signal: stopping }) });
    await Promise.race([this.#remoteWatch.start(watchSeconds.remote * 1000), limit.catch(() => {})]);
  }

  stop(): void {
    this.#watch.stop();
    this.#certificate.stop();
    this.#remoteWatch?.stop();
  }

  /** Resolves after a reload that began after this call, whether it succeeded or failed. */
  async request(): Promise<void> {
    this.#certificate.endGrace();
    void this.#remoteWatch?.restart();
    await this.#requestFiles();
  }

  async #requestFiles(): Promise<void> {
    this.#nextReload.files = true;
    await this.#runReload();
  }

  async #runReload(): Promise<void> {
    try {
      await this.#queue.request();
    } catch (error) {
      // unexpected: files that cannot be used are logged
      this.#options.log.error({ err: error }, 'a reload failed: the old data stay in use');
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
    const certificate = await this.#certificate.reload();
    this.#notice.set('certificate', certificate.problem);
    const { isComplete, dataVersion, newData } = await reloadData(this.#context());
    if (newData !== undefined) this.#markServed(newData);
    const isOk = isComplete && certificate.problem === '';
    this.#reloads[isOk ? 'ok' : 'failed']++;
    if (isOk) this.#options.log.info({ data: dataVersion, certificate: certificate.fingerprint }, 'reloaded');
  }

  /** Shows in `/readyz` that threads have not confirmed the newest files; 0 threads ends this. */
  async reportLateThreads(threads: number): Promise<void> {
    const problem = `${threads} of ${this.#options.pool.servedData().length} threads may still serve the old files`;
    await this.#setNotice('threads', threads === 0 ? '' : problem);
  }

  async #reportCertificate({ fingerprint, problem }: CertificateReload): Promise<void> {
    const isOk = problem === '';
    this.#reloads[isOk ? 'ok' : 'failed']++;
    if (isOk) this.#options.log.info({ certificate: fingerprint }, 'certificate reloaded');
    await this.#setNotice('certificate', problem);
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
    let newData: ServedFacts;
    try {
      newData = await serveDownload(this.#context(), download);
    } catch (error) {
      log.error({ reason: errorMessage(error), url }, 'index not reloaded: the old one stays in use');
      this.#reloads.failed++;
      await download.refuse();
      return false;
    }
    try {
      await download.accept();
    } catch (error) {
      log.error({ reason: errorMessage(error), url }, 'the new index is in use, but its copy could not be stored');
    }
    this.#watch.markReplaced(sources.location.path);
    this.#readModifiedMs = modifiedMs(sources.location.path);
    this.#markServed(newData);
    this.#reloads.ok++;
    log.info({ data: newData.version, url }, 'reloaded');
    await this.#setNotice('reload', ''); // an overlay that did not fit the old index fits this one
    return true;
  }

  #context(): ReloadContext {
    return { ...this.#options, served: this.#served, notice: this.#notice };
  }

  #markServed(served: ServedFacts): void {
    this.#served = served;
    this.#servedModifiedMs = this.#readModifiedMs;
  }

  async #reportWatchProblem(source: 'watch' | 'tlsWatch', problem: string): Promise<void> {
    const { log } = this.#options;
    if (problem === '') log.info('all watched files can be read again');
    else log.error({ reason: problem }, `a watched file cannot be read: the old ${OLD_FILES[source]} in use`);
    await this.#setNotice(source, problem);
  }

  async #setNotice(source: ProblemSource, problem: string): Promise<void> {
    const before = this.#notice.text;
    this.#notice.set(source, problem);
    if (this.#notice.text !== before) await this.#options.pool.setNotice(this.#notice.text);
  }
}

function modifiedMs(path: string): number | undefined {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return undefined;
  }
}
