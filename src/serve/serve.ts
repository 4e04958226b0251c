/**
 * The service: loads everything into shared memory, starts the threads, and stays free to reload and to stop them.
 * Prints nothing and handles no signal; the caller does.
 */

import type { Cidr } from '../access/address.ts';
import { createRateBuffer } from '../access/rate-limiter.ts';
import { openSqliteKeys } from '../access/sqlite-keys.ts';
import { embeddedIpDatabasePaths } from '../locate/embedded.ts';
import { type IpDatabase, IpDatabaseError, readIpDatabase } from '../locate/ip-database.ts';
import { type Certificate, ensureCertificate, loadCertificate } from './certificate.ts';
import { ensureFirstKey, type FirstKey } from './first-key.ts';
import { freeMemorySoon } from './free-memory.ts';
import { type ListenAddress, prepareAddress, urlOf } from './listen-address.ts';
import type { Logger } from './log.ts';
import { startMetricsServer } from './metrics-server.ts';
import { type ReloadSources, reload, tlsPairOf } from './reload.ts';
import type { StateFolder } from './state-folder.ts';
import { UsageError } from './usage-error.ts';
import { type FileWatch, watchFiles } from './watch-files.ts';
import { WorkerPool } from './worker-pool.ts';

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
  /** How often the files are looked at for changes; 0 for never. */
  readonly watchSeconds: number;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly behindProxy: boolean;
  readonly trustedProxies: readonly Cidr[];
  readonly serviceName: string;
  /** Undefined means the embedded files; `none` turns locating off. */
  readonly ipDatabase: readonly string[] | undefined;
  readonly metricsPort: number | undefined;
  readonly drainSeconds: number;
  readonly logLevel: string;
  readonly version: string;
}

export interface Service {
  readonly url: string;
  readonly address: ListenAddress;
  readonly threads: number;
  readonly certificate: Certificate | undefined;
  readonly firstKey: FirstKey;
  readonly metricsUrl: string | undefined;
  /** Index and certificate anew from their files. A file that cannot be used is logged, and the old one stays. */
  reload(): Promise<void>;
  /** Finishes running requests, for a bounded time, then ends every thread. */
  drain(): Promise<void>;
  /** Ends every thread at once. */
  stop(): Promise<void>;
}

/** Platforms whose kernel spreads connections over several listeners on one port. */
const PORT_SHARING_PLATFORMS: readonly string[] = ['linux', 'freebsd', 'dragonfly', 'sunos', 'aix'];

/** `index`: verified bytes. Not among the options, which live on: the memory of a replaced index must be let go. */
export async function startService(options: ServeOptions, index: SharedArrayBuffer, log: Logger): Promise<Service> {
  const sources = sourcesOf(options);
  const certificate = await sources.certificate();
  const overlay = await sources.overlay(index);
  const ipDatabases = readIpDatabases(options.ipDatabase, log);
  const keys = openSqliteKeys(options.state.keysPath);
  const firstKey = ensureFirstKey(keys, options.state.firstKeyPath, Date.now());
  keys.close();
  const address = await prepareAddress(options);
  if (options.behindProxy && options.trustedProxies.length === 0) {
    log.warn(
      'every caller has the address of the proxy until --trusted-proxies names it (127.0.0.1 for a Unix socket)',
    );
  }
  const threads = usableThreads(options.threads, address, log);
  const { keysPath } = options.state;
  const { serviceName, trustedProxies, logLevel, version } = options;
  const pool = new WorkerPool(
    {
      data: { index, overlay },
      problem: '',
      tls: tlsPairOf(certificate),
      address,
      isPortShared: threads > 1,
      ipDatabases,
      rateBuffer: createRateBuffer(),
      keysPath,
      serviceName,
      trustedProxies,
      logLevel,
      version,
    },
    log,
  );
  const metrics =
    options.metricsPort === undefined
      ? undefined
      : await startMetricsServer(options.metricsPort, () => pool.metrics(), log);
  try {
    await pool.start(threads);
  } catch (error) {
    metrics?.close();
    throw error;
  }
  const takeUp = async () => {
    await reload(pool, sources, log);
    freeMemorySoon();
  };
  const watch = watchData(options, takeUp);
  return {
    url: urlOf(pool.address, certificate !== undefined),
    address: pool.address,
    threads,
    certificate,
    firstKey,
    metricsUrl: metrics?.url,
    reload: takeUp,
    drain: async () => {
      watch?.stop();
      const isWhole = await pool.drain(options.drainSeconds * 1000);
      if (!isWhole) log.warn({ seconds: options.drainSeconds }, 'requests still running were cut off');
      metrics?.close();
    },
    stop: async () => {
      watch?.stop();
      metrics?.close();
      await pool.terminate();
    },
  };
}

/** Where what may change while the service runs is read from. */
function sourcesOf(options: ServeOptions): ReloadSources {
  return {
    indexPath: options.indexPath,
    overlay: async (index) => await options.overlay?.build(index),
    certificate: () => certificateFor(options),
  };
}

/** Takes up the index and the overlay when their files change. One at a time: a reload under way is let finish. */
function watchData(options: ServeOptions, take: () => Promise<void>): FileWatch | undefined {
  if (options.watchSeconds === 0) return undefined;
  const paths = [options.indexPath, ...(options.overlay ? [options.overlay.path] : [])];
  let isBusy = false;
  return watchFiles(paths, options.watchSeconds * 1000, () => {
    if (isBusy) return;
    isBusy = true;
    void take().finally(() => {
      isBusy = false;
    });
  });
}

async function certificateFor(options: ServeOptions): Promise<Certificate | undefined> {
  const { tlsCert: certPath, tlsKey: keyPath, behindProxy, state } = options;
  if (certPath === undefined && keyPath === undefined) {
    return behindProxy ? undefined : await ensureCertificate(state.path, new Date());
  }
  if (behindProxy)
    throw new UsageError('--behind-proxy serves plain HTTP: it does not go with --tls-cert and --tls-key.');
  if (certPath === undefined || keyPath === undefined) {
    throw new UsageError('--tls-cert and --tls-key belong together: give both or neither.');
  }
  return loadCertificate({ certPath, keyPath });
}

function readIpDatabases(paths: readonly string[] | undefined, log: Logger): IpDatabase[] {
  if (paths?.length === 1 && paths[0] === 'none') return [];
  const wanted = paths ?? embeddedIpDatabasePaths();
  if (wanted.length === 0) {
    log.warn('No IP database: aroundLatLngViaIP cannot locate addresses. Name a file with --ip-database.');
  }
  try {
    return wanted.map(readIpDatabase);
  } catch (error) {
    if (!(error instanceof IpDatabaseError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

function usableThreads(threads: number, address: ListenAddress, log: Logger): number {
  if (threads === 1) return 1;
  if (address.kind === 'unix') {
    log.info('a Unix socket is served by one thread');
    return 1;
  }
  if (PORT_SHARING_PLATFORMS.includes(process.platform)) return threads;
  log.warn(`threads cannot share a port on ${process.platform}: one thread answers`);
  return 1;
}
