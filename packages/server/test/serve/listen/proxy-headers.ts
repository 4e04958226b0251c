/** PROXY protocol headers as proxies send them. */
import { parseAddress } from 'toponym-access/address';

export const V2_SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');

/** A v1 line of a client with this address, or of a proxy that knows none. */
export function v1Header(source?: string): Buffer {
  if (source === undefined) return Buffer.from('PROXY UNKNOWN\r\n');
  const [protocol, destination] = source.includes(':') ? ['TCP6', '2001:db8::443'] : ['TCP4', '198.51.100.1'];
  return Buffer.from(`PROXY ${protocol} ${source} ${destination} 56324 443\r\n`);
}

/** A v2 header of a client with this address; the LOCAL command without one. */
export function v2Header(source?: string, extensions = Buffer.alloc(0)): Buffer {
  if (source === undefined) return rawV2Header(0x20, 0x00, extensions);
  const isIpv6 = source.includes(':');
  const address = isIpv6 ? ipv6Bytes(source) : Buffer.from(source.split('.').map(Number));
  const ports = Buffer.from([0xdc, 0x04, 0x01, 0xbb]);
  const rest = Buffer.concat([address, Buffer.alloc(address.length, 9), ports, extensions]);
  return rawV2Header(0x21, isIpv6 ? 0x21 : 0x11, rest);
}

export function rawV2Header(command: number, protocol: number, rest: Buffer): Buffer {
  const fixed = Buffer.from([...V2_SIGNATURE, command, protocol, rest.length >> 8, rest.length & 0xff]);
  return Buffer.concat([fixed, rest]);
}

/** The 16 bytes of an IPv6 address, also of `::ffff:192.0.2.1`. */
function ipv6Bytes(text: string): Buffer {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`not an address: ${text}`);
  const mapped = [...Array<number>(10).fill(0), 0xff, 0xff, ...address.bytes];
  return Buffer.from(address.family === 6 ? address.bytes : mapped);
}
