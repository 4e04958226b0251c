/**
 * Reloads a running service when one of its files changes, and on request. Nothing here may throw or
 * reject, because timers and signal handlers call this class.
 */
import { statSync } from 'node:fs';
import { errorMessage } from '../../errors/error-message.ts';
import type { ProcessState } from '../metrics/process-metrics.ts';
import { collectGarbageSoon, PAUSE_AFTER_RELOAD_MS } from '../threads/garbage-collection.ts';
import { type CertificateReload, CertificateReloader } from './certificate-reloader.ts';
import { FileWatch } from './file-watch.ts';
import { Notice } from './notice.ts';
import { type ReloadContext, reloadData } from './reload.ts';
import { createReloadQueue, type ReloadQueue } from './reload-queue.ts';

type ReloaderOptions = Pick<ReloadContext, 'pool' | 'sources' | 'log'>;

const OLD_FILES = { watch: 'data stay', tlsWatch: 'certificate stays' };

export class Reloader {
  readonly #options: ReloaderOptions;
  readonly #notice: Notice;
  readonly #watch: FileWatch;
  readonly #queue: ReloadQueue;
  /** Apart from the data, because a certificate is replaced in milliseconds. */
  readonly #certificate: CertificateReloader;
  #servedPlaceCount: number | undefined;
  readonly #reloads = { ok: 0, failed: 0 };
  /** Modification time of the index file last read, even if that index was refused. */
  #readModifiedMs: number | undefined;
  #servedModifiedMs: number | undefined;

  constructor(options: ReloaderOptions) {
    this.#options = options;
    const { indexPath, overlayPath, privatePaths, tlsPaths, loadCertificate } = options.sources;
    this.#notice = new Notice(privatePaths);
    this.#watch = new FileWatch(overlayPath === undefined ? [indexPath] : [indexPath, overlayPath], {
      onChange: () => void this.#requestReload(),
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
    this.#queue = createReloadQueue(() => this.#reload(), PAUSE_AFTER_RELOAD_MS);
  }

  /** Call right before the files are read, so that every later change causes a reload. */
  markRead(): void {
    this.#watch.markRead();
    this.#readModifiedMs = modifiedMs(this.#options.sources.indexPath);
  }

  get state(): ProcessState {
    return { reloads: this.#reloads, indexModifiedMs: this.#servedModifiedMs };
  }

  /** The warning that `/readyz` shows; empty if there is none. */
  get notice(): string {
    return this.#notice.text;
  }

  /** Watches the files, unless `watchSeconds` is 0. */
  start(servedPlaceCount: number, watchSeconds: number): void {
    this.#servedPlaceCount = servedPlaceCount;
    this.#servedModifiedMs = this.#readModifiedMs;
    if (watchSeconds === 0) return;
    this.#watch.start(watchSeconds * 1000);
    this.#certificate.start(watchSeconds * 1000);
  }

  stop(): void {
    this.#watch.stop();
    this.#certificate.stop();
  }

  /** Resolves after a reload that began after this call, whether it succeeded or failed. */
  async request(): Promise<void> {
    this.#certificate.endGrace();
    await this.#requestReload();
  }

  async #requestReload(): Promise<void> {
    try {
      await this.#queue.request();
    } catch (error) {
      // unexpected: `reloadData` logs files that cannot be used
      this.#options.log.error({ err: error }, 'a reload failed: the old data stay in use');
    }
  }

  async #reload(): Promise<void> {
    this.markRead();
    const certificate = await this.#certificate.reload();
    this.#notice.set('certificate', certificate.problem);
    const context = { ...this.#options, servedPlaceCount: this.#servedPlaceCount, notice: this.#notice };
    const { isComplete, dataVersion, newPlaceCount } = await reloadData(context);
    if (newPlaceCount !== undefined) {
      this.#servedPlaceCount = newPlaceCount;
      this.#servedModifiedMs = this.#readModifiedMs;
    }
    const isOk = isComplete && certificate.problem === '';
    this.#reloads[isOk ? 'ok' : 'failed']++;
    if (isOk) this.#options.log.info({ data: dataVersion, certificate: certificate.fingerprint }, 'reloaded');
    collectGarbageSoon();
  }

  async #reportCertificate({ fingerprint, problem }: CertificateReload): Promise<void> {
    const isOk = problem === '';
    this.#reloads[isOk ? 'ok' : 'failed']++;
    if (isOk) this.#options.log.info({ certificate: fingerprint }, 'certificate reloaded');
    this.#notice.set('certificate', problem);
    await this.#publishNotice();
  }

  async #reportWatchProblem(source: 'watch' | 'tlsWatch', problem: string): Promise<void> {
    const { log } = this.#options;
    if (problem === '') log.info('all watched files can be read again');
    else log.error({ reason: problem }, `a watched file cannot be read: the old ${OLD_FILES[source]} in use`);
    this.#notice.set(source, problem);
    await this.#publishNotice();
  }

  async #publishNotice(): Promise<void> {
    const { log, pool } = this.#options;
    try {
      await pool.replaceValues({ notice: this.#notice.text });
    } catch (error) {
      log.error({ reason: errorMessage(error) }, 'the worker threads did not receive the notice');
    }
  }
}

function modifiedMs(path: string): number | undefined {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return undefined;
  }
}
