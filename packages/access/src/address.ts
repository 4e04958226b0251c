/** Client addresses: parsing, grouping for limits, CIDR blocks, clients behind proxies. */
import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';

export interface Address {
  readonly family: 4 | 6;
  readonly bytes: readonly number[];
}

export interface Cidr {
  readonly address: Address;
  readonly prefixLength: number;
  /** As it was written. */
  readonly text: string;
}

/** Parses an IP address. Drops a zone id (`%eth0`), and reads `::ffff:a.b.c.d` as a.b.c.d. */
export function parseAddress(text: string): Address | undefined {
  const family = isIP(text);
  if (family === 4) return { family, bytes: ipv4Bytes(text) };
  if (family !== 6) return undefined;
  const zone = text.indexOf('%');
  const bytes = ipv6Bytes(zone < 0 ? text : text.slice(0, zone));
  return isMappedIpv4(bytes) ? { family: 4, bytes: bytes.slice(12) } : { family: 6, bytes };
}

export function formatAddress(address: Address): string {
  return address.family === 4 ? address.bytes.join('.') : hextets(address, 8).join(':');
}

/** Names the addresses that share a limit: one IPv4, or an IPv6 /64, as one subscriber has. */
export function limitGroup(address: Address): string {
  return address.family === 4 ? address.bytes.join('.') : `${hextets(address, 4).join(':')}::/64`;
}

/** Parses `10.0.0.0/8`, `2001:db8::/32`, or a single address. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  const addressText = slash < 0 ? text : text.slice(0, slash);
  const address = parseAddress(addressText);
  if (address === undefined) return undefined;
  const addressBits = address.bytes.length * 8;
  if (slash < 0) return { address, prefixLength: addressBits, text };

  const prefixText = text.slice(slash + 1);
  if (!/^\d{1,3}$/.test(prefixText)) return undefined;
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8
  const writtenBits = isIP(addressText) === 6 ? 128 : 32;
  const prefixLength = Number(prefixText) - (writtenBits - addressBits);
  if (prefixLength < 0 || prefixLength > addressBits) return undefined;
  return { address, prefixLength, text };
}

/** Whether the block is larger than the largest private ones, 10.0.0.0/8 and fc00::/7. */
export function isWideBlock({ address, prefixLength }: Cidr): boolean {
  return prefixLength < (address.family === 4 ? 8 : 7);
}

function isInCidr(address: Address, cidr: Cidr): boolean {
  if (address.family !== cidr.address.family) return false;
  let bitsLeft = cidr.prefixLength;
  for (let i = 0; bitsLeft > 0; i++) {
    const mask = bitsLeft >= 8 ? 0xff : (0xff << (8 - bitsLeft)) & 0xff;
    if (((address.bytes[i] ?? 0) & mask) !== ((cidr.address.bytes[i] ?? 0) & mask)) return false;
    bitsLeft -= 8;
  }
  return true;
}

/** Whether all addresses of a block are in another. */
export function isCidrIn(block: Cidr, other: Cidr): boolean {
  return block.prefixLength >= other.prefixLength && isInCidr(block.address, other);
}

export function isInAny(address: Address, blocks: readonly Cidr[]): boolean {
  return blocks.some((block) => isInCidr(address, block));
}

const LOOPBACK: Address = { family: 4, bytes: [127, 0, 0, 1] };

/** Address of the other end of a connection; loopback for Unix sockets, which have no address. */
export function peerAddress(peer: string | undefined): Address {
  return parseAddress(peer ?? '') ?? LOOPBACK;
}

const knownCallers = new WeakSet<Socket>();

/**
 * Says that the other end is the caller, even if it has the address of a trusted proxy: a PROXY header
 * told so, and a client behind a TCP proxy writes its own `X-Forwarded-For`.
 */
export function markCallerKnown(socket: Socket): void {
  knownCallers.add(socket);
}

/**
 * Address of the caller. Each proxy appends the address of its peer to `X-Forwarded-For`, so the caller
 * is the first address from the right, starting with the peer, that is not a trusted proxy.
 */
export function callerAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trustedProxies: readonly Cidr[],
): Address {
  let caller = peerAddress(socket.remoteAddress);
  const forwardedFor = headers['x-forwarded-for'];
  if (forwardedFor === undefined || trustedProxies.length === 0 || knownCallers.has(socket)) return caller;

  const entries = String(forwardedFor); // only Node's types allow a list here
  for (let start = 0, end = entries.length; end > 0 && isInAny(caller, trustedProxies); end = start - 1) {
    start = entries.lastIndexOf(',', end - 1) + 1;
    const address = parseForwardedEntry(entries.slice(start, end).trim());
    if (address === undefined) break; // no trusted proxy vouches for the entries before it
    caller = address;
  }
  return caller;
}

/** Names the addresses that share a limit of connections. Undefined for a proxy: it has many clients. */
export function connectionGroup(socket: Socket, trustedProxies: readonly Cidr[]): string | undefined {
  if (socket.remoteAddress === undefined) return undefined; // a Unix socket, or a connection that has ended
  const peer = peerAddress(socket.remoteAddress);
  return !knownCallers.has(socket) && isInAny(peer, trustedProxies) ? undefined : limitGroup(peer);
}

/** Parses an address that may have a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function parseForwardedEntry(text: string): Address | undefined {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text);
  if (bracketed?.[1] !== undefined) return parseAddress(bracketed[1]);
  const withPort = /^([\d.]+):\d+$/.exec(text);
  return parseAddress(withPort?.[1] ?? text);
}

function ipv4Bytes(text: string): number[] {
  return text.split('.').map(Number);
}

/** `text` must be a valid IPv6 address without a zone. */
function ipv6Bytes(text: string): number[] {
  const gap = text.indexOf('::');
  if (gap < 0) return hextetBytes(text);
  const head = hextetBytes(text.slice(0, gap));
  const tail = hextetBytes(text.slice(gap + 2));
  return [...head, ...new Array<number>(16 - head.length - tail.length).fill(0), ...tail];
}

function hextetBytes(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((hextet) => {
    if (hextet.includes('.')) return ipv4Bytes(hextet);
    const value = Number.parseInt(hextet, 16);
    return [value >> 8, value & 0xff];
  });
}

function isMappedIpv4(bytes: readonly number[]): boolean {
  return bytes[10] === 0xff && bytes[11] === 0xff && bytes.slice(0, 10).every((byte) => byte === 0);
}

function hextets(address: Address, count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    (((address.bytes[2 * i] ?? 0) << 8) | (address.bytes[2 * i + 1] ?? 0)).toString(16),
  );
}
