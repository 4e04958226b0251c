/**
 * Client addresses: parsing, grouping for limits, matching against CIDR blocks. `::ffff:a.b.c.d` is
 * always the IPv4 address a.b.c.d, so a dual-stack socket does not split a client in two.
 */
import { isIP } from 'node:net';

export interface Address {
  readonly family: 4 | 6;
  /** 4 or 16 bytes. */
  readonly bytes: readonly number[];
}

export interface Cidr {
  readonly address: Address;
  readonly prefixLength: number;
}

/** Parses an IPv4 or IPv6 address; a zone id (`%eth0`) is dropped. */
export function parseAddress(text: string): Address | undefined {
  const version = isIP(text);
  if (version === 4) return { family: 4, bytes: ipv4Bytes(text) };
  if (version !== 6) return undefined;
  const zone = text.indexOf('%');
  const bytes = ipv6Bytes(zone < 0 ? text : text.slice(0, zone));
  return isMappedIpv4(bytes) ? { family: 4, bytes: bytes.slice(12) } : { family: 6, bytes };
}

export function formatAddress(address: Address): string {
  return address.family === 4 ? address.bytes.join('.') : hextets(address, 8).join(':');
}

/** The unit that rate limits count: an IPv4 address, or an IPv6 /64 (one subscriber). */
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
  if (slash < 0) return { address, prefixLength: addressBits };

  const prefixText = text.slice(slash + 1);
  if (!/^\d{1,3}$/.test(prefixText)) return undefined;
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8: its prefix length counts the 96 bits before the IPv4 address
  const writtenBits = isIP(addressText) === 6 ? 128 : 32;
  const prefixLength = Number(prefixText) - (writtenBits - addressBits);
  if (prefixLength < 0 || prefixLength > addressBits) return undefined;
  return { address, prefixLength };
}

export function isInCidr(address: Address, cidr: Cidr): boolean {
  if (address.family !== cidr.address.family) return false;
  let bitsLeft = cidr.prefixLength;
  for (let i = 0; bitsLeft > 0; i++) {
    const mask = bitsLeft >= 8 ? 0xff : (0xff << (8 - bitsLeft)) & 0xff;
    if (((address.bytes[i] ?? 0) & mask) !== ((cidr.address.bytes[i] ?? 0) & mask)) return false;
    bitsLeft -= 8;
  }
  return true;
}

export function isInAny(address: Address, blocks: readonly Cidr[]): boolean {
  return blocks.some((block) => isInCidr(address, block));
}

const LOOPBACK: Address = { family: 4, bytes: [127, 0, 0, 1] };

/** Address of the other end of a connection; loopback for Unix sockets, which have no address. */
export function peerAddress(peer: string | undefined): Address {
  return parseAddress(peer ?? '') ?? LOOPBACK;
}

/**
 * Address of the client. Each proxy appends the address of its peer to `X-Forwarded-For`, so the
 * entries are read from the right, as long as the address read last is that of a trusted proxy.
 * Reading stops at a malformed entry, so that no client is mistaken for another.
 */
export function clientAddress(
  peer: Address,
  forwardedFor: string | undefined,
  trustedProxies: readonly Cidr[],
): Address {
  let client = peer;
  if (forwardedFor === undefined || trustedProxies.length === 0) return client;

  const hops = forwardedFor.split(',');
  for (let i = hops.length - 1; i >= 0 && isInAny(client, trustedProxies); i--) {
    const hop = parseHop((hops[i] ?? '').trim());
    if (hop === undefined) break;
    client = hop;
  }
  return client;
}

/** Parses an entry that may have a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function parseHop(text: string): Address | undefined {
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
  if (gap < 0) return groupBytes(text);
  const head = groupBytes(text.slice(0, gap));
  const tail = groupBytes(text.slice(gap + 2));
  return [...head, ...new Array<number>(16 - head.length - tail.length).fill(0), ...tail];
}

function groupBytes(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return ipv4Bytes(group);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

function isMappedIpv4(bytes: readonly number[]): boolean {
  return bytes[10] === 0xff && bytes[11] === 0xff && bytes.slice(0, 10).every((byte) => byte === 0);
}

/** The first `count` groups of 16 bits, in hexadecimal. */
function hextets(address: Address, count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    (((address.bytes[2 * i] ?? 0) << 8) | (address.bytes[2 * i + 1] ?? 0)).toString(16),
  );
}
