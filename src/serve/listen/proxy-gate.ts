/**
 * Decides about a new connection before a byte of its request is read. Behind a proxy, only trusted
 * proxies may connect. With the PROXY protocol, the connection of a trusted proxy begins with a
 * header that tells the client's address. The gate replaces the server's connection listeners and
 * calls them for the connections that it admits, so a server without a gate is not slowed down.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Address, type Cidr, formatAddress, isInAny, peerAddress } from '../../access/address.ts';
import { markCallerKnown } from '../../http/caller-address.ts';
import { PROXY_HEADER_TIMEOUT_MS } from '../../http/timeouts.ts';
import { tcpSocketOf } from './open-connections.ts';
import { parseProxyHeader } from './proxy-protocol.ts';
import type { RefusalReason } from './refused-connections.ts';

export interface ProxyGateOptions {
  /** With TLS, peers that are not proxies are clients. Without TLS, they are refused. */
  readonly isTls: boolean;
  readonly proxyProtocol: boolean;
  readonly trustedProxies: readonly Cidr[];
  readonly onRefused: (reason: RefusalReason, peer: string | undefined) => void;
  readonly headerTimeoutMs?: number;
}

/** Must be called after every other connection listener has been added to the server. */
export function installProxyGate(server: Server, options: ProxyGateOptions): void {
  const { isTls, proxyProtocol, trustedProxies, onRefused } = options;
  const listeners = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  const admit = (socket: Socket) => {
    for (const listener of listeners) listener.call(server, socket);
  };
  const headers = proxyProtocol ? new HeaderReader(server, options, admit) : undefined;
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (wasReset(socket)) socket.destroy();
    else if (isTrusted(socket, trustedProxies)) headers === undefined ? admit(socket) : headers.read(socket);
    else if (isTls) admit(socket);
    else {
      onRefused('untrusted_peer', socket.remoteAddress);
      socket.destroy();
    }
  });
}

/** Whether a TCP connection has ended already. It then has no remote address. */
function wasReset({ remoteAddress, localAddress }: Socket): boolean {
  return remoteAddress === undefined && localAddress !== undefined;
}

/** The permissions of a Unix socket decide who connects to it; its peers have no address. */
function isTrusted({ remoteAddress }: Socket, trustedProxies: readonly Cidr[]): boolean {
  return remoteAddress === undefined || isInAny(peerAddress(remoteAddress), trustedProxies);
}

/**
 * Reads PROXY headers and sets `remoteAddress` of sockets to the address of their client. If the
 * header names no client, the caller is the proxy.
 */
class HeaderReader {
  readonly #options: ProxyGateOptions;
  readonly #admit: (socket: Socket) => void;
  readonly #waiting = new Set<Socket>();
  /** Callers by TCP socket, for the TLS socket of the same connection. */
  readonly #callers = new WeakMap<Socket, Address | 'proxy'>();

  constructor(server: Server, options: ProxyGateOptions, admit: (socket: Socket) => void) {
    this.#options = options;
    this.#admit = admit;
    const closeIdleConnections = server.closeIdleConnections;
    server.closeIdleConnections = () => {
      for (const socket of this.#waiting) socket.destroy(); // Node does not know them yet
      closeIdleConnections.call(server);
    };
    if (!options.isTls) return;
    server.prependListener('secureConnection', (socket: Socket) => {
      const caller = this.#callers.get(tcpSocketOf(socket));
      if (caller !== undefined) this.#setCaller(socket, caller);
    });
  }

  read(socket: Socket): void {
    let received = Buffer.alloc(0);
    const stop = () => {
      clearTimeout(timer);
      this.#waiting.delete(socket);
      socket.off('data', onData).off('end', onEnd).off('error', onError).off('close', stop);
    };
    const refuse = (reason: RefusalReason) => {
      stop();
      this.#options.onRefused(reason, socket.remoteAddress);
      socket.destroy();
    };
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const header = parseProxyHeader(received);
      if (header.kind === 'incomplete') return;
      if (header.kind === 'invalid') return refuse('bad_proxy_header');
      stop();
      this.#handOver(socket, header.client ?? 'proxy', received.subarray(header.length));
    };
    // load balancers check a port by connecting and sending nothing
    const onEnd = () => (received.length > 0 ? refuse('bad_proxy_header') : socket.destroy());
    const onError = () => socket.destroy();
    // a header that has arrived while this thread was busy is read before setImmediate
    const refuseIfWaiting = () => {
      if (this.#waiting.has(socket)) refuse('slow_proxy_header');
    };
    const timeoutMs = this.#options.headerTimeoutMs ?? PROXY_HEADER_TIMEOUT_MS;
    const timer = setTimeout(() => setImmediate(refuseIfWaiting), timeoutMs);
    this.#waiting.add(socket);
    socket.on('data', onData).on('end', onEnd).on('error', onError).on('close', stop);
  }

  /** Gives the socket to the server's listeners, as if the connection began with `rest`. */
  #handOver(socket: Socket, caller: Address | 'proxy', rest: Buffer): void {
    socket.pause();
    if (rest.length > 0) socket.unshift(rest);
    this.#callers.set(socket, caller);
    this.#setCaller(socket, caller);
    this.#admit(socket);
    socket.resume();
  }

  #setCaller(socket: Socket, caller: Address | 'proxy'): void {
    // without TLS, the client that the header names may be an HTTP proxy
    if (this.#options.isTls || caller === 'proxy') markCallerKnown(socket);
    if (caller !== 'proxy') Object.defineProperty(socket, 'remoteAddress', { value: formatAddress(caller) });
  }
}
