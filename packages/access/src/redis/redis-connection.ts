/**
 * A connection to Redis or Valkey: to one server, to a cluster, or to the master that sentinels name. It connects again
 * by itself. Commands fail at once while there is no connection.
 */

import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage, withTimeLimit } from 'toponym-files/errors/errors';
import type { ConnectionErrors, RedisClient } from './redis-client.ts';
import { NoReplyError, RedisGuard } from './redis-guard.ts';
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
