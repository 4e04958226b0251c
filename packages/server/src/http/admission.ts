/**
 * Admission: decides by rate limit, API key and quota whether a call is answered. Calls with a bad
 * key count for the rate limit. A quota counts the calls that the rate limit has accepted. Static
 * pages need no key, but have a limit of their own.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type Address, type Cidr, callerAddress, limitGroup } from 'toponym-access/address';
import { judgeKey, type KeyRecord, type KeyVerdict } from 'toponym-access/keys/key-record';
import type { KeyLookup } from 'toponym-access/keys/key-store';
import type { Limits } from 'toponym-access/limits/limits';
import { DAY_MS } from 'toponym-access/limits/quota-table';
import type { RateCall } from 'toponym-access/limits/rate-limiter';
import { type Allowance, WINDOW_MS } from 'toponym-access/limits/sliding-log';
import { ERRORS, type ErrorCode } from './error-codes.ts';
import { RequestError } from './errors.ts';
import type { Exchange } from './exchange.ts';

export interface AdmissionRules {
  readonly keys: KeyLookup;
  readonly limits: Limits;
  readonly trustedProxies: readonly Cidr[];
  /** Such as `X-Service-Key`. */
  readonly keyHeader: string;
  readonly keyHeaderLowerCase: string;
  /** Wall clock, for the expiry of keys and for quotas. */
  readonly now: () => number;
  /** Monotonic clock, for rate limits. */
  readonly monotonicNow: () => number;
}

export type RateLimitRules = Pick<AdmissionRules, 'limits' | 'trustedProxies' | 'monotonicNow'>;

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

/** What an adapter has found of a call's key. */
export interface GivenKey {
  /** Replaces that of the header for keys. */
  readonly text: string | undefined;
  /** The key of a call that has none. */
  readonly ifMissing: KeyRecord | undefined;
}

type Next = (caller: Caller | Error) => void;

interface GivenCall {
  /** Of a batch: calls that are admitted together or not at all, at most `maxCallsAtOnce`. */
  readonly calls?: number;
  readonly key?: GivenKey | undefined;
}

/**
 * Checks the key of a call. Counts the call and adds the rate-limit headers to its response, unless
 * the key has neither limit nor quota. Calls `next` with the caller, or with the error to send:
 * now, or in a later tick if limits are shared.
 */
export function admit(rules: AdmissionRules, exchange: Exchange, given: GivenCall, next: Next): void {
  const judged = judgeCall(rules, exchange, given.key);
  let hasWaited = false;
  // a key may be revoked while its call waits for limits that are shared
  const judge = () => (hasWaited ? judgeCall(rules, exchange, given.key) : judged);
  const { address, validKey } = judged;
  const limit = rateLimitOf(validKey);
  // a key that was revoked while its batch arrived may have a lower limit now, and gets an error anyway
  const calls = validKey === undefined ? 1 : (given.calls ?? 1);
  if (limit === 'unlimited') {
    admitWithinQuota(rules, exchange, { judge, gaveUpOnRedis: false, calls }, next);
  } else {
    const { policy, ownLimit } = limit;
    const call = { group: limitGroup(address), ownLimit, nowMs: rules.monotonicNow(), calls };
    const decide = (allowance: Allowance, gaveUpOnRedis: boolean) => {
      const refusal = applyAllowance(exchange, policy, allowance);
      if (refusal === undefined) return admitWithinQuota(rules, exchange, { judge, gaveUpOnRedis, calls }, next);
      showQuota(exchange, judge().validKey?.perDay);
      next(refusal);
    };
    rules.limits.takeCall(call, decide, next);
  }
  hasWaited = true;
}

/** The caller if its key is valid now. Counts nothing. */
export function callerOf(rules: AdmissionRules, exchange: Exchange): Caller | undefined {
  const { address, validKey: key } = judgeCall(rules, exchange);
  return key && { address, key };
}

/** Maximum calls that the limits of a key can ever admit together. */
export function maxCallsAtOnce({ limits }: AdmissionRules, { perMinute, perDay }: KeyRecord): number {
  const { defaultPerMinute } = limits.limiter;
  const rate = perMinute === 'unlimited' ? Number.POSITIVE_INFINITY : (perMinute ?? defaultPerMinute);
  return Math.min(rate, perDay ?? Number.POSITIVE_INFINITY);
}

/** A call that the rate limit has accepted. */
interface LimitedCall {
  readonly judge: () => JudgedCall;
  /** Whether the call has waited for Redis in vain, and must not wait again. */
  readonly gaveUpOnRedis: boolean;
  readonly calls: number;
}

function admitWithinQuota(rules: AdmissionRules, exchange: Exchange, call: LimitedCall, next: Next): void {
  const { judge, gaveUpOnRedis, calls } = call;
  const judged = judge();
  if (judged.validKey?.perDay === undefined) {
    next(toCaller(rules, exchange, judged));
    return;
  }
  const { id: keyId, perDay } = judged.validKey;
  showQuota(exchange, perDay);
  const decide = (allowance: Allowance) => {
    const refusal = applyQuota(exchange, allowance);
    next(refusal ?? toCaller(rules, exchange, judge()));
  };
  rules.limits.takeDailyCall({ keyId, perDay, nowMs: rules.now(), calls, gaveUpOnRedis }, decide, next);
}

interface JudgedCall {
  readonly address: Address;
  readonly keyText: string | undefined;
  readonly verdict: KeyVerdict;
  /** Undefined unless the verdict is `ok`. */
  readonly validKey: KeyRecord | undefined;
}

