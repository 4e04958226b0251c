/**
 * The service: makes the threads, loads everything into shared memory, starts them, and stays free to reload and to stop
 * them.
 * Prints nothing and handles no signal; the caller does.
 */

import type { Cidr } from '../access/address.ts';
import { createRateBuffer } from '../access/limits/rate-limiter.ts';
import { errorMessage } from '../errors/error-message.ts';
import { UsageError } from '../errors/usage-error.ts';
import { embeddedIpDatabasePaths } from '../locate/embedded.ts';
import { type CheckedIpDatabase, checkIpDatabase, IpDatabaseError } from '../locate/ip-database.ts';
import { type ListenAddress, prepareAddress, urlOf } from './listen/listen-address.ts';
import type { Logger } from './log.ts';
import type { MetricsServer } from './metrics/metrics-server.ts';
import { FileUpdates } from './reload/file-updates.ts';
import { type ReloadSources, tlsPairOf } from './reload/reload.ts';
import { admitIndex } from './reload/shrunken-data.ts';
import { ensureFirstKey, type FirstKey } from './state/first-key.ts';
import { ServiceKeys } from './state/service-keys.ts';
import type { StateFolder } from './state/state-folder.ts';
import type { WorkerStart } from './threads/worker-messages.ts';
import { WorkerPool } from './threads/worker-pool.ts';
import { type Certificate, ensureCertificate, loadCertificate } from './tls/certificate.ts';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly threads: number;
  readonly state: StateFolder;
  /** The file the index came from: a reload reads it again. */
  readonly indexPath: string;
  /** A file of corrections and additions, and how it becomes an index over the other. */
  readonly overlay?:
    | { readonly path: string; readonly build: (index: SharedArrayBuffer) => Promise<SharedArrayBuffer> }
    | undefined;
  /** Whether an index may be empty, or have less than half the places of the one before. */
  readonly allowShrunkenData: boolean;
  /** How often the files are looked at for changes; 0 for never. */
  readonly watchSeconds: number;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly behindProxy: boolean;
  /** Permissions of the Unix socket, where there is one. */
  readonly socketMode: number;
  readonly trustedProxies: readonly Cidr[];
  readonly serviceName: string;
  /** Undefined means the embedded files; `none` turns locating off. */
  readonly ipDatabase: readonly string[] | undefined;
  readonly metricsPort: number | undefined;
  /** How long a stopping service goes on accepting while it says that it is not ready. */
  readonly drainGraceSeconds: number;
  readonly drainSeconds: number;
  readonly logLevel: string;
  readonly version: string;
  /** Aborted when the service must not start after all: `startService` then rejects with an AbortError. */
  readonly stopping?: AbortSignal;
}

export interface Service {
  readonly url: string;
  readonly address: ListenAddress;
  readonly threads: number;
  readonly certificate: Certificate | undefined;
  readonly firstKey: FirstKey;
  readonly metricsUrl: string | undefined;
  /** Reloads index, overlay and certificate. Never rejects: a file that cannot be used is logged, and the old one stays. */
  reload(): Promise<void>;
  /** Finishes running requests, for a bounded time, then ends every thread. */
  drain(): Promise<void>;
  /** Ends every thread at once. */
  stop(): Promise<void>;
}

/** Platforms whose kernel spreads connections over several listeners on one port. */
const PORT_SHARING_PLATFORMS: readonly string[] = ['linux', 'freebsd', 'dragonfly', 'sunos', 'aix'];

/** 14 days: renewal by ACME clients is well over by then. */
const WARN_OF_EXPIRY_MS = 14 * 86_400_000;

/** Of answers kept, in all threads together: some 40 thousand. */
const KEPT_BYTES = 128 * 1024 * 1024;

/**
 * Reads and verifies the index; calls `beforeRead` right before it opens the file, so that no later change is missed. It
 * is not among the options, which live on: the memory of a replaced index must be let go.
 */
export type LoadIndex = (beforeRead: () => void) => Promise<SharedArrayBuffer>;

