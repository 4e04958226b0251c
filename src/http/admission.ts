/**
 * Admission: decides by rate limit and API key whether a call is answered. Calls are requests to
 * the endpoints query, id and reverse. A call with a bad key counts too: beyond the limit, it gets
 * 429 instead of 401 or 403. The key is looked up first, because it may have its own limit.
 * Requests for static pages (service-routes.ts) need no key, but have a limit too.
 */
import type { IncomingMessage } from 'node:http';
import { type Address, type Cidr, clientAddress, limitGroup, peerAddress } from '../access/address.ts';
import { judgeKey, type KeyRecord, type KeyVerdict } from '../access/keys/key-record.ts';
import type { KeyLookup } from '../access/keys/key-store.ts';
import type { RateLimiter } from '../access/limits/rate-limiter.ts';
import { type Allowance, WINDOW_MS } from '../access/limits/sliding-log.ts';
import { ERRORS, type ErrorCode, RequestError } from './errors.ts';
import type { Exchange } from './exchange.ts';

export interface AdmissionRules {
  readonly keys: KeyLookup;
  readonly limiter: RateLimiter;
  readonly trustedProxies: readonly Cidr[];
  /** Name of the header for API keys, such as `X-Service-Key`. */
  readonly keyHeader: string;
  /** The same name in lower case, as in `IncomingMessage.headers`. */
  readonly keyHeaderLowerCase: string;
  /** Wall clock, for the expiry of keys. */
  readonly now: () => number;
  /** Monotonic clock, for rate limits. */
  readonly monotonicNow: () => number;
}

/** What is needed to count a request against a rate limit. */
export type RateLimitRules = Pick<AdmissionRules, 'limiter' | 'trustedProxies' | 'monotonicNow'>;

export interface Caller {
  readonly address: Address;
  readonly key: KeyRecord;
}

interface RateLimit {
  /** Shown in the rate-limit headers. */
  readonly policy: 'default' | 'key' | 'pages';
  /** Replaces the limiter's default. Requests with different `keyId`s are counted separately. */
  readonly ownLimit?: { readonly keyId: string; readonly perMinute: number };
}

const DEFAULT_LIMIT: RateLimit = { policy: 'default' };
/** Requests for static pages are counted as if they had a key with the id `pages`. */
const PAGE_LIMIT: RateLimit = { policy: 'pages', ownLimit: { keyId: 'pages', perMinute: 60 } };

/**
 * Checks the key of a call. Unless the key is unlimited, counts the call and adds the rate-limit
 * headers to its response. Throws RequestError if the call is not admitted.
 */
export function admit(rules: AdmissionRules, exchange: Exchange): Caller {
  const { headers } = exchange.request;
  const address = addressOf(rules, exchange.request);
  const keyText = headerText(headers[rules.keyHeaderLowerCase]);
  const key = keyText === undefined ? undefined : rules.keys.find(keyText);
  const nowMs = rules.now();
  const verdict = judgeKey(key, { nowMs, origin: headers.origin, address });

  const validKey = verdict === 'ok' ? key : undefined;
  const limit = rateLimitOf(validKey);
  if (limit !== 'unlimited') countRequest(rules, exchange, { address, limit });
  if (validKey === undefined) {
    const error = keyError(keyText, verdict, rules.keyHeader);
    if (ERRORS[error.code].status === 401) {
      exchange.responseHeaders.push('www-authenticate', `ApiKey header="${rules.keyHeader}"`);
    }
    throw error;
  }
  rules.keys.touch(validKey.id, nowMs); // notes the time of use
  exchange.keyId = validKey.id;
  return { address, key: validKey };
}

/** Counts a request for a static page. Throws `rate_limited` if its address sent too many. */
export function countPageRequest(rules: RateLimitRules, exchange: Exchange): void {
  countRequest(rules, exchange, { address: addressOf(rules, exchange.request), limit: PAGE_LIMIT });
}

function addressOf(rules: RateLimitRules, { socket, headers }: IncomingMessage): Address {
  return clientAddress(peerAddress(socket.remoteAddress), headerText(headers['x-forwarded-for']), rules.trustedProxies);
}

function rateLimitOf(key: KeyRecord | undefined): RateLimit | 'unlimited' {
  if (key?.perMinute === undefined) return DEFAULT_LIMIT;
  if (key.perMinute === 'unlimited') return 'unlimited';
  return { policy: 'key', ownLimit: { keyId: key.id, perMinute: key.perMinute } };
}

/** Also adds the rate-limit headers. Throws `rate_limited` if the limit was used up already. */
function countRequest(
  rules: RateLimitRules,
  exchange: Exchange,
  { address, limit }: { readonly address: Address; readonly limit: RateLimit },
): void {
  const { policy, ownLimit } = limit;
  const allowance = rules.limiter.take({ group: limitGroup(address), ownLimit, nowMs: rules.monotonicNow() });
  exchange.responseHeaders.push(...rateLimitHeaders(allowance, policy));
  if (allowance.accepted) return;
  const requests = policy === 'pages' ? 'requests for pages' : 'calls';
  throw new RequestError('rate_limited', {
    message: `more than ${allowance.limit} ${requests} in 60 seconds; try again in ${retrySeconds(allowance)} s`,
  });
}

/** Headers of draft-ietf-httpapi-ratelimit-headers-11 and the older X- form. */
function rateLimitHeaders(allowance: Allowance, policy: RateLimit['policy']): string[] {
  const { limit, remaining } = allowance;
  const resetSeconds = Math.ceil(allowance.resetMs / 1000);
  const headers = ['ratelimit-policy', `"${policy}";q=${limit};w=${WINDOW_MS / 1000}`];
  headers.push('ratelimit', `"${policy}";r=${remaining};t=${resetSeconds}`);
  headers.push('x-ratelimit-limit', String(limit));
  headers.push('x-ratelimit-remaining', String(remaining));
  headers.push('x-ratelimit-reset', String(resetSeconds));
  if (!allowance.accepted) headers.push('retry-after', String(retrySeconds(allowance)));
  return headers;
}

/** At least 1, so that no client is told to try again at once. */
function retrySeconds(allowance: Allowance): number {
  return Math.max(1, Math.ceil(allowance.retryAfterMs / 1000));
}

/** The verdict `unknown` is not here: `keyError` tells a missing key from an unknown one. */
const ERROR_BY_VERDICT: Readonly<Partial<Record<KeyVerdict, ErrorCode>>> = {
  expired: 'key_expired',
  revoked: 'key_revoked',
  origin_not_allowed: 'origin_not_allowed',
  address_not_allowed: 'address_not_allowed',
};

function keyError(keyText: string | undefined, verdict: KeyVerdict, keyHeader: string): RequestError {
  if (keyText === undefined || keyText === '') {
    return new RequestError('key_missing', { message: `an API key is required; send it in the header ${keyHeader}` });
  }
  return new RequestError(ERROR_BY_VERDICT[verdict] ?? 'key_unknown');
}

/** A header as one string. Node joins repeated headers with commas; only its types allow a list. */
function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}
