/**
 * Decides about a new connection before a byte of its request is read. Behind a proxy, only trusted
 * proxies may connect. With the PROXY protocol, the connection of a trusted proxy begins with a
 * header that tells the client's address. The gate replaces the server's connection listeners and
 * calls them for the connections that it admits, so a server without a gate is not slowed down.
 */
import type { Server } from 'node:http';
import { isIP, type Socket } from 'node:net';
import {
  type Address,
  type Cidr,
  formatAddress,
  isInAny,
  markCallerKnown,
  parseAddress,
  peerAddress,
} from 'toponym-access/address';
import { PROXY_HEADER_TIMEOUT_MS } from '../../http/timeouts.ts';
import { type RefusalReason, tcpSocketOf } from './open-connections.ts';

export interface ProxyGateOptions {
  /** Whether peers that are not proxies are clients. Otherwise they are refused. */
  readonly hasDirectClients: boolean;
  readonly proxyProtocol: boolean;
  readonly trustedProxies: readonly Cidr[];
  readonly onRefused: (reason: RefusalReason, peer: string | undefined) => void;
  readonly headerTimeoutMs?: number;
}

/** Must be called after every other connection listener has been added to the server. */
export function installProxyGate(server: Server, options: ProxyGateOptions): void {
  const { hasDirectClients, proxyProtocol, trustedProxies, onRefused } = options;
  const listeners = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  const admit = (socket: Socket) => {
    for (const listener of listeners) listener.call(server, socket);
  };
  const headers = proxyProtocol ? new HeaderReader(server, options, admit) : undefined;
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (wasReset(socket)) socket.destroy();
    else if (isTrusted(socket, trustedProxies)) headers === undefined ? admit(socket) : headers.read(socket);
    else if (hasDirectClients) admit(socket);
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

/** Sets `remoteAddress` of sockets to the client that their PROXY header names. If it names none, the proxy is the caller. */
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
    // without direct clients, the client that the header names may be an HTTP proxy
    if (this.#options.hasDirectClients || caller === 'proxy') markCallerKnown(socket);
    if (caller !== 'proxy') Object.defineProperty(socket, 'remoteAddress', { value: formatAddress(caller) });
  }
}

type ProxyHeader =
  | {
      readonly kind: 'complete';
      /** Number of bytes; those of the connection itself follow. */
      readonly length: number;
      /** Undefined if the proxy speaks for itself, such as in a health check. */
      readonly client: Address | undefined;
    }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'invalid' };

const INCOMPLETE: ProxyHeader = { kind: 'incomplete' };
const INVALID: ProxyHeader = { kind: 'invalid' };

const V1_START = Buffer.from('PROXY ');
const V1_MAX_LENGTH = 107; // of the specification, with the line break
const V2_START = Buffer.from('\r\n\r\n\0\r\nQUIT\n');
const V2_FIXED_LENGTH = 16;
/** Maximum of addresses and extensions. The specification allows 64 KiB; proxies send far less. */
const V2_MAX_REST_LENGTH = 4096;

/** Parses a header of version 1 or 2 at the start of all bytes received so far. Never throws. */
export function parseProxyHeader(bytes: Buffer): ProxyHeader {
  if (startsLike(bytes, V1_START)) return bytes.length < V1_START.length ? INCOMPLETE : parseV1(bytes);
  if (startsLike(bytes, V2_START)) return bytes.length < V2_FIXED_LENGTH ? INCOMPLETE : parseV2(bytes);
  return INVALID;
}

/** Whether the bytes begin with `start`, or `start` begins with the bytes. */
function startsLike(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length);
  return bytes.compare(start, 0, length, 0, length) === 0;
}

/** Parses a line such as `PROXY TCP4 192.0.2.1 198.51.100.1 56324 443`. */
function parseV1(bytes: Buffer): ProxyHeader {
  const text = bytes.toString('latin1', 0, V1_MAX_LENGTH);
  const end = text.indexOf('\r\n');
  if (end < 0) return text.length < V1_MAX_LENGTH ? INCOMPLETE : INVALID;
  const length = end + 2;
  const [, protocol, source = '', destination = '', ...ports] = text.slice(0, end).split(' ');
  if (protocol === 'UNKNOWN') return { kind: 'complete', length, client: undefined };
  const family = protocol === 'TCP4' ? 4 : protocol === 'TCP6' ? 6 : undefined;
  if (family === undefined || isIP(source) !== family || isIP(destination) !== family) return INVALID;
  if (ports.length !== 2 || !ports.every(isPort)) return INVALID;
  return { kind: 'complete', length, client: parseAddress(source) };
}

function isPort(text: string): boolean {
  return /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;
}

const LOCAL = 0x20;
const PROXY = 0x21;
/** The address families of TCP. Other protocols tell no address that the service could use. */
const FAMILY_BY_PROTOCOL: ReadonlyMap<number, 4 | 6> = new Map([
  [0x11, 4],
  [0x21, 6],
]);
const MAX_FAMILY = 3; // unspecified, IPv4, IPv6, Unix
const MAX_TRANSPORT = 2; // unspecified, stream, datagram

function parseV2(bytes: Buffer): ProxyHeader {
  const command = bytes.readUInt8(12); // the version is in its upper half
  const protocol = bytes.readUInt8(13);
  const restLength = bytes.readUInt16BE(14);
  if ((command !== LOCAL && command !== PROXY) || restLength > V2_MAX_REST_LENGTH) return INVALID;
  if (protocol >> 4 > MAX_FAMILY || (protocol & 0xf) > MAX_TRANSPORT) return INVALID;
  const family = command === PROXY ? FAMILY_BY_PROTOCOL.get(protocol) : undefined;
  const addressLength = family === 4 ? 4 : 16;
  // source, destination and their ports
  if (family !== undefined && restLength < 2 * addressLength + 4) return INVALID;
  const length = V2_FIXED_LENGTH + restLength;
  if (bytes.length < length) return INCOMPLETE;
  if (family === undefined) return { kind: 'complete', length, client: undefined };
  const source = [...bytes.subarray(V2_FIXED_LENGTH, V2_FIXED_LENGTH + addressLength)];
  // parsing the text turns ::ffff:192.0.2.1 into 192.0.2.1
  return { kind: 'complete', length, client: parseAddress(formatAddress({ family, bytes: source })) };
}
