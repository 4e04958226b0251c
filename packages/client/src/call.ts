/** One call of the API: the request, its time limit, retries, and the error if it fails. */
import type { ApiErrorCode } from './api-types.ts';

/**
 * A code of the API, or of the client: `network` (no response), `timeout`, `http_error` (an error
 * that is not of the API, such as a proxy's), `invalid_response` (a success without JSON). Those after
 * it are of the static client.
 */
export type ToponymErrorCode =
  | ApiErrorCode
  | 'network'
  | 'timeout'
  | 'http_error'
  | 'invalid_response'
  | 'index_unreachable'
  | 'index_missing'
  | 'index_invalid'
  | 'worker_failed';

type ErrorDetails = Partial<Pick<ToponymError, 'status' | 'requestId' | 'option' | 'retryAfterSeconds'>> & {
  readonly cause?: unknown; // not Error's: it is unknown before ES2022
};

/** A call that failed. */
export class ToponymError extends Error {
  override readonly name = 'ToponymError';
  readonly code: ToponymErrorCode;
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** Identifies the response in the log of the service. */
  readonly requestId: string | undefined;
  /** The option that the API refused. */
  readonly option: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ToponymErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.code = code;
    Object.assign(this, details);
  }
}

export interface Service {
  /** Address of the service, such as `https://places.example.com`. */
  readonly url: string;
  readonly key: string;
  /** Header of the key. `X-Service-Key` by default, `X-Acme-Key` with `--service-name Acme`. */
  readonly keyHeader?: string | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  /** Ends the call, which rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Time for one try, above 0; 10,000 by default. `Infinity` for no limit. */
  readonly timeoutMs?: number | undefined;
  /** Number of tries after the first; 2 by default. */
  readonly retries?: number | undefined;
}

export interface ServiceCall extends CallOptions {
  readonly endpoint: 'query' | 'id' | 'reverse';
  readonly options: object;
  /** A longer Retry-After is not waited for; 10 by default. */
  readonly maxRetryAfterSeconds?: number | undefined;
  /** Gets the headers of every response. */
  readonly onHeaders?: (headers: Headers) => void;
}

/** Statuses to retry; undefined stands for network errors. */
const RETRIED_STATUSES = [undefined, 429, 502, 503, 504];
const FIRST_DELAY_MS = 250;
/** A timer with a longer time would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export async function callService<T>(service: Service, call: ServiceCall): Promise<T> {
  const { retries = 2, maxRetryAfterSeconds = 10, signal } = call;
  for (let attempt = 0; ; attempt++) {
    try {
      return await tryOnce<T>(service, call);
    } catch (error) {
      if (!(error instanceof ToponymError) || error.code === 'timeout') throw error;
      // a typeahead, which does not wait here, must not repeat a call that was one too many
      const { status, retryAfterSeconds = status === 429 ? FIRST_DELAY_MS / 1000 : 0 } = error;
      if (!(attempt < retries) || !RETRIED_STATUSES.includes(status) || retryAfterSeconds > maxRetryAfterSeconds) {
        throw error;
      }
      // jitter: clients that failed together do not return together
      const delayMs = FIRST_DELAY_MS * 2 ** attempt * (0.5 + Math.random() / 2);
      await wait(Math.max(retryAfterSeconds * 1000, delayMs), signal);
    }
  }
}

async function tryOnce<T>(
  service: Service,
  { endpoint, options, signal, timeoutMs = 10_000, onHeaders }: ServiceCall,
): Promise<T> {
  if (!(timeoutMs > 0)) throw new TypeError(`timeoutMs must be above 0, got ${timeoutMs}`);
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const timer = timeoutMs <= MAX_TIMER_MS ? setTimeout(() => controller.abort(), timeoutMs) : undefined;
  signal?.addEventListener('abort', abort);
  try {
    const response = await (service.fetch ?? fetch)(`${service.url.replace(/\/+$/, '')}/api/1/${endpoint}`, {
      method: 'POST',
      // JavaScript may leave the key out: the service then says that it is missing
      headers: service.key ? { [service.keyHeader ?? 'X-Service-Key']: service.key } : {},
      body: formOf(options),
      redirect: 'error', // no other server gets the key
      signal: controller.signal,
    });
    onHeaders?.(response.headers);
    const text = await response.text();
    signal?.throwIfAborted(); // a `fetch` of the caller may ignore the signal
    if (!response.ok) throw errorOf(response, text);
    try {
      return JSON.parse(text);
    } catch {
      throw errorOf(response, text);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ToponymError) throw error;
    if (controller.signal.aborted) {
      throw new ToponymError('timeout', `no response within ${timeoutMs} ms`, { cause: error });
    }
    throw new ToponymError('network', `${service.url} cannot be reached`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Writes lists with commas, points as `lat,lng`. */
function formOf(options: object): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) form.set(name, value?.lat === undefined ? value : `${value.lat},${value.lng}`);
  }
  return form;
}

/** Ends early if the signal is aborted: the next try then rejects. */
function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

/** The error that a response with an error status, or a success without JSON, stands for. */
function errorOf(response: Response, text: string): ToponymError {
  const { status, headers } = response;
  const body = parseBody(text);
  const message = body.message ?? `the service answered with status ${status}`;
  return new ToponymError(body.code ?? (response.ok ? 'invalid_response' : 'http_error'), message, {
    status,
    requestId: body.requestId ?? headers.get('x-request-id') ?? undefined,
    option: body.code?.endsWith('_option') ? OPTION_NAME.exec(message)?.[1] : undefined,
    retryAfterSeconds: secondsUntil(headers.get('retry-after')),
  });
}

/** How the API's messages about an option begin: `mode: must be`, `"page" is not`. */
const OPTION_NAME = /^"?(\w+)"?(?::| is | was )/;

/** Without a request id the body is not of the API, but of a proxy, for example. */
function parseBody(text: string): { message?: string; code?: ApiErrorCode; requestId?: string } {
  try {
    const body = Object(JSON.parse(text));
    return typeof body.code === 'string' && typeof body.requestId === 'string' ? body : {};
  } catch {
    return {};
  }
}

/** Reads a Retry-After header, in seconds or as an HTTP date. */
export function secondsUntil(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.max(0, (Date.parse(header) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : seconds;
}
