/**
 * The open connections of a server, from the first byte of a handshake. They are limited, in all and per
 * address: one more closes the connection whose last request is the oldest, and one with an open request
 * only if all have one. So idle and stuck connections cannot keep others out. Those that were refused or
 * closed are counted by reason.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Logger } from '../log.ts';

export interface ConnectionLimits {
  readonly max: number;
  readonly maxPerAddress?: number;
}

/** Maximum connections of an address, in all threads. At 44 KB each, idle ones take 90 MB. */
const MAX_PER_ADDRESS = 2048;
/** Descriptors of the process that are not connections: files and downloads. */
const OTHER_DESCRIPTORS = 128;
/** 9 were measured, and connections to Redis add some. */
const DESCRIPTORS_PER_THREAD = 16;

/**
 * The share of one thread. An address gets half of it at most, so that no address can use up the
 * descriptors. `descriptors` is the limit of the process; infinite if it has none.
 */
export function connectionLimits(
  threads: number,
  descriptors = Number.POSITIVE_INFINITY,
  { metricsConnections = 0 } = {},
): Required<ConnectionLimits> {
  const forThreads = descriptors - OTHER_DESCRIPTORS - metricsConnections;
  const max = Math.max(1, Math.floor(forThreads / threads) - DESCRIPTORS_PER_THREAD);
  return { max, maxPerAddress: Math.ceil(Math.min(MAX_PER_ADDRESS / threads, max / 2)) };
}

export type TooMany = 'too_many_connections' | 'too_many_of_address';

export interface OpenConnectionSettings extends ConnectionLimits {
  /** Names the addresses that share a limit; undefined if only `max` applies. */
  readonly groupOf?: (socket: Socket) => string | undefined;
  readonly onClosed?: (reason: TooMany, peer: string | undefined) => void;
}

interface OpenConnection {
  readonly socket: Socket;
  readonly peer: string | undefined;
  readonly group: string | undefined;
  openRequests: number;
  hasSentRequest: boolean;
}

export class OpenConnections {
  readonly #settings: OpenConnectionSettings;
  /** By TCP socket, in the order of their last request; of their start, if they have sent none. */
  readonly #all = new Map<Socket, OpenConnection>();
  /** The same by address. */
  readonly #groups = new Map<string, Set<OpenConnection>>();

  constructor(server: Server, settings: OpenConnectionSettings) {
    this.#settings = settings;
    server.on('connection', (socket: Socket) => this.#open(socket));
    const onRequest = ({ socket }: IncomingMessage, response: ServerResponse) => this.#noteRequest(socket, response);
    server.on('request', onRequest);
    // Node emits this instead of `request` if the header Expect is not 100-continue
    server.on('checkExpectation', onRequest);
  }

  /**
   * Closes connections without a request: those that browsers open in advance, or that stopped in the handshake. A
   * stop would wait for them, because Node does not count them as idle.
   */
  closeUnused(): void {
    for (const { socket, hasSentRequest } of this.#all.values()) if (!hasSentRequest) socket.destroy();
  }

  #open(socket: Socket): void {
    const { max, maxPerAddress = max, groupOf } = this.#settings;
    const peer = socket.remoteAddress;
    const connection = { socket, peer, group: groupOf?.(socket), openRequests: 0, hasSentRequest: false };
    socket.once('close', () => this.#remove(connection));
    const group = this.#append(connection);
    if (group !== undefined && group.size > maxPerAddress) this.#closeOldest(group, 'too_many_of_address');
    else if (this.#all.size > max) this.#closeOldest(this.#all, 'too_many_connections');
  }

  #noteRequest(socket: Socket, response: ServerResponse): void {
    const connection = this.#all.get(tcpSocketOf(socket));
    if (connection === undefined) return;
    connection.hasSentRequest = true;
    connection.openRequests++;
    response.once('close', () => connection.openRequests--);
    this.#append(connection);
  }

  /** Adds the connection, or moves it to the end. Returns those of the same address, if they have a limit. */
  #append(connection: OpenConnection): Set<OpenConnection> | undefined {
    this.#all.delete(connection.socket);
    this.#all.set(connection.socket, connection);
    if (connection.group === undefined) return undefined;
    const group = this.#groups.get(connection.group) ?? new Set();
    group.delete(connection);
    this.#groups.set(connection.group, group.add(connection));
    return group;
  }

  #remove(connection: OpenConnection): void {
    this.#all.delete(connection.socket);
    if (connection.group === undefined) return;
    const group = this.#groups.get(connection.group);
    group?.delete(connection);
    if (group?.size === 0) this.#groups.delete(connection.group);
  }

