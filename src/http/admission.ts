/**
 * Admission: decides by rate limit, API key and quota whether a call is answered. Calls with a bad
 * key count for the rate limit. A quota counts the calls that the rate limit has accepted. Static
 * pages need no key, but have a limit of their own.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type Address, type Cidr, limitGroup } from '../access/address.ts';
import { judgeKey, type KeyRecord, type KeyVerdict, MAX_RECORDS } from '../access/keys/key-record.ts';
import type { KeyLookup } from '../access/keys/key-store.ts';
import { DAY_MS, type QuotaCall } from '../access/limits/quota-table.ts';
import type { RateCall, RateLimiter } from '../access/limits/rate-limiter.ts';
import { type Allowance, WINDOW_MS } from '../access/limits/sliding-log.ts';
import { callerAddress } from './caller-address.ts';
import { ERRORS, type ErrorCode, RequestError } from './errors.ts';
import type { Exchange } from './exchange.ts';

/**
 * The key of the page at `/`. It works only for calls from the page's own origin, and has its own rate
 * limit. The page shows it, so it keeps nobody out: it tells the page's calls from those of others.
 */
const PAGE_KEY: KeyRecord = {
  id: 'page',
  label: 'the page at /',
  maxRecords: MAX_RECORDS,
  perMinute: 300, // enough to type, move the map and click without a pause
  perDay: undefined,
  allowedOrigins: [],
  allowedCidrs: [],
  createdAt: 0,
  expiresAt: undefined,
  revokedAt: undefined,
  lastUsedAt: undefined,
};

export interface AdmissionRules {
  readonly keys: KeyLookup;
  /** The pages, whose key is not one of `keys`. */
  readonly pages?: { readonly key: string | undefined } | undefined;
  /** Counts the calls of this machine. */
  readonly limiter: RateLimiter;
  /** Counts the calls of all machines, but not requests for pages. */
  readonly sharedLimiter?: AsyncRateLimiter | undefined;
  /** Counts the calls of keys that have a quota. */
  readonly quotas: Quotas;
  readonly trustedProxies: readonly Cidr[];
  /** Such as `X-Service-Key`. */
  readonly keyHeader: string;
  readonly keyHeaderLowerCase: string;
  /** Wall clock, for the expiry of keys and for quotas. */
  readonly now: () => number;
  /** Monotonic clock, for rate limits. */
  readonly monotonicNow: () => number;
}

export type RateLimitRules = Pick<AdmissionRules, 'limiter' | 'trustedProxies' | 'monotonicNow'>;

/** Decides about calls, now or in a later tick. Calls `fail` if the decision throws later. */
export interface AsyncRateLimiter {
  take(
    call: RateCall,
    decide: (allowance: Allowance, hasWaitedInVain: boolean) => void,
    fail: (error: Error) => void,
  ): void;
}

/** Decides about calls with a key that has a quota, as `AsyncRateLimiter` does about others. */
export interface Quotas {
  take(call: QuotaCall, decide: (allowance: Allowance) => void, fail: (error: Error) => void): void;
}

export interface Caller {
  readonly address: Address;
  readonly key: KeyRecord;
}

interface RateLimit {
  /** Shown in the rate-limit headers. */
  readonly policy: 'default' | 'key' | 'pages';
  /** Replaces the limiter's default. Each `keyId` is counted separately. */
  readonly ownLimit?: RateCall['ownLimit'];
}

const DEFAULT_LIMIT: RateLimit = { policy: 'default' };
/** Requests for pages and their files: a page that is not cached takes nine. */
const PAGE_LIMIT = { keyId: 'pages', perMinute: 300 };

type Next = (caller: Caller | Error) => void;

/**
 * Checks the key of a call. Counts the call and adds the rate-limit headers to its response, unless
 * the key has neither limit nor quota. Calls `next` with the caller, or with the error to send:
 * now, or in a later tick if limits are shared.
 */
export function admit(rules: AdmissionRules, exchange: Exchange, next: Next): void {
  const address = callerAddress(exchange.request, rules.trustedProxies);
  const judged = judgeCall(rules, exchange, address);
  const limit = rateLimitOf(judged.validKey);
  if (limit === 'unlimited') {
    admitWithinQuota(rules, exchange, judged, next);
    return;
  }
  const { policy, ownLimit } = limit;
  const call = { group: limitGroup(address), ownLimit, nowMs: rules.monotonicNow() };
  const decide = (allowance: Allowance, judgedNow: JudgedCall) => {
    const refusal = applyAllowance(exchange, policy, allowance);
    if (refusal === undefined) {
      admitWithinQuota(rules, exchange, judgedNow, next);
      return;
    }
    showQuota(exchange, judgedNow.validKey?.perDay);
    next(refusal);
  };
  const { sharedLimiter } = rules;
  if (sharedLimiter === undefined) decide(rules.limiter.take(call), judged);
  else {
    const decideLater = (allowance: Allowance, hasWaitedInVain: boolean) => {
      // the key is judged again, because it may have been revoked meanwhile
      const judgedNow = judgeCall(rules, exchange, address);
      decide(allowance, hasWaitedInVain ? { ...judgedNow, hasWaitedInVain } : judgedNow);
    };
    sharedLimiter.take(call, decideLater, next);
  }
}

