/**
 * Admission: decides by rate limit and API key whether a call is answered. Calls with a bad key
 * count too. Static pages need no key, but have a limit of their own.
 */
import type { IncomingMessage } from 'node:http';
import { type Address, type Cidr, clientAddress, limitGroup, peerAddress } from '../access/address.ts';
import { judgeKey, type KeyRecord, type KeyVerdict } from '../access/keys/key-record.ts';
import type { KeyLookup } from '../access/keys/key-store.ts';
import type { RateLimiter } from '../access/limits/rate-limiter.ts';
import { type Allowance, WINDOW_MS } from '../access/limits/sliding-log.ts';
import { ERRORS, type ErrorCode, RequestError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { isProxyCaller } from './proxy-callers.ts';

export interface AdmissionRules {
  readonly keys: KeyLookup;
  readonly limiter: RateLimiter;
  readonly trustedProxies: readonly Cidr[];
  /** Such as `X-Service-Key`. */
  readonly keyHeader: string;
  readonly keyHeaderLowerCase: string;
  /** Wall clock, for the expiry of keys. */
  readonly now: () => number;
  /** Monotonic clock, for rate limits. */
  readonly monotonicNow: () => number;
}

export type RateLimitRules = Pick<AdmissionRules, 'limiter' | 'trustedProxies' | 'monotonicNow'>;

export interface Caller {
  readonly address: Address;
  readonly key: KeyRecord;
}

interface RateLimit {
  /** Shown in the rate-limit headers. */
  readonly policy: 'default' | 'key' | 'pages';
  /** Replaces the limiter's default. Each `keyId` is counted separately. */
  readonly ownLimit?: { readonly keyId: string; readonly perMinute: number };
}

const DEFAULT_LIMIT: RateLimit = { policy: 'default' };
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
  rules.keys.touch(validKey.id, nowMs);
  exchange.keyId = validKey.id;
  return { address, key: validKey };
}

/** Counts a request for a static page. Throws `rate_limited` beyond the limit. */
export function countPageRequest(rules: RateLimitRules, exchange: Exchange): void {
  countRequest(rules, exchange, { address: addressOf(rules, exchange.request), limit: PAGE_LIMIT });
}

function addressOf(rules: RateLimitRules, { socket, headers }: IncomingMessage): Address {
  const peer = peerAddress(socket.remoteAddress);
  if (isProxyCaller(socket)) return peer;
  return clientAddress(peer, headerText(headers['x-forwarded-for']), rules.trustedProxies);
}

function rateLimitOf(key: KeyRecord | undefined): RateLimit | 'unlimited' {
  if (key?.perMinute === undefined) return DEFAULT_LIMIT;
  if (key.perMinute === 'unlimited') return 'unlimited';
  return { policy: 'key', ownLimit: { keyId: key.id, perMinute: key.perMinute } };
}

/** Also adds the rate-limit headers. Throws `rate_limited` beyond the limit. */
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

function retrySeconds(allowance: Allowance): number {
  return Math.max(1, Math.ceil(allowance.retryAfterMs / 1000));
}

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

/** A header as one string. Only Node's types allow a list here. */
function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}
