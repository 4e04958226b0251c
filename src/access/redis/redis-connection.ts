/**
 * A connection to Redis or Valkey: to one server, to a cluster, or to the master that sentinels name.
 * It connects again by itself. Commands fail at once while there is no connection.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ClientOfflineError, createClient, createCluster, createSentinel, ErrorReply } from '@redis/client';
import { errorMessage, withTimeLimit } from '../../errors/errors.ts';
import { growingDelayMs } from './growing-delay.ts';
import { NoReplyError } from './no-reply-error.ts';
import { type RedisSettings, redisAddress } from './redis-settings.ts';

/** A Lua script, which a server knows by its hash. */
export interface RedisScript {
  readonly source: string;
  readonly sha1: string;
}

export function defineScript(source: string): RedisScript {
  return { source, sha1: createHash('sha1').update(source).digest('hex') };
}

/** Names of Redis keys. In a cluster, those of one script call must be in one slot. */
export type RedisNames = readonly [string, ...string[]];

/** The part of the library's three clients that is used here. */
interface Client {
  /** `name` decides which server of a cluster gets the command. */
  readonly send: (name: string, command: string[]) => Promise<unknown>;
  readonly connect: () => Promise<unknown>;
  readonly destroy: () => void;
}

const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_INTERVAL = { minMs: 50, maxMs: 2_000 };
/** How long a cluster's client tries to reach a lost server before it asks who has the slots now. */
const TOPOLOGY_REFRESH_MS = 500;
const SENTINEL_SCAN_MS = 1_000;

export class RedisConnection {
  readonly #settings: RedisSettings;
  #client: Client | undefined;
  #opening: Promise<void> | undefined;
  /** The last error of the library, which says more than that there is no connection. */
  #lastError = '';
  #isClosed = false;

  /** Connects in the background. */
  constructor(settings: RedisSettings) {
    this.#settings = settings;
    this.renew();
  }

  /** Resolves when there is a connection. Rejects with a reason for the operator after `withinMs`. */
  async ready(withinMs: number): Promise<void> {
    await withTimeLimit(Promise.resolve(this.#opening), withinMs, () => {
      const reason = this.#lastError || `no reply within ${withinMs / 1000} s`;
      return new Error(`Redis at ${redisAddress(this.#settings)} cannot be used: ${reason}`);
    });
  }

  /** Sends a command to the server that has the key `name`. Throws NoReplyError without connection. */
  async send(name: string, command: readonly string[]): Promise<unknown> {
    if (this.#client === undefined) throw new NoReplyError(this.#lastError || 'there is no connection yet');
    try {
      return await this.#client.send(name, [...command]);
    } catch (error) {
      if (error instanceof ErrorReply) throw error;
      const isOffline = error instanceof ClientOfflineError && this.#lastError !== '';
      throw new NoReplyError(isOffline ? this.#lastError : errorMessage(error), { cause: error });
    }
  }

  async run(script: RedisScript, names: RedisNames, args: readonly string[]): Promise<unknown> {
    const rest = [String(names.length), ...names, ...args];
    try {
      return await this.send(names[0], ['EVALSHA', script.sha1, ...rest]);
    } catch (error) {
      if (!errorMessage(error).startsWith('NOSCRIPT')) throw error;
      return await this.send(names[0], ['EVAL', script.source, ...rest]);
    }
  }

  /** Replaces a connection that does not answer. The old one is used until the new one works. */
  renew(): void {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#client?.destroy();
  }

  async #open(): Promise<void> {
    for (let attempt = 0; !this.#isClosed; attempt++) {
      const client = createLibraryClient(this.#settings, (error) => {
        this.#lastError = errorMessage(error);
      });
      try {
        await connectInTime(client);
        this.#lastError = '';
        this.#client?.destroy();
        this.#client = client;
        if (this.#isClosed) client.destroy();
        return;
      } catch (error) {
        this.#lastError = errorMessage(error);
        client.destroy();
        await pause(reconnectDelayMs(attempt), undefined, { ref: false });
      }
    }
  }
}

async function connectInTime(client: Client): Promise<void> {
  const lateError = () => new Error(`no connection within ${CONNECT_TIMEOUT_MS / 1000} s`);
  await withTimeLimit(client.connect(), CONNECT_TIMEOUT_MS, lateError);
}

function reconnectDelayMs(attempt: number): number {
  return growingDelayMs(attempt, RECONNECT_INTERVAL);
}

function createLibraryClient(settings: RedisSettings, onError: (error: unknown) => void): Client {
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
      send: (name, command) => cluster.sendCommand(name, false, command),
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
      send: (_name, command) => sentinel.sendCommand(false, command),
      connect: () => sentinel.connect(),
      destroy: () => void sentinel.destroy(),
    };
  }
  const { host, port, database } = first;
  const client = createClient({ ...login, database, socket: { ...socket, host, port } });
  client.on('error', onError);
  return {
    send: (_name, command) => client.sendCommand(command),
    connect: () => client.connect(),
    destroy: () => client.destroy(),
  };
}
