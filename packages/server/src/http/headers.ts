/** Names and values of headers. */

/** Matches valid service names. The service name `Acme` makes the key header `X-Acme-Key`. */
export const SERVICE_NAME_PATTERN = /^(?=.{1,64}$)[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/;

export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

export const RATE_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** Every web page may call the service, but a key may restrict the origins. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [...RATE_HEADERS, 'Retry-After', 'X-Request-Id'].join(', '),
} as const;

/** Headers of a preflight response, as a flat list [name, value, …]. */
export function preflightHeaders(allowedMethods: string, ownHeaders: readonly string[]): string[] {
  const allowedHeaders = ['Accept', 'Content-Type', 'Traceparent', 'Tracestate', 'X-Request-Id', ...ownHeaders];
  return Object.entries({
    allow: allowedMethods,
    'access-control-allow-methods': allowedMethods,
    'access-control-allow-headers': allowedHeaders.join(', '),
    'access-control-max-age': '86400',
  }).flat();
}
