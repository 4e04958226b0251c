/**
 * The key of the page at `/`. It works only for calls from the page's own origin, and has its own rate
 * limit. The page shows it, so it keeps nobody out: it tells the page's calls from those of others.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type KeyRecord, MAX_RECORDS } from '../../access/keys/key-record.ts';

/** Enough to type, move the map and click without a pause. */
const CALLS_PER_MINUTE = 300;

export const PAGE_KEY: KeyRecord = {
  id: 'page',
  label: 'the page at /',
  maxRecords: MAX_RECORDS,
  perMinute: CALLS_PER_MINUTE,
  perDay: undefined,
  allowedOrigins: [],
  allowedCidrs: [],
  createdAt: 0,
  expiresAt: undefined,
  revokedAt: undefined,
  lastUsedAt: undefined,
};

/** Browsers send the header Origin with every POST. The scheme may differ behind a TLS proxy. */
export function isOwnOrigin({ origin = '', host }: IncomingHttpHeaders): boolean {
  const [, originHost] = /^https?:\/\/(.+)$/i.exec(origin) ?? [];
  return host !== undefined && originHost?.toLowerCase() === host.toLowerCase();
}
