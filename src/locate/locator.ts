/** Locates IP addresses with MaxMind DB files, in DB-IP's flat or MaxMind's nested schema. */
import { BlockList, isIP, isIPv4 } from 'node:net';
import type { LatLng } from '../place/sphere.ts';
import type { IpDatabase } from './ip-database.ts';
import { MmdbReader } from './mmdb-reader.ts';

/** Locates an IP address; undefined if the address is malformed, not routable or unknown. */
type Locate = (address: string) => LatLng | undefined;

export function createLocator(databases: readonly IpDatabase[]): Locate {
  const finders = databases.map(createFinder);
  return (raw) => {
    const address = normalizeAddress(raw);
    if (address === undefined || UNROUTABLE.check(address, familyOf(address))) return undefined;
    for (const find of finders) {
      const coordinates = find(address);
      if (coordinates !== undefined) return coordinates;
    }
    return undefined;
  };
}

function createFinder({ file }: IpDatabase): Locate {
  let reader: MmdbReader | undefined;
  return (address) => {
    try {
      if (reader === undefined || reader.isOutdated()) reader = new MmdbReader(file);
      return parseCoordinates(reader.find(address));
    } catch {
      return undefined; // a damaged record must not fail the request
    }
  };
}

/** Drops a zone (`%eth0`), and turns IPv4 mapped to IPv6 into plain IPv4. */
function normalizeAddress(raw: string): string | undefined {
  const address = raw.split('%', 1)[0] ?? '';
  if (isIP(address) !== 6) return isIPv4(address) ? address : undefined;
  // the URL parser writes IPv6 addresses canonically: `::ffff:8.8.8.8` as `::ffff:808:808`
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped === null) return canonical;
  const high = Number.parseInt(mapped[1] ?? '', 16);
  const low = Number.parseInt(mapped[2] ?? '', 16);
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

function parseCoordinates(record: unknown): LatLng | undefined {
  if (!isObject(record)) return undefined;
  const { latitude, longitude } = isObject(record.location) ? record.location : record;
  const lat = toNumber(latitude);
  const lng = toNumber(longitude);
  if (lat === undefined || lng === undefined || Math.abs(lat) > 90 || Math.abs(lng) > 180) return undefined;
  return { lat: roundDegrees(lat), lng: roundDegrees(lng) };
}

/** Rounds to five decimals (a metre). */
function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && value.trim() !== '') return toNumber(Number(value));
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

// networks without internet clients, from IANA's lists
const UNROUTABLE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3], // multicast and reserved
  ['::', 96], // unspecified, loopback and obsolete IPv4-compatible addresses
  ['100::', 64],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  UNROUTABLE.addSubnet(network, prefix, familyOf(network));
}
