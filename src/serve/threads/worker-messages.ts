/**
 * What the main thread and its workers say to each other. Large things are SharedArrayBuffers: passed, not copied.
 */
import type { Cidr } from '../../access/address.ts';
import type { KeyUses } from '../../access/keys/key-store.ts';
import type { IpDatabase } from '../../locate/ip-database.ts';
import type { ListenAddress } from '../listen/listen-address.ts';

export interface TlsPair {
  /** PEM */
  readonly cert: string;
  readonly key: string;
}

/** What is answered from: one version, so that no answer mixes two. */
export interface ServedData {
  readonly index: SharedArrayBuffer;
  /** An index of corrections and additions over it. */
  readonly overlay: SharedArrayBuffer | undefined;
}

/** What may be replaced while the service runs. */
export interface Reloadable {
  readonly data: ServedData;
  /** What keeps the newest files from being served, for whoever asks whether the service is ready; empty where nothing does. */
  readonly problem: string;
  /** Absent behind a proxy. */
  readonly tls: TlsPair | undefined;
}

/** Everything a worker needs to start but where to listen. */
export interface WorkerStart extends Reloadable {
  /** Whether other threads listen on the same port. */
  readonly isPortShared: boolean;
  /** How much of the answers it gives a worker keeps. */
  readonly keptBytes: number;
  readonly ipDatabases: readonly IpDatabase[];
  readonly rateBuffer: SharedArrayBuffer;
  readonly keysPath: string;
  readonly serviceName: string;
  readonly trustedProxies: readonly Cidr[];
  readonly logLevel: string;
  readonly version: string;
}

/** A worker loads its code first, then is told to start, then to listen. */
export type ToWorker =
  | ({ readonly type: 'start' } & WorkerStart)
  | { readonly type: 'listen'; readonly address: ListenAddress }
  | ({ readonly type: 'reload'; readonly id: number } & Partial<Reloadable>)
  | { readonly type: 'metrics'; readonly id: number }
  | { readonly type: 'drain'; readonly graceMs: number };

export type FromWorker =
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'keysUsed'; readonly uses: KeyUses }
  /** `refusal` says why the thread kept what it had; empty when it took up the new. */
  | { readonly type: 'reloaded'; readonly id: number; readonly refusal: string }
  | { readonly type: 'metrics'; readonly id: number; readonly metrics: object[] };