export async function startService(options: ServeOptions, loadIndex: LoadIndex, log: Logger): Promise<Service> {
  const sources = sourcesOf(options, log);
  const { kind } = await prepareAddress(options);
  const threads = usableThreads(options.threads, kind, log);
  warnOfUnnamedProxy(options, log);
  const keys = new ServiceKeys(options.state.keysPath, log);
  const pool = new WorkerPool(log);
  pool.onKeysUsed = (uses) => keys.addUses(uses);
  const updates = new FileUpdates({ pool, sources, log, ...pathsOf(options) });
  pool.load(threads);
  let metrics: MetricsServer | undefined;
  try {
    const read = await readStart(options, { sources, loadIndex, keys, updates, log });
    const { start, places, certificate, firstKey, ipDatabases } = read;
    metrics = await metricsServerFor(options.metricsPort, pool, updates, log);
    // again: where the index had to be built, somebody else may have come to listen there
    const address = await prepareAddress(options);
    options.stopping?.throwIfAborted();
    const shared = { isPortShared: threads > 1, keptBytes: Math.floor(KEPT_BYTES / threads) };
    await pool.start({ start: { ...start, ...shared }, address });
    void finishReading(ipDatabases, log);
    updates.start(places, options.watchSeconds);
    return serviceOver(pool, { options, updates, log, threads, certificate, firstKey, metrics, keys });
  } catch (error) {
    metrics?.close();
    await pool.terminate();
    keys.close();
    throw error;
  }
}

interface StartReading {
  readonly sources: ReloadSources;
  readonly loadIndex: LoadIndex;
  readonly keys: ServiceKeys;
  readonly updates: FileUpdates;
  readonly log: Logger;
}

/** Everything that must be right before a thread may listen; the threads load their code meanwhile. */
async function readStart(options: ServeOptions, { sources, loadIndex, keys, updates, log }: StartReading) {
  const certificate = await sources.certificate();
  options.stopping?.throwIfAborted();
  const index = await loadIndex(() => updates.markRead());
  options.stopping?.throwIfAborted();
  const { indexPath, allowShrunkenData } = options;
  const places = admitIndex(index, { indexPath, allowShrunkenData, servedPlaces: undefined });
  const overlay = await sources.overlay(index);
  options.stopping?.throwIfAborted();
  const ipDatabases = checkIpDatabases(options.ipDatabase, log);
  const { keysPath, firstKeyPath } = options.state;
  const firstKey = ensureFirstKey(keys.store, firstKeyPath, Date.now());
  const { serviceName, trustedProxies, logLevel, version } = options;
  const start: Omit<WorkerStart, 'isPortShared' | 'keptBytes'> = {
    data: { index, overlay },
    problem: '',
    tls: tlsPairOf(certificate),
    ipDatabases: ipDatabases.map(({ database }) => database),
    rateBuffer: createRateBuffer(),
    keysPath,
    serviceName,
    trustedProxies,
    logLevel,
    version,
  };
  return { start, places, certificate, firstKey, ipDatabases };
}

interface RunningParts extends Pick<Service, 'threads' | 'certificate' | 'firstKey'> {
  readonly options: ServeOptions;
  readonly updates: FileUpdates;
  readonly log: Logger;
  readonly metrics: MetricsServer | undefined;
  readonly keys: ServiceKeys;
}

function serviceOver(pool: WorkerPool, { options, updates, log, metrics, keys, ...known }: RunningParts): Service {
  return {
    ...known,
    url: urlOf(pool.address, known.certificate !== undefined),
    address: pool.address,
    metricsUrl: metrics?.url,
    reload: () => updates.request(),
    drain: async () => {
      updates.stop();
      const isWhole = await pool.drain({
        graceMs: options.drainGraceSeconds * 1000,
        limitMs: options.drainSeconds * 1000,
      });
      if (!isWhole) log.warn({ seconds: options.drainSeconds }, 'requests still running were cut off');
      metrics?.close();
      keys.close();
    },
    stop: async () => {
      updates.stop();
      metrics?.close();
      await pool.terminate();
      keys.close();
    },
  };
}

