/** Locates IP addresses with MaxMind DB files, in DB-IP's flat or MaxMind's nested schema. */
import { isInAny, parseAddress, parseCidr } from 'toponym-access/address';
import type { LatLng } from 'toponym-engine/place/sphere';
import type { IpDatabase } from './ip-database.ts';
import { MmdbReader } from './mmdb-reader.ts';

export function createLocator(databases: readonly IpDatabase[]) {
  const finders = databases.map(createFinder);
  /** Locates an IP address; undefined if the address is malformed, not routable or unknown. */
  return (text: string): LatLng | undefined => {
    const address = parseAddress(text);
    if (address === undefined || isInAny(address, UNROUTABLE)) return undefined;
    for (const find of finders) {
      const coordinates = find(address.bytes);
      if (coordinates !== undefined) return coordinates;
    }
    return undefined;
  };
}

function createFinder({ file }: IpDatabase) {
  let reader: MmdbReader | undefined;
  return (address: readonly number[]): LatLng | undefined => {
    try {
      reader ??= new MmdbReader(file);
      return parseCoordinates(reader.find(address));
    } catch {
      return undefined; // a damaged record must not fail the request
    }
  };
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

/**
 * Networks without internet clients, from IANA's lists. 224.0.0.0/3 is multicast and reserved, and ::/96 is unspecified,
 * loopback and obsolete IPv4-compatible addresses.
 */
const UNROUTABLE = [
  ...'0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24'.split(' '),
  ...'192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3'.split(' '),
  ...'::/96 100::/64 2001:db8::/32 fc00::/7 fe80::/10 ff00::/8'.split(' '),
].map((block) => parseCidr(block)!);
