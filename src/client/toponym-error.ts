import type { ApiErrorCode } from './api-types.ts';

/**
 * A code of the API, or of the client: `network` (no response), `timeout`, `http_error` (an error
 * that is not of the API, such as a proxy's), `invalid_response` (a success without JSON).
 */
export type ToponymErrorCode = ApiErrorCode | 'network' | 'timeout' | 'http_error' | 'invalid_response';

export interface ErrorDetails {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly option?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

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

/** The error that a response with an error status, or a success without JSON, stands for. */
export function errorOf(response: Response, text: string): ToponymError {
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
function secondsUntil(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.max(0, (Date.parse(header) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : seconds;
}