/** Decides about a call that the rate limit has accepted. */
function admitWithinQuota(rules: AdmissionRules, exchange: Exchange, judged: JudgedCall, next: Next): void {
  const { address, validKey, hasWaitedInVain = false } = judged;
  if (validKey?.perDay === undefined) {
    next(toCaller(rules, exchange, judged));
    return;
  }
  const { id: keyId, perDay } = validKey;
  showQuota(exchange, perDay);
  const decide = (allowance: Allowance) => {
    const refusal = applyQuota(exchange, allowance);
    next(refusal ?? toCaller(rules, exchange, judgeCall(rules, exchange, address)));
  };
  rules.quotas.take({ keyId, perDay, nowMs: rules.now(), hasWaitedInVain }, decide, next);
}

interface JudgedCall {
  readonly address: Address;
  readonly keyText: string | undefined;
  readonly verdict: KeyVerdict;
  /** Undefined unless the verdict is `ok`. */
  readonly validKey: KeyRecord | undefined;
  /** Whether the call has waited for Redis in vain, and must not wait again. */
  readonly hasWaitedInVain?: boolean;
}

function judgeCall(rules: AdmissionRules, { request: { headers } }: Exchange, address: Address): JudgedCall {
  const keyText = headerText(headers[rules.keyHeaderLowerCase]);
  if (keyText !== undefined && keyText === rules.pages?.key) return judgePageCall(headers, address, keyText);
  const key = keyText === undefined ? undefined : rules.keys.find(keyText);
  const verdict = judgeKey(key, { nowMs: rules.now(), origin: headers.origin, address });
  return { address, keyText, verdict, validKey: verdict === 'ok' ? key : undefined };
}

function judgePageCall(headers: IncomingHttpHeaders, address: Address, keyText: string): JudgedCall {
  const isOwn = isOwnOrigin(headers);
  return { address, keyText, verdict: isOwn ? 'ok' : 'origin_not_allowed', validKey: isOwn ? PAGE_KEY : undefined };
}

function toCaller(rules: AdmissionRules, exchange: Exchange, judged: JudgedCall): Caller | RequestError {
  const { address, keyText, verdict, validKey } = judged;
  if (validKey === undefined) {
    const error = keyError(keyText, verdict, rules.keyHeader);
    if (ERRORS[error.code].status === 401) {
      exchange.responseHeaders.push('www-authenticate', `ApiKey header="${rules.keyHeader}"`);
    }
    return error;
  }
  if (validKey !== PAGE_KEY) rules.keys.touch(validKey.id, rules.now());
  exchange.keyId = validKey.id;
  return { address, key: validKey };
}

/** Counts a request for a static page. Throws `rate_limited` beyond the limit. */
export function countPageRequest(rules: RateLimitRules, exchange: Exchange): void {
  const group = limitGroup(callerAddress(exchange.request, rules.trustedProxies));
  const call = { group, ownLimit: PAGE_LIMIT, nowMs: rules.monotonicNow() };
  const refusal = applyAllowance(exchange, 'pages', rules.limiter.take(call));
  if (refusal !== undefined) throw refusal;
}

function rateLimitOf(key: KeyRecord | undefined): RateLimit | 'unlimited' {
  if (key?.perMinute === undefined) return DEFAULT_LIMIT;
  if (key.perMinute === 'unlimited') return 'unlimited';
  return { policy: 'key', ownLimit: { keyId: key.id, perMinute: key.perMinute } };
}

/** Adds the rate-limit headers. Returns the error of a refused request. */
function applyAllowance(
  exchange: Exchange,
  policy: RateLimit['policy'],
  allowance: Allowance,
): RequestError | undefined {
  exchange.responseHeaders.push(...rateLimitHeaders(allowance, policy));
  if (allowance.accepted) return undefined;
  const requests = policy === 'pages' ? 'requests for pages' : 'calls';
  return new RequestError('rate_limited', {
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

/** Adds the quota to the policies that apply to a call. */
function showQuota(exchange: Exchange, perDay: number | undefined): void {
  if (perDay === undefined) return;
  appendItem(exchange.responseHeaders, 'ratelimit-policy', `"day";q=${perDay};w=${DAY_MS / 1000}`);
}

/** Adds what is left of the quota to the headers. Returns the error of a refused call. */
function applyQuota({ responseHeaders }: Exchange, allowance: Allowance): RequestError | undefined {
  const { accepted, limit, remaining } = allowance;
  const resetSeconds = Math.ceil(allowance.resetMs / 1000);
  appendItem(responseHeaders, 'ratelimit', `"day";r=${remaining};t=${resetSeconds}`);
  if (accepted) return undefined;
  const seconds = retrySeconds(allowance);
  responseHeaders.push('retry-after', String(seconds));
  return new RequestError('quota_exceeded', {
    message: `the key's ${limit} calls of today are used up; the day ends at midnight UTC, in ${seconds} s`,
  });
}

/** Appends an item to a header that is a list. Adds the header if it is missing. */
function appendItem(headers: string[], name: string, item: string): void {
  const at = headers.indexOf(name);
  if (at < 0) headers.push(name, item);
  else headers[at + 1] = `${headers[at + 1]}, ${item}`;
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

/** Browsers send the header Origin with every POST. The scheme may differ behind a TLS proxy. */
function isOwnOrigin({ origin = '', host }: IncomingHttpHeaders): boolean {
  const [, originHost] = /^https?:\/\/(.+)$/i.exec(origin) ?? [];
  return host !== undefined && originHost?.toLowerCase() === host.toLowerCase();
}