async function metricsServerFor(
  port: number | undefined,
  pool: WorkerPool,
  updates: FileUpdates,
  log: Logger,
): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined;
  // loaded only where it is wanted: it brings prom-client with it
  const [{ startMetricsServer }, { processMetrics }] = await Promise.all([
    import('./metrics/metrics-server.ts'),
    import('./metrics/process-metrics.ts'),
  ]);
  const collect = async () => [...(await pool.metrics()), processMetrics(updates.state)];
  return await startMetricsServer(port, collect, log);
}

function warnOfUnnamedProxy({ behindProxy, trustedProxies }: ServeOptions, log: Logger): void {
  if (!behindProxy || trustedProxies.length > 0) return;
  log.warn('every caller has the address of the proxy until --trusted-proxies names it (127.0.0.1 for a Unix socket)');
}

/** Where what may change while the service runs is read from. */
function sourcesOf(options: ServeOptions, log: Logger): ReloadSources {
  return {
    indexPath: options.indexPath,
    allowShrunkenData: options.allowShrunkenData,
    overlayPath: options.overlay?.path,
    overlay: async (index) => await options.overlay?.build(index),
    certificate: () => certificateFor(options, log),
  };
}

function pathsOf({ indexPath, overlay, tlsCert, tlsKey, state }: ServeOptions) {
  const watchedPaths = [indexPath, ...(overlay ? [overlay.path] : [])];
  const privatePaths = [...watchedPaths, tlsCert, tlsKey, state.path].filter((path) => path !== undefined);
  return { watchedPaths, privatePaths };
}

async function certificateFor(options: ServeOptions, log: Logger): Promise<Certificate | undefined> {
  const { tlsCert: certPath, tlsKey: keyPath, behindProxy, state } = options;
  if (certPath === undefined && keyPath === undefined) {
    if (behindProxy) return undefined;
    return await ensureCertificate(state.path, new Date(), (reason) =>
      log.warn({ reason }, 'the certificate of the service is made again'),
    );
  }
  if (behindProxy)
    throw new UsageError('--behind-proxy serves plain HTTP: it does not go with --tls-cert and --tls-key.');
  if (certPath === undefined || keyPath === undefined) {
    throw new UsageError('--tls-cert and --tls-key belong together: give both or neither.');
  }
  const certificate = await loadCertificate({ certPath, keyPath });
  warnOfExpiry(certificate, log);
  return certificate;
}

function warnOfExpiry({ certPath, validTo }: Certificate, log: Logger): void {
  const leftMs = validTo.getTime() - Date.now();
  if (leftMs > WARN_OF_EXPIRY_MS) return;
  log.warn({ certPath, validTo }, `the certificate ${leftMs < 0 ? 'has expired' : 'expires soon'}`);
}

function checkIpDatabases(paths: readonly string[] | undefined, log: Logger): CheckedIpDatabase[] {
  if (paths?.length === 1 && paths[0] === 'none') return [];
  const wanted = paths ?? embeddedIpDatabasePaths();
  if (wanted.length === 0) {
    log.warn('No IP database: aroundLatLngViaIP cannot locate addresses. Name a file with --ip-database.');
  }
  try {
    return wanted.map(checkIpDatabase);
  } catch (error) {
    if (!(error instanceof IpDatabaseError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

/** One after the other, and none of them worth a service that stops: without it, addresses are not located. */
async function finishReading(ipDatabases: readonly CheckedIpDatabase[], log: Logger): Promise<void> {
  for (const { finish } of ipDatabases)
    await finish().catch((error: unknown) => log.error({ err: error }, errorMessage(error)));
}

function usableThreads(threads: number, kind: ListenAddress['kind'], log: Logger): number {
  if (threads === 1) return 1;
  if (kind === 'unix') {
    log.info('a Unix socket is served by one thread');
    return 1;
  }
  if (PORT_SHARING_PLATFORMS.includes(process.platform)) return threads;
  log.warn(`threads cannot share a port on ${process.platform}: one thread answers`);
  return 1;
}
