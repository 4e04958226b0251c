/** Starts the service and its worker threads. The caller prints and handles signals. */
import type { FirstKey } from 'toponym-access/keys/first-key';
import { type KeySettings, openServiceKeys } from 'toponym-access/keys/service-keys';
import { createQuotaBuffer, QuotaTable } from 'toponym-access/limits/quota-table';
import { createRateBuffer } from 'toponym-access/limits/rate-limiter';
import type { BorderTables } from 'toponym-engine/place/world-borders';
import { UsageError } from 'toponym-files/errors/errors';
import { releaseHeapSoon } from 'toponym-files/release-heap';
import { runInThread, SEARCH_LIMITS, threadFile } from 'toponym-files/thread';
import {
  type CompatSettings,
  checkCompatSettings,
  PRIVATE_BLOCKS,
  warnOfCompatSettings,
} from '../compat/compat-settings.ts';
import { listIpDatabasePaths, openServedIpDatabases } from '../locate/ip-database.ts';
import {
  type AddressSettings,
  checkPortIsFree,
  checkProxySettings,
  isSamePort,
  type ListenAddress,
  type ProxySettings,
  prepareAddress,
  resolveHost,
  type TcpAddress,
  urlOf,
  warnOfProxySettings,
} from './listen/listen-address.ts';
import { connectionLimits } from './listen/open-connections.ts';
import type { Logger } from './log.ts';
import { byLabel, metricsOf } from './metrics/metric.ts';
import {
  checkMetricsSettings,
  Health,
  MAX_METRICS_CONNECTIONS,
  type MetricsServer,
  type MetricsSettings,
  startMetricsServer,
} from './metrics/metrics-server.ts';
import { maxDescriptors, processMetrics } from './metrics/process-metrics.ts';
import { isPageServed, type PageSettings } from './page-files.ts';
import { RedisReport } from './redis-report.ts';
import { checkPlaceCount, type ServedFacts } from './reload/new-data.ts';
import { Reloader, type ReloadSources } from './reload/reloader.ts';
import type { StateFolder } from './state-folder.ts';
import type { shareBorderTables } from './threads/borders-thread.ts';
import { runWhenIdle } from './threads/event-loop-monitor.ts';
import { type PoolConfig, WorkerPool } from './threads/worker-pool.ts';
import { type Certificate, type CertificateSettings, loadServiceCertificate } from './tls/certificate.ts';

export interface ServeOptions
  extends AddressSettings,
    CertificateSettings,
    KeySettings,
    ProxySettings,
    PageSettings,
    CompatSettings,
    MetricsSettings {
  readonly state: StateFolder;
  readonly threads: number;
  /** Path of the newest index. `served` is the path of the one being served. */
  readonly indexPath: (served?: string) => string;
  /** Allows an index that is empty or has less than half as many places as the one being served. */
  readonly allowShrunkenData: boolean;
  /** Interval of the checks for changed files; 0 for never, 1 by default. */
  readonly watchSeconds: number | undefined;
  /** Maximum calls of an address in 60 seconds, if its key has no limit of its own. */
  readonly callsPerMinute: number;
  readonly serviceName: string;
  /** Max-age of Strict-Transport-Security, which is sent with a certificate of an authority. */
  readonly hstsSeconds: number;

  /** Undefined selects the embedded files; `['none']` disables locating. */
  readonly ipDatabase: readonly string[] | undefined;
  /** How long a stopping service reports not ready but still accepts connections. */
  readonly drainGraceSeconds: number;
  /** Time that requests have to finish after `drainGraceSeconds`. */
  readonly drainSeconds: number;
  readonly logLevel: string;
  readonly version: string;
  /** Aborts the start: `startService` then rejects with an AbortError. */
  readonly stopping?: AbortSignal;
}

export interface StartedService {
  readonly url: string;
  readonly address: ListenAddress;
  readonly certificate: Certificate | undefined;
  readonly firstKey: FirstKey;
  /** The index that was being served when the service became ready. */
  readonly data: ServedFacts | undefined;
  readonly metricsUrl: string | undefined;
  /** Where the adapters are answered over plain HTTP. */
  readonly compatUrl: string | undefined;
  /** Never rejects: unusable files are logged. */
  reload(): Promise<void>;
  /** Reads the newest index only. Never rejects. */
  reloadIndex(): Promise<void>;
  /** Shows in `/readyz` why there is no newer index; '' ends this. */
  reportIndexProblem(problem: string): void;
  /** Lets requests finish, then stops every thread. */
  drain(): Promise<void>;
  /** Aborts running requests. */
  stop(): Promise<void>;
}

const BORDERS_THREAD = threadFile('./threads/borders-thread', import.meta.url);
const WATCH_SECONDS = 1;

const PORT_SHARING_PLATFORMS: readonly string[] = ['linux', 'freebsd', 'dragonfly', 'sunos', 'aix'];

/** Size of all response caches together: about 40,000 responses. */
const CACHE_BYTES = 128 * 1024 * 1024;

/**
 * Reads and verifies the index, which may have to be made first. Calls `beforeRead` right before opening the
 * file. Not one of the ServeOptions, because the service would then keep the first index in memory.
 */