  #closeOldest(connections: Pick<Set<OpenConnection>, 'size' | 'values'>, reason: TooMany): void {
    const others = () => connections.values().take(connections.size - 1); // the last one is new
    const oldest = others().find(({ openRequests }) => openRequests === 0) ?? others().next().value;
    if (oldest === undefined) return;
    this.#remove(oldest); // `close` is emitted later
    oldest.socket.destroy();
    this.#settings.onClosed?.(reason, oldest.peer);
  }
}

/** The TCP socket that a TLS socket wraps, or the socket itself. Node has no public name for it. */
export function tcpSocketOf(socket: Socket): Socket {
  return (socket as Socket & { readonly _parent?: Socket | null })._parent ?? socket;
}

/** What the log says about each reason. */
const MESSAGES = {
  untrusted_peer: 'a peer that is not one of the --trusted-proxies was refused',
  bad_proxy_header: 'a connection of a trusted proxy had no valid PROXY header and was closed',
  slow_proxy_header: 'a connection of a trusted proxy sent no complete PROXY header in time and was closed',
  no_client_certificate: 'a client without a certificate was refused',
  bad_client_certificate: 'a client was refused because its certificate does not pass --tls-client-ca',
  too_many_connections:
    'the limit of open files leaves no descriptor for another connection: the one idle for longest was closed',
  too_many_of_address: 'an address has too many connections: the one idle for longest was closed',
};

export type RefusalReason = keyof typeof MESSAGES;

const LOG_INTERVAL_MS = 60_000;

/** Counts connections that were refused or closed to make room, and logs at most one line a minute per reason. */
export class RefusedConnections {
  readonly counts = Object.fromEntries(Object.keys(MESSAGES).map((reason) => [reason, 0])) as Record<
    RefusalReason,
    number
  >;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #lastLoggedMs = new Map<RefusalReason, number>();

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  /** `detail` is logged. `nowMs` is a monotonic time. */
  add(
    reason: RefusalReason,
    peer: string | undefined,
    { detail, nowMs = performance.now() }: { detail?: string | undefined; nowMs?: number } = {},
  ): void {
    this.counts[reason]++;
    const lastMs = this.#lastLoggedMs.get(reason);
    if (lastMs !== undefined && nowMs - lastMs < LOG_INTERVAL_MS) return;
    this.#lastLoggedMs.set(reason, nowMs);
    this.#log.warn({ peer, detail, refusedSoFar: this.counts[reason] }, MESSAGES[reason]);
  }
}

// connections that a proxy opens together arrive within milliseconds
const QUIET_MS = 100;
const MAX_QUIET_WAIT_MS = 1000;
const POLL_MS = 10;

/** Closes a listener without resetting connections that the thread has not accepted yet. */
export async function closeListener(server: Server): Promise<void> {
  const startedMs = performance.now();
  let lastConnectionMs = startedMs;
  server.on('connection', () => {
    lastConnectionMs = performance.now();
  });
  for (;;) {
    await setTimeout(POLL_MS);
    // Node accepts waiting connections before its immediates, so `lastConnectionMs` is current
    await setImmediate();
    const nowMs = performance.now();
    if (nowMs - lastConnectionMs >= QUIET_MS || nowMs - startedMs >= MAX_QUIET_WAIT_MS) break;
  }
  // close() of node:http would also close idle connections
  NetServer.prototype.close.call(server);
}
