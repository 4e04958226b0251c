/** URLs to download from, and how to show them. */
import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Why a URL is refused, such as "must be https"; undefined if it is allowed. */
export function urlRefusal(url: URL): string | undefined {
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return undefined;
  return 'must be https (http is for loopback addresses only)';
}

export function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost') return true;
  const address = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Formats a URL without user, password and query, which may be secrets. */
export function publicUrl({ origin, pathname }: URL): string {
  return origin + pathname;
}
