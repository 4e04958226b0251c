/**
 * Reloads the index, the certificate and the IP databases of a running service when their files change, and on
 * request. Nothing here may throw or reject, because timers and signal handlers call this class.
 */
import { FileReloader } from 'toponym-files/file-reloader';
import { closeIpDatabases, type IpDatabase } from '../../locate/ip-database.ts';
import type { Logger } from '../log.ts';
import type { WorkerPool } from '../threads/worker-pool.ts';
import type { ServiceCertificate } from '../tls/certificate.ts';
import type { ServedFacts } from './new-data.ts';
import { ServedIndex, type ServedIndexOptions } from './served-index.ts';

export interface ReloadSources extends Pick<ServedIndexOptions, 'indexPath' | 'allowShrunkenData'> {
  /** Files for TLS that the settings name. */
  readonly tlsPaths: readonly string[];
  /** Resolves with undefined behind a proxy. */
  readonly loadCertificate: () => Promise<ServiceCertificate | undefined>;
  readonly ipDatabasePaths: readonly string[];
  readonly loadIpDatabases: () => Promise<readonly IpDatabase[]>;
}

/** Tools write the files of a certificate or of IP databases within milliseconds, people within seconds. */
const GRACE_MS = 10_000;

export class Reloader {
  readonly #pool: WorkerPool;
  readonly index: ServedIndex;
  readonly #files: readonly FileReloader[];
  /** Why there is no newer index, and how many threads are late. */
  #problems = { index: '', threads: '' };
  #sharedNotice = '';
  #sharing: Promise<void> = Promise.resolve();
  readonly reloads = { ok: 0, failed: 0 };

  constructor(pool: WorkerPool, sources: ReloadSources, log: Logger) {
    this.#pool = pool;
    const { tlsPaths, loadCertificate, ipDatabasePaths, loadIpDatabases } = sources;
    const events = { log, onChange: (reload?: { isOk: boolean }) => this.#update(reload) };
    this.index = new ServedIndex({ ...events, ...sources, pool });
    const certificate = new FileReloader({
      ...events,
      what: 'certificate',
      watchedPaths: () => tlsPaths,
      load: async () => {
        const tls = await loadCertificate();
        if (tls !== undefined) await pool.replaceValues({ tls });
        return tls && { certificate: tls.fingerprint };
      },
      graceMs: GRACE_MS,
    });
    const ipDatabases = new FileReloader({
      ...events,
      what: 'IP database',
      watchedPaths: () => ipDatabasePaths,
      load: async () => {
        const ipDatabases = await loadIpDatabases();
        const { ipDatabases: old } = await pool.replaceValues({ ipDatabases });
        closeIpDatabases(old);
        return { files: ipDatabases.map(({ path }) => path) };
      },
      graceMs: GRACE_MS,
    });
    this.#files = [this.index.reloader, certificate, ipDatabases];
  }

  /** Why the newest files are not being served. It is public: no folders, no content of files. */
  get notice(): string {
    const ofFiles = this.#files.map(({ problem }) => problem);
    return [...ofFiles, ...Object.values(this.#problems)].filter(Boolean).join('; ');
  }

  /** Watches the files at this interval; 0 for never. */
  start(served: ServedFacts, watchSeconds: number): void {
    this.index.markServed(served);
    for (const files of this.#files) files.start(watchSeconds);
  }

  stop(): void {
    for (const files of this.#files) files.stop();
  }

  /** Resolves after a reload of these files that began after this call, whether it succeeded or failed. */
  async request(files: readonly FileReloader[] = this.#files): Promise<void> {
    const results = await Promise.all(files.map((each) => each.reload()));
    this.#update({ isOk: results.every(Boolean) });
    await this.#sharing;
  }

  /** Shows why there is no newer index; '' ends this. */
  reportIndexProblem(index: string): void {
    const isFailure = index !== '' && index !== this.#problems.index;
    this.#problems = { ...this.#problems, index };
    this.#update(isFailure ? { isOk: false } : undefined);
  }

  /** Shows that threads have not confirmed the newest files; 0 threads ends this. */
  reportLateThreads(late: number): void {
    const all = this.#pool.servedData().length;
    const threads = late === 0 ? '' : `${late} of ${all} threads may still serve the old files`;
    this.#problems = { ...this.#problems, threads };
    this.#update();
  }

  #update(reload?: { readonly isOk: boolean }): void {
    if (reload !== undefined) this.reloads[reload.isOk ? 'ok' : 'failed']++;
    const { notice } = this;
    if (notice === this.#sharedNotice) return;
    this.#sharedNotice = notice;
    this.#sharing = this.#pool.share({ notice });
  }
}
