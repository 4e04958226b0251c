/**
 * The open connections of a server, from the first byte of a handshake. They are limited, in all and per
 * address: one more closes the connection whose last request is the oldest, and one with an open request
 * only if all have one. So idle and stuck connections cannot keep others out.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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
 * descriptors. `descriptors` is the limit of the process; undefined if it has none.
 */
export function connectionLimits(
  threads: number,
  {
    descriptors,
    metricsConnections,
  }: { readonly descriptors: number | undefined; readonly metricsConnections: number },
): Required<ConnectionLimits> {
  const forThreads = (descriptors ?? Number.POSITIVE_INFINITY) - OTHER_DESCRIPTORS - metricsConnections;
  const max = Math.max(1, Math.floor(forThreads / threads) - DESCRIPTORS_PER_THREAD);
  return { max, maxPerAddress: Math.ceil(Math.min(MAX_PER_ADDRESS / threads, max / 2)) };
}

export type TooMany = 'too_many_connections' | 'too_many_of_address';

export interface ConnectionSettings extends ConnectionLimits {
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
  readonly #settings: ConnectionSettings;
  /** In the order of their last request; of their start, if they have sent none. */
  readonly #all = new Set<OpenConnection>();
  /** The same by address. */
  readonly #groups = new Map<string, Set<OpenConnection>>();
  readonly #bySocket = new WeakMap<Socket, OpenConnection>();

  constructor(server: Server, settings: ConnectionSettings) {
    this.#settings = settings;
    server.on('connection', (socket: Socket) => this.#open(socket));
    const onRequest = ({ socket }: IncomingMessage, response: ServerResponse) => this.#noteRequest(socket, response);
    server.on('request', onRequest);
    // Node emits this instead of `request` if the header Expect is not 100-continue
    server.on('checkExpectation', onRequest);
  }

  /**
   * Closes connections that have not sent a request, such as those that browsers open in advance, and
   * those that stopped in the handshake. Node does not count them as idle, so a stop would wait for them.
   */
  closeUnused(): void {
    for (const { socket, hasSentRequest } of this.#all) if (!hasSentRequest) socket.destroy();
  }

  #open(socket: Socket): void {
    const { max, maxPerAddress = max, groupOf } = this.#settings;
    const peer = socket.remoteAddress;
    const connection = { socket, peer, group: groupOf?.(socket), openRequests: 0, hasSentRequest: false };
    this.#bySocket.set(socket, connection);
    socket.once('close', () => this.#remove(connection));
    const group = this.#add(connection);
    if (group !== undefined && group.size > maxPerAddress) this.#closeOldest(group, 'too_many_of_address');
    else if (this.#all.size > max) this.#closeOldest(this.#all, 'too_many_connections');
  }

  #noteRequest(socket: Socket, response: ServerResponse): void {
    const connection = this.#bySocket.get(tcpSocketOf(socket));
    if (connection === undefined || !this.#all.has(connection)) return;
    connection.hasSentRequest = true;
    connection.openRequests++;
    response.once('close', () => connection.openRequests--);
    const group = connection.group === undefined ? undefined : this.#groups.get(connection.group);
    for (const connections of [this.#all, group]) {
      connections?.delete(connection); // moves it to the end
      connections?.add(connection);
    }
  }

  /** Returns the connections of the same address, if they have a limit. */
  #add(connection: OpenConnection): Set<OpenConnection> | undefined {
    this.#all.add(connection);
    if (connection.group === undefined) return undefined;
    const group = this.#groups.get(connection.group) ?? new Set();
    this.#groups.set(connection.group, group.add(connection));
    return group;
  }

  #remove(connection: OpenConnection): void {
    this.#all.delete(connection);
    if (connection.group === undefined) return;
    const group = this.#groups.get(connection.group);
    group?.delete(connection);
    if (group?.size === 0) this.#groups.delete(connection.group);
  }

  #closeOldest(connections: Set<OpenConnection>, reason: TooMany): void {
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
