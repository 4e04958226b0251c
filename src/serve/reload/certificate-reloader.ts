/**
 * Reloads the certificate when one of its files changes, and on request. Renewal tools write the
 * files one after the other, so changed files that cannot be used yet are reported only after a
 * grace period. Nothing here may throw or reject, because timers call this class.
 */
import { errorMessage } from '../../errors/errors.ts';
import type { Logger } from '../log.ts';
import type { ServiceCertificate } from '../tls/certificate.ts';
import { FileWatch, type WatchEvents } from './file-watch.ts';
import { createReloadQueue } from './reload-queue.ts';

export interface CertificateReload {
  /** Undefined behind a proxy, and if the old certificate stays in use. */
  readonly fingerprint: string | undefined;
  /** Why the files are not in use, for `/readyz`; empty if they are. */
  readonly problem: string;
}

interface CertificateReloaderOptions {
  readonly watchedPaths: readonly string[];
  /** Rejects if the files cannot be used. Resolves with undefined behind a proxy. */
  readonly load: () => Promise<ServiceCertificate | undefined>;
  /** Rejects if a thread refuses the certificate. */
  readonly use: (certificate: ServiceCertificate) => Promise<void>;
  /** Called after a reload that a changed file caused, but not before the grace period has ended. */
  readonly onReloaded: (result: CertificateReload) => void;
  readonly onWatchProblem: WatchEvents['onProblem'];
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly graceMs?: number;
}

// tools write both files within milliseconds, people within seconds
const GRACE_MS = 10_000;

export class CertificateReloader {
  readonly #options: CertificateReloaderOptions;
  readonly #watch: FileWatch;
  readonly #requestReload: () => Promise<void>;
  /** Set from a change until the files can be used or the grace period ends. */
  #graceTimer: NodeJS.Timeout | undefined;
  #result: CertificateReload = { fingerprint: undefined, problem: '' };

  /** Create it before the files are first read, so that every later change is noticed. */
  constructor(options: CertificateReloaderOptions) {
    this.#options = options;
    this.#watch = new FileWatch(() => options.watchedPaths, {
      onChange: () => void this.#reloadChangedFiles(),
      onProblem: options.onWatchProblem,
    });
    this.#requestReload = createReloadQueue(() => this.#reload(), 0);
  }

  start(intervalMs: number): void {
    if (this.#options.watchedPaths.length > 0) this.#watch.start(intervalMs);
  }

  stop(): void {
    this.#watch.stop();
    this.endGrace();
  }

  /** Makes the next reload report its problem, even shortly after a change. */
  endGrace(): void {
    clearTimeout(this.#graceTimer);
    this.#graceTimer = undefined;
  }

  /** Resolves after a reload that began after this call. */
  async reload(): Promise<CertificateReload> {
    await this.#requestReload();
    return this.#result;
  }

  async #reloadChangedFiles(): Promise<void> {
    const { graceMs = GRACE_MS, onReloaded } = this.#options;
    this.#graceTimer ??= setTimeout(() => {
      this.endGrace();
      void this.reload().then(onReloaded);
    }, graceMs).unref();
    const result = await this.reload();
    if (this.#graceTimer === undefined) onReloaded(result);
  }

  async #reload(): Promise<void> {
    const { load, use, log } = this.#options;
    this.#watch.markRead();
    try {
      const certificate = await load();
      if (certificate !== undefined) await use(certificate);
      this.#result = { fingerprint: certificate?.fingerprint, problem: '' };
      this.endGrace();
    } catch (error) {
      const reason = errorMessage(error);
      if (this.#graceTimer !== undefined) {
        log.info({ reason }, 'the changed certificate files cannot be used yet');
        return;
      }
      log.error({ reason }, 'certificate not reloaded: the old one stays in use');
      this.#result = { fingerprint: undefined, problem: 'certificate not reloaded; the log says why' };
    }
  }
}
