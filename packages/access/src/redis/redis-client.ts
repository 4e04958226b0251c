/**
 * The clients of the Redis library: for one server, for a cluster, and for the master that sentinels
 * name. Import this file only if needed: loading the library takes 0.2 s.
 */

import { ClientOfflineError, createClient, createCluster, createSentinel, ErrorReply } from '@redis/client';
import { errorMessage } from 'toponym-files/errors/errors';
import { growingDelayMs, NoReplyError } from './redis-guard.ts';
import type { RedisSettings } from './redis-settings.ts';

export const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_INTERVAL = { minMs: 50, maxMs: 2_000 };
/** How long a cluster's client tries to reach a lost server before it asks who has the slots now. */
const TOPOLOGY_REFRESH_MS = 500;
const SENTINEL_SCAN_MS = 1_000;

/** The part of the library's three clients that is used here. */
export interface RedisClient {
  /** `name` decides which server of a cluster is asked. Throws NoReplyError or the server's error. */
  readonly send: (name: string, command: readonly string[]) => Promise<unknown>;
  readonly connect: () => Promise<unknown>;
  readonly destroy: () => void;
}

/** Says why there is no connection. */
export interface ConnectionErrors {
  last: string;
}

export function reconnectDelayMs(attempt: number): number {
  return growingDelayMs(attempt, RECONNECT_INTERVAL);
}

/** Writes the errors of the connection to `errors`. */
export function createRedisClient(settings: RedisSettings, errors: ConnectionErrors): RedisClient {
  const client = createLibraryClient(settings, (error) => {
    errors.last = errorMessage(error);
  });
  return {
    ...client,
    send: async (name, command) => {
      try {
        return await client.send(name, command);
      } catch (error) {
        if (error instanceof ErrorReply) throw error;
        const isOffline = error instanceof ClientOfflineError && errors.last !== '';
        throw new NoReplyError(isOffline ? errors.last : errorMessage(error), { cause: error });
      }
    },
  };
}

function createLibraryClient(settings: RedisSettings, onError: (error: unknown) => void): RedisClient {
  const { mode, nodes, ca } = settings;
  const [first] = nodes;
  if (first === undefined) throw new Error('there is no URL of Redis');
  const socket = {
    connectTimeout: CONNECT_TIMEOUT_MS,
    reconnectStrategy: reconnectDelayMs,
    ...(first.isTls ? { tls: true as const, ...(ca === undefined ? {} : { ca }) } : {}),
  };
  const options = {
    ...(first.username === undefined ? {} : { username: first.username }),
    disableOfflineQueue: true,
    // CLIENT SETINFO and the notices of Redis Enterprise are not known to all servers
    disableClientInfo: true,
    maintNotifications: 'disabled' as const,
  };
  const password = settings.password ?? first.password;
  const login = password === undefined ? options : { ...options, password };

  if (mode.kind === 'cluster') {
    const cluster = createCluster({
      rootNodes: nodes.map(({ host, port }) => ({ socket: { ...socket, host, port } })),
      defaults: { ...login, socket },
      topologyRefreshOnReconnectionAttemptStrategy: TOPOLOGY_REFRESH_MS,
    });
    cluster.on('error', onError);
    let isDestroyed = false;
    // A library client that is destroyed while it reads the topology connects to all servers afterwards.
    // Its `destroy` misses connections that are being opened, so it waits until each is open or failed.
    const destroyAgain = () => {
      if (isDestroyed) setTimeout(() => cluster.destroy(), CONNECT_TIMEOUT_MS).unref();
    };
    for (const event of ['node-ready', 'node-error']) cluster.on(event, destroyAgain);
    return {
      send: (name, command) => cluster.sendCommand(name, false, [...command]),
      connect: () => cluster.connect(),
      destroy: () => {
        isDestroyed = true;
        cluster.destroy();
      },
    };
  }
  if (mode.kind === 'sentinel') {
    const sentinel = createSentinel({
      name: mode.name,
      sentinelRootNodes: nodes.map(({ host, port }) => ({ host, port })),
      nodeClientOptions: { ...login, database: first.database, socket },
      sentinelClientOptions: { ...(first.password === undefined ? {} : { password: first.password }), socket },
      reserveClient: true,
      scanInterval: SENTINEL_SCAN_MS,
      passthroughClientErrorEvents: true,
    });
    sentinel.on('error', onError);
    return {
      send: (_name, command) => sentinel.sendCommand(false, [...command]),
      connect: () => sentinel.connect(),
      destroy: () => void sentinel.destroy(),
    };
  }
  const { host, port, database } = first;
  const client = createClient({ ...login, database, socket: { ...socket, host, port } });
  client.on('error', onError);
  return {
    send: (_name, command) => client.sendCommand([...command]),
    connect: () => client.connect(),
    destroy: () => client.destroy(),
  };
}
