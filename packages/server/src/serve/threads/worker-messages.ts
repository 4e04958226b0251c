/** Messages between the main thread and its workers. A SharedArrayBuffer is passed, not copied. */
import type { Cidr } from 'toponym-access/address';
import type { KeyUses } from 'toponym-access/keys/key-store';
import type { WorkerKeys } from 'toponym-access/keys/service-keys';
import type { BorderTables } from 'toponym-engine/place/world-borders';
import type { PlainListener } from '../../compat/compat-routes.ts';
import type { AdapterName } from '../../compat/compat-settings.ts';
import type { IpDatabase } from '../../locate/ip-database.ts';
import type { ListenAddress } from '../listen/listen-address.ts';
import type { ConnectionLimits } from '../listen/open-connections.ts';
import type { Metric } from '../metrics/metric.ts';
import type { ServiceCertificate } from '../tls/certificate.ts';

export type ServedCertificate = Pick<
  ServiceCertificate,
  'cert' | 'key' | 'validTo' | 'isSelfSigned' | 'clientAuthorities'
>;

export interface ReplaceableValues {
  /** The bytes of the index. */
  readonly data: SharedArrayBuffer;
  /** Why the newest files are not being served, for `/readyz`; empty if they are. */
  readonly notice: string;
  /** Undefined behind a proxy, where the service speaks plain HTTP. */
  readonly tls: ServedCertificate | undefined;
  /** The borders of the world; undefined until they are loaded. */
  readonly borders: BorderTables | undefined;
  readonly ipDatabases: readonly IpDatabase[];
}

export interface WorkerCompat extends PlainListener {
  readonly adapters: readonly AdapterName[];
  /** Where the adapters, and nothing else, also listen over plain HTTP. */
  readonly address: ListenAddress | undefined;
}

export interface WorkerConfig extends ReplaceableValues {
  readonly isPortShared: boolean;
  readonly cacheBytes: number;
  /** Recent calls of all threads, for rate limits. */
  readonly rateBuffer: SharedArrayBuffer;
  /** Today's calls of all threads, for the quotas of keys. */
  readonly quotaBuffer: SharedArrayBuffer;
  readonly keys: WorkerKeys;
  readonly serviceName: string;
  readonly trustedProxies: readonly Cidr[];
  readonly connectionLimits: ConnectionLimits;
  readonly proxyProtocol: boolean;
  readonly compat: WorkerCompat;
  /** Max-age of Strict-Transport-Security. */
  readonly hstsSeconds: number;
  readonly logLevel: string;
  readonly version: string;
  /** API key of the page at `/`; undefined if the page is off. */
  readonly pageKey: string | undefined;
}

/** The first messages are `start` and `listen`. A reply has the `id` of its message. */
export type ToWorker =
  | ({ readonly type: 'start' } & WorkerConfig)
  | { readonly type: 'listen'; readonly address: ListenAddress }
  | ({ readonly type: 'replace'; readonly id: number } & Partial<ReplaceableValues>)
  | { readonly type: 'metrics'; readonly id: number }
  | { readonly type: 'drain'; readonly graceMs: number };

export type FromWorker =
  /** `data` is the version of the data that the thread serves. */
  | { readonly type: 'listening'; readonly port: number; readonly data: string }
  | { readonly type: 'listenFailed'; readonly reason: string }
  | { readonly type: 'keysUsed'; readonly uses: KeyUses }
  /** Empty if the thread can use Redis again. */
  | { readonly type: 'redisProblem'; readonly problem: string }
  | { readonly type: 'replaced'; readonly id: number; readonly data: string }
  /** The worker cannot use the new values and keeps the old ones. */
  | { readonly type: 'refused'; readonly id: number; readonly data: string; readonly reason: string }
  | { readonly type: 'metrics'; readonly id: number; readonly metrics: Metric[] };
