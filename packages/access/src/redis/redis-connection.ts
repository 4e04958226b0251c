/**
 * A connection to Redis or Valkey: to one server, to a cluster, or to the master that sentinels name; and
 * the settings that say where that is, and how to log in. It connects again by itself. Commands fail at
 * once while there is no connection.
 */

import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage, withTimeLimit } from 'toponym-files/errors/errors';
import type { ConnectionErrors, RedisClient } from './redis-client.ts';
import { NoReplyError, RedisGuard } from './redis-guard.ts';

export type RedisMode =
  | { readonly kind: 'standalone' }
  | { readonly kind: 'cluster' }
  /** `name` is the name of the master that the sentinels watch. */
  | { readonly kind: 'sentinel'; readonly name: string };

/** From a URL such as `rediss://user:password@host:6379/0`. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
}

export interface RedisSettings {
  readonly mode: RedisMode;
  /** Some nodes of a cluster are enough; the others are found through them. */
  readonly nodes: readonly RedisNode[];
  /** Replaces the passwords of the URLs. With sentinels, it is the password of the servers they watch. */
  readonly password: string | undefined;
  /** Authorities in PEM form that sign the server's certificate; undefined for those of Node.js. */
  readonly ca: string | undefined;
  /** First part of the name of every Redis key. */
  readonly prefix: string;
}

const DEFAULT_PORT = 6379;

/** Returns undefined if the text is not a URL of Redis. */
export function parseRedisUrl(text: string): RedisNode | undefined {
  const url = URL.parse(text);
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '') return undefined;
  if (url.search !== '' || url.hash !== '' || !/^(\/\d{0,5})?$/.test(url.pathname)) return undefined;
  const username = decodePart(url.username);
  const password = decodePart(url.password);
  if (username === undefined || password === undefined) return undefined;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'), // an IPv6 address has brackets in a URL
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    isTls: url.protocol === 'rediss:',
    username: username || undefined,
    password: password || undefined,
    database: Number(url.pathname.slice(1)),
  };
}

/** Returns undefined if a percent sign does not start an escape such as %25. */
function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returns undefined if the text is not one of the modes. */
export function parseRedisMode(text: string): RedisMode | undefined {
  if (text === 'standalone' || text === 'cluster') return { kind: text };
  const name = /^sentinel:([\w.-]+)$/.exec(text)?.[1];
  return name === undefined ? undefined : { kind: 'sentinel', name };
}

/** Why these settings cannot work together; undefined if they can. */
export function redisRefusal({ mode, nodes }: Pick<RedisSettings, 'mode' | 'nodes'>): string | undefined {
  const [first, ...others] = nodes;
  if (first === undefined) return 'no URL was given';
  if (mode.kind === 'standalone' && others.length > 0) {
    return 'one server has one URL; for more, add --redis-mode cluster or --redis-mode sentinel:NAME';
  }
  if (mode.kind === 'cluster' && nodes.some(({ database }) => database !== 0)) {
    return 'a cluster has only database 0';
  }
  if (others.some(({ isTls }) => isTls !== first.isTls)) return 'redis:// and rediss:// cannot be mixed';
  if (others.some(({ username, password }) => username !== first.username || password !== first.password)) {
    return 'all URLs must have the same user and password';
  }
  return undefined;
}

/** Names the servers for messages, without user and password. */
export function redisAddress({ nodes }: Pick<RedisSettings, 'nodes'>): string {
  return nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(', ');
}

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

export class RedisConnection {
  readonly settings: RedisSettings;
  /** Called when a guarded part of Redis stops or starts to work. */
  onChange: () => void = () => {};
  readonly #guards: RedisGuard[] = [];
  #client: RedisClient | undefined;
  #opening: Promise<void> | undefined;
  /** The last error of the library says more than that there is no connection. */
  readonly #errors: ConnectionErrors = { last: '' };
  #isClosed = false;

  /** Connects in the background. */
  constructor(settings: RedisSettings) {
    this.settings = settings;
    this.renew();
  }

  /** Resolves when there is a connection. Rejects with a reason for the operator after `withinMs`. */
  async ready(withinMs: number): Promise<void> {
    await loadClient(); // takes seconds on a busy machine, which is no fault of Redis
    await withTimeLimit(Promise.resolve(this.#opening), withinMs, () => {
      const reason = this.#errors.last || `no reply within ${withinMs / 1000} s`;
      return new Error(`Redis at ${redisAddress(this.settings)} cannot be used: ${reason}`);
    });
  }

  /** The problem of any guarded part of Redis; empty if all of them work. */
  get problem(): string {
    return this.#guards.find(({ problem }) => problem !== '')?.problem ?? '';
  }

  /** A guard around the part of Redis that `probe` tests. It is closed with the connection. */
  guard(probe: () => Promise<unknown>): RedisGuard {
    const guard = new RedisGuard({ probe, renew: () => this.renew(), onChange: () => this.onChange() });
    this.#guards.push(guard);
    return guard;
  }

  /** Sends a command to the server that has the key `name`. Throws NoReplyError without connection. */
  async send(name: string, command: readonly string[]): Promise<unknown> {
    if (this.#client === undefined) throw new NoReplyError(this.#errors.last || 'there is no connection yet');
    return await this.#client.send(name, command);
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
    for (const guard of this.#guards) guard.close();
    this.#client?.destroy();
  }

  async #open(): Promise<void> {
    const { CONNECT_TIMEOUT_MS, createRedisClient, reconnectDelayMs } = await loadClient();
    const lateError = () => new Error(this.#errors.last || `no connection within ${CONNECT_TIMEOUT_MS / 1000} s`);
    for (let attempt = 0; !this.#isClosed; attempt++) {
      const client = createRedisClient(this.settings, this.#errors);
      try {
        await withTimeLimit(client.connect(), CONNECT_TIMEOUT_MS, lateError);
        this.#errors.last = '';
        this.#client?.destroy();
        this.#client = client;
        if (this.#isClosed) client.destroy();
        return;
      } catch (error) {
        this.#errors.last = errorMessage(error);
        client.destroy();
        await pause(reconnectDelayMs(attempt), undefined, { ref: false });
      }
    }
  }
}

/** Loads the library for Redis, which a service without Redis does not need. */
function loadClient() {
  return import('./redis-client.ts');
}
