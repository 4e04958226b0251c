/**
 * Parser of the PROXY protocol, versions 1 and 2. A proxy sends the header before all other bytes
 * of a connection, to tell the client's address. The parser is pure: the caller collects the bytes
 * and calls it again with more.
 */
import { isIP } from 'node:net';
import { type Address, formatAddress, parseAddress } from '../../access/address.ts';

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

/** Parses the header at the start of the bytes received so far. Never throws. */
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