export type LoadIndex = (beforeRead: () => void) => Promise<SharedArrayBuffer>;

export async function startService(options: ServeOptions, loadIndex: LoadIndex, log: Logger): Promise<StartedService> {
  const context = await createContext(options, log);
  const { keys, pool, reloader, health } = context;
  let metricsServer: MetricsServer | undefined;
  try {
    metricsServer = await startMetrics(context);
    const { workerConfig, facts, ...started } = await prepareWorkers(context, loadIndex);
    // another program may have taken the address while the index was built
    const address = await prepareAddress(options);
    options.stopping?.throwIfAborted();
    await pool.start({ workerConfig, keys: () => keys.forWorker(), address });
    health.phase = 'serving';
    runWhenIdle(() => void shareBorders(pool, log));
    reloader.start(facts, options.watchSeconds ?? WATCH_SECONDS);
    return createService(context, metricsServer, started);
  } catch (error) {
    metricsServer?.close();
    await pool.terminate();
    await keys.close();
    throw error;
  }
}

/** Checks the settings and creates the parts of the service. Nothing listens yet. */
async function createContext(options: ServeOptions, log: Logger) {
  const sources = reloadSources(options, log);
  checkProxySettings(options);
  checkCompatSettings(options);
  const checkedAddress = await prepareAddress(options);
  checkMetricsSettings(checkedAddress, options, log);
  await prepareCompatAddress(options, checkedAddress);
  warnOfProxySettings(checkedAddress, options, log);
  warnOfCompatSettings(options, log);
  const threads = usableThreads(options.threads, checkedAddress.kind, log);
  const pool = new WorkerPool(log);
  pool.createThreads(threads);
  const quotaBuffer = createQuotaBuffer();
  const keys = await openServiceKeys(options, new QuotaTable(quotaBuffer), log).catch(async (error: unknown) => {
    await pool.terminate();
    throw error;
  });
  pool.onKeysUsed = (uses) => keys.addUses(uses);
  const redis = new RedisReport(log);
  pool.onRedisProblem = (problem) => redis.update(problem);
  const reloader = new Reloader(pool, sources, log);
  pool.onLateThreads = (threads) => reloader.reportLateThreads(threads);
  const notice = () => [reloader.notice, redis.notice].filter(Boolean).join('; ');
  const health = new Health({ isAnswering: () => pool.isAnswering(), servedData: () => pool.servedData(), notice });
  return { options, checkedAddress, threads, sources, keys, quotaBuffer, pool, reloader, health, log };
}

type ServiceContext = Awaited<ReturnType<typeof createContext>>;

async function prepareWorkers(context: ServiceContext, loadIndex: LoadIndex) {
  const { options, threads, sources, keys, quotaBuffer, reloader } = context;
  const { indexPath, allowShrunkenData, stopping } = options;
  const certificate = await sources.loadCertificate();
  stopping?.throwIfAborted();
  const data = await loadIndex(() => reloader.index.markRead());
  stopping?.throwIfAborted();
  const facts = checkPlaceCount(data, { name: indexPath(), allowShrunkenData, served: undefined });
  const ipDatabases = await sources.loadIpDatabases();
  const firstKey = await keys.ensureFirstKey(Date.now());
  const compatAddress = await prepareCompatAddress(options, context.checkedAddress);
  const { serviceName, trustedProxies, proxyProtocol, hstsSeconds, metricsPort, logLevel, version } = options;
  const workerConfig: PoolConfig['workerConfig'] = {
    data,
    notice: '',
    tls: certificate,
    borders: undefined,
    isPortShared: threads > 1,
    cacheBytes: Math.floor(CACHE_BYTES / threads),
    ipDatabases,
    rateBuffer: createRateBuffer({ defaultPerMinute: options.callsPerMinute }),
    quotaBuffer,
    serviceName,
    trustedProxies,
    connectionLimits: connectionLimits(compatAddress === undefined ? threads : 2 * threads, maxDescriptors(), {
      metricsConnections: metricsPort === undefined ? 0 : MAX_METRICS_CONNECTIONS,
    }),
    proxyProtocol,
    compat: {
      adapters: options.compat,
      address: compatAddress,
      allowedCallers: options.compatFrom ?? PRIVATE_BLOCKS,
      isOpen: options.compatOpen,
      allowedHosts: [...options.compatHosts, ...(options.compatListen ? [options.compatListen.host] : [])],
    },
    hstsSeconds,
    logLevel,
    version,
    pageKey: isPageServed(context.checkedAddress, options) ? keys.pageKey() : undefined,
  };
  return { workerConfig, facts, certificate, firstKey, compatAddress };
}

export const COMPAT_FLAGS = { host: '--compat-listen', port: '--compat-listen' };

