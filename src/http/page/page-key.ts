/**
 * The key of the page at `/`. It works only for calls from the page's own origin, and has its own rate
 * limit. The page shows it, so it keeps nobody out: it tells the page's calls from those of others.
 */
import { type KeyRecord, MAX_RECORDS, OWN_ORIGIN } from '../../access/keys/key-record.ts';
import type { KeyLookup } from '../../access/keys/key-store.ts';

/** Enough to type, move the map and click without a pause. */
const CALLS_PER_MINUTE = 300;

const PAGE_KEY: KeyRecord = {
  id: 'page',
  label: 'the page at /',
  maxRecords: MAX_RECORDS,
  perMinute: CALLS_PER_MINUTE,
  perDay: undefined,
  allowedOrigins: [OWN_ORIGIN],
  allowedCidrs: [],
  createdAt: 0,
  expiresAt: undefined,
  revokedAt: undefined,
  lastUsedAt: undefined,
};

/** The keys of a store, and that of the page, whose text is `pageKey`. No store has it. */
export function withPageKey(keys: KeyLookup, pageKey: string | undefined): KeyLookup {
  if (pageKey === undefined) return keys;
  return {
    find: (keyText) => (keyText === pageKey ? PAGE_KEY : keys.find(keyText)),
    touch: (id, nowMs) => {
      if (id !== PAGE_KEY.id) keys.touch(id, nowMs);
    },
  };
}
