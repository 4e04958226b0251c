/**
 * Admission: decides by rate limit and key whether a call to the three endpoints is answered. It
 * runs before the body is read. The limit comes first: a call over the limit gets 429 whatever else
 * is wrong with it, and calls with a bad key are counted too.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { type Address, type Cidr, clientAddress, limitGroup, peerAddress } from '../access/address.ts';
import { judgeKey, type KeyRecord, type KeyVerdict } from '../access/keys/key-record.ts';
import type { KeyLookup } from '../access/keys/key-store.ts';
import type { RateLimiter } from '../access/limits/rate-limiter.ts';
import { type Allowance, WINDOW_MS } from '../access/limits/sliding-log.ts';
import { type ErrorCode, RequestError } from './errors.ts';

export interface AdmissionRules {
  readonly keys: KeyLookup;
  readonly limiter: RateLimiter;
  readonly trustedProxies: readonly Cidr[];
  /** The header's name, such as `X-Service-Key`. */
  readonly keyHeader: string;
  /** The header's name in lower case, as in `IncomingMessage.headers`. */
  readonly keyField: string;
  /** Wall clock, for expiry. */
  readonly now: () => number;
  /** Monotonic clock, for limits. */
  readonly monotonicNow: () => number;
}

export interface Caller {
  readonly address: Address;
  readonly key: KeyRecord;
}

export interface Admission {
  /** Rate-limit headers of the response: a flat list [name, value, …]. */
  readonly headers: readonly string[];
  /** The admitted caller, or the error. */
  readonly outcome: Caller | RequestError;
}

export interface IncomingCall {
  readonly socket: Socket;
  readonly headers: IncomingHttpHeaders;
}

/** The rules that limit requests for pages. */
export type PageLimitRules = Pick<AdmissionRules, 'limiter' | 'trustedProxies' | 'monotonicNow'>;

/** Requests for pages per address in any 60 seconds, counted separately from calls. */
const PAGES_PER_MINUTE = 60;

/** Counts a request for a page. `error` is set if the address is over its limit. */
export function takePageAllowance(
  rules: PageLimitRules,
  call: IncomingCall,
): { readonly headers: readonly string[]; readonly error?: RequestError } {
  const ownLimit = { keyId: 'pages', perMinute: PAGES_PER_MINUTE };
  const group = limitGroup(addressOf(rules, call));
  const allowance = rules.limiter.take({ group, ownLimit, nowMs: rules.monotonicNow() });
  const headers = rateLimitHeaders(allowance, 'pages');
  return allowance.accepted ? { headers } : { headers, error: rateLimitError(allowance, 'requests for pages') };
}

export function admit(rules: AdmissionRules, call: IncomingCall): Admission {
  const { headers } = call;
  const address = addressOf(rules, call);
  const keyText = headerText(headers[rules.keyField]);
  const key = keyText === undefined ? undefined : rules.keys.find(keyText);
  const nowMs = rules.now();
  const verdict = judgeKey(key, { nowMs, origin: headers.origin, address });

  const goodKey = verdict === 'ok' ? key : undefined;
  const allowance = takeAllowance(rules, goodKey, address);
  const limitHeaders =
    allowance === 'unlimited' ? [] : rateLimitHeaders(allowance, goodKey?.perMinute === undefined ? 'default' : 'key');
  if (allowance !== 'unlimited' && !allowance.accepted) {
    return { headers: limitHeaders, outcome: rateLimitError(allowance) };
  }
  if (goodKey === undefined) {
    return { headers: limitHeaders, outcome: keyError(keyText, verdict, rules.keyHeader) };
  }
  rules.keys.touch(goodKey.id, nowMs);
  return { headers: limitHeaders, outcome: { address, key: goodKey } };
}

function addressOf(rules: PageLimitRules, { socket, headers }: IncomingCall): Address {
  return clientAddress(peerAddress(socket.remoteAddress), headerText(headers['x-forwarded-for']), rules.trustedProxies);
}

function takeAllowance(rules: AdmissionRules, key: KeyRecord | undefined, address: Address): Allowance | 'unlimited' {
  const perMinute = key?.perMinute;
  if (perMinute === 'unlimited') return 'unlimited';
  const ownLimit = key === undefined || perMinute === undefined ? undefined : { keyId: key.id, perMinute };
  return rules.limiter.take({ group: limitGroup(address), ownLimit, nowMs: rules.monotonicNow() });
}

/** Headers of draft-ietf-httpapi-ratelimit-headers-11 and the older X- form; seconds rounded up. */
function rateLimitHeaders(allowance: Allowance, policy: 'default' | 'key' | 'pages'): string[] {
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

function rateLimitError(allowance: Allowance, what = 'calls'): RequestError {
  const message = `more than ${allowance.limit} ${what} in 60 seconds; try again in ${retrySeconds(allowance)} s`;
  return new RequestError('rate_limited', { message });
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

/** Node provides a header that was sent twice as a list, or as one string joined with commas. */
function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}