/** Checks that no other listener of the service has that port. Throws UsageError. */
export async function resolveCompatAddress(
  { compatListen, metricsHost, metricsPort = 0 }: CompatSettings & MetricsSettings,
  service: ListenAddress,
): Promise<TcpAddress | undefined> {
  if (compatListen === undefined) return undefined;
  const { port } = compatListen;
  const address: TcpAddress = { kind: 'tcp', host: await resolveHost(compatListen.host, COMPAT_FLAGS.host), port };
  const metrics: TcpAddress = { kind: 'tcp', host: metricsHost, port: metricsPort };
  for (const [flag, other] of Object.entries({ '--port': service, '--metrics-port': metrics })) {
    if (isSamePort(address, other))
      throw new UsageError(`--compat-listen has the same port as ${flag}, ${port}: choose another for one of them.`);
  }
  return address;
}

/** All threads share the port, so a free one is chosen here if it is 0. Throws UsageError. */
async function prepareCompatAddress(options: ServeOptions, service: ListenAddress): Promise<TcpAddress | undefined> {
  const address = await resolveCompatAddress(options, service);
  return address && { ...address, port: await checkPortIsFree(address.host, address.port, COMPAT_FLAGS) };
}

/** Of all services of this process. */
let borders: Promise<BorderTables> | undefined;

/** Never rejects. Without shared borders, each thread loads its own when it first needs them. */
async function shareBorders(pool: WorkerPool, log: Logger): Promise<void> {
  try {
    // a small young generation takes less memory, and longer
    const options = { limits: { ...SEARCH_LIMITS, maxYoungGenerationSizeMb: 3 }, isUnref: true };
    borders ??= runInThread<typeof shareBorderTables>(BORDERS_THREAD, undefined, options);
    await pool.share({ borders: await borders });
  } catch (error) {
    borders = undefined;
    log.error({ err: error }, 'the borders of the world could not be loaded');
  }
  releaseHeapSoon(); // of the start
}

function createService(
  { options, keys, pool, reloader, health, log }: ServiceContext,
  metricsServer: MetricsServer | undefined,
  { certificate, firstKey, compatAddress }: Omit<Awaited<ReturnType<typeof prepareWorkers>>, 'workerConfig' | 'facts'>,
): StartedService {
  const stop = async () => {
    reloader.stop();
    metricsServer?.close();
    await pool.terminate();
    await keys.close();
  };
  return {
    certificate,
    firstKey,
    url: urlOf(pool.address, certificate !== undefined),
    address: pool.address,
    data: reloader.index.facts,
    compatUrl: compatAddress && urlOf(compatAddress, false),
    metricsUrl: metricsServer?.url,
    reload: () => reloader.request(),
    reloadIndex: () => reloader.request([reloader.index.reloader]),
    reportIndexProblem: (problem) => reloader.reportIndexProblem(problem),
    drain: async () => {
      health.phase = 'stopping';
      reloader.stop();
      const limits = { graceMs: options.drainGraceSeconds * 1000, limitMs: options.drainSeconds * 1000 };
      const isComplete = await pool.drain(limits);
      if (!isComplete) log.warn({ seconds: options.drainSeconds }, 'requests still running were aborted');
      await stop();
    },
    stop,
  };
}

async function startMetrics(context: ServiceContext): Promise<MetricsServer | undefined> {
  const { options, pool, reloader, health, log } = context;
  const { metricsPort: port, metricsHost: host } = options;
  if (port === undefined) return undefined;
  const collect = async () => {
    const isServing = health.phase === 'serving';
    const [perThread, isReady] = await Promise.all([pool.metrics(), isServing && pool.isAnswering()]);
    const byVersion = Object.entries(Object.groupBy(pool.servedData(), (version) => version));
    const ofService = metricsOf({
      toponym_data_threads: byVersion.map(([version, same = []]) => ({ value: same.length, labels: { version } })),
      toponym_build_info: [{ value: 1, labels: { version: options.version } }],
      toponym_ready: isReady ? 1 : 0,
      toponym_thread_restarts_total: pool.restarts,
      toponym_reloads_total: byLabel('result', reloader.reloads),
      toponym_index_written_timestamp_seconds: reloader.index.modifiedMs && reloader.index.modifiedMs / 1000,
    });
    return [...perThread, [...ofService, ...processMetrics()]];
  };
  return await startMetricsServer({ host, port, collect, health, log });
}

function reloadSources(options: ServeOptions, log: Logger): ReloadSources {
  const { indexPath, allowShrunkenData, tlsCert, tlsKey, tlsClientCa, state } = options;
  const tlsPaths = [tlsCert, tlsKey, tlsClientCa].filter((path) => path !== undefined);
  const ipDatabasePaths = listIpDatabasePaths(options.ipDatabase);
  return {
    indexPath,
    allowShrunkenData,
    tlsPaths,
    loadCertificate: () => loadServiceCertificate(options, log),
    ipDatabasePaths,
    loadIpDatabases: () => openServedIpDatabases(options.ipDatabase, state.path, (message) => log.warn(message)),
  };
}

function usableThreads(threads: number, kind: ListenAddress['kind'], log: Logger): number {
  if (threads === 1) return 1;
  if (kind === 'unix') {
    log.info('a Unix socket is served by one thread');
    return 1;
  }
  if (PORT_SHARING_PLATFORMS.includes(process.platform)) return threads;
  log.warn(`threads cannot share a port on ${process.platform}: using one thread`);
  return 1;
}