function judgeCall(rules: AdmissionRules, { request }: Exchange, givenKey?: GivenKey): JudgedCall {
  const { headers } = request;
  const address = callerAddress(request, rules.trustedProxies);
  const keyText = givenKey?.text ?? headers[rules.keyHeaderLowerCase]?.toString();
  const key = keyText === undefined ? givenKey?.ifMissing : rules.keys.find(keyText);
  const verdict = judgeKey(key, { nowMs: rules.now(), origin: originOf(headers), host: headers.host, address });
  return { address, keyText, verdict, validKey: verdict === 'ok' ? key : undefined };
}

/** Browsers leave Origin out of a GET of the same origin, which another header then tells. */
function originOf({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): string | undefined {
  return origin ?? (site === 'same-origin' ? `https://${host}` : undefined);
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
  if (keyText !== undefined) rules.keys.touch(validKey.id, rules.now());
  exchange.keyId = validKey.id;
  return { address, key: validKey };
}

/** Counts a request for a static page. Throws `rate_limited` beyond the limit. */
export function countPageRequest(rules: RateLimitRules, exchange: Exchange): void {
  const group = limitGroup(callerAddress(exchange.request, rules.trustedProxies));
  const call = { group, ownLimit: PAGE_LIMIT, nowMs: rules.monotonicNow() };
  const refusal = applyAllowance(exchange, 'pages', rules.limits.limiter.take(call));
  if (refusal !== undefined) throw refusal;
}

function rateLimitOf(key: KeyRecord | undefined): RateLimit | 'unlimited' {
  if (key?.perMinute === undefined) return DEFAULT_LIMIT;
  if (key.perMinute === 'unlimited') return 'unlimited';
  return { policy: 'key', ownLimit: { keyId: key.id, perMinute: key.perMinute } };
}

/** Adds the headers of a rate limit. Returns the error of a refused request. */
function applyAllowance(
  { responseHeaders }: Exchange,
  policy: RateLimit['policy'],
  allowance: Allowance,
): RequestError | undefined {
  const { accepted, limit, remaining } = allowance;
  const reset = String(Math.ceil(allowance.resetMs / 1000));
  // draft-ietf-httpapi-ratelimit-headers-11 and the older X- form
  responseHeaders.push('ratelimit-policy', `"${policy}";q=${limit};w=${WINDOW_MS / 1000}`);
  responseHeaders.push('ratelimit', `"${policy}";r=${remaining};t=${reset}`);
  responseHeaders.push('x-ratelimit-limit', String(limit));
  responseHeaders.push('x-ratelimit-remaining', String(remaining));
  responseHeaders.push('x-ratelimit-reset', reset);
  if (accepted) return undefined;
  const seconds = addRetryAfter(responseHeaders, allowance);
  const requests = policy === 'pages' ? 'requests for pages' : 'calls';
  const problem =
    remaining > 0 ? tooFewCalls(allowance, 'per 60 seconds') : `more than ${limit} ${requests} in 60 seconds`;
  const message = `${problem}; try again in ${seconds} s`;
  return new RequestError('rate_limited', message);
}

/** Adds the quota to the policies that apply to a call. */
function showQuota(exchange: Exchange, perDay: number | undefined): void {
  if (perDay === undefined) return;
  appendItem(exchange.responseHeaders, 'ratelimit-policy', `"day";q=${perDay};w=${DAY_MS / 1000}`);
}

/** Adds what is left of the quota to the headers. Returns the error of a refused call. */
function applyQuota({ responseHeaders }: Exchange, allowance: Allowance): RequestError | undefined {
  const { accepted, limit, remaining } = allowance;
  appendItem(responseHeaders, 'ratelimit', `"day";r=${remaining};t=${Math.ceil(allowance.resetMs / 1000)}`);
  if (accepted) return undefined;
  const seconds = addRetryAfter(responseHeaders, allowance);
  const problem =
    remaining > 0 ? tooFewCalls(allowance, 'per day') : `the key's daily quota of ${limit} calls is used up`;
  const message = `${problem}; the day ends at midnight UTC, in ${seconds} s`;
  return new RequestError('quota_exceeded', message);
}

/** Only a batch is refused while calls are left. */
function tooFewCalls({ limit, remaining }: Allowance, period: string): string {
  return `the batch has more lines than calls are left: send at most ${remaining} lines now, of ${limit} calls ${period}`;
}

/** Appends an item to a header that is a list. Adds the header if it is missing. */
function appendItem(headers: string[], name: string, item: string): void {
  const at = headers.indexOf(name);
  if (at < 0) headers.push(name, item);
  else headers[at + 1] = `${headers[at + 1]}, ${item}`;
}

/** Returns the seconds to wait. */
function addRetryAfter(headers: string[], { retryAfterMs }: Allowance): number {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  headers.push('retry-after', String(seconds));
  return seconds;
}

const ERROR_BY_VERDICT: Readonly<Partial<Record<KeyVerdict, ErrorCode>>> = {
  expired: 'key_expired',
  revoked: 'key_revoked',
  origin_not_allowed: 'origin_not_allowed',
  address_not_allowed: 'address_not_allowed',
};

function keyError(keyText: string | undefined, verdict: KeyVerdict, keyHeader: string): RequestError {
  if (keyText === undefined || keyText === '') {
    return new RequestError('key_missing', `an API key is required; send it in the header ${keyHeader}`);
  }
  return new RequestError(ERROR_BY_VERDICT[verdict] ?? 'key_unknown');
}
