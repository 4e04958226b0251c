/** CORS headers. Every web page may call the service, but a key may restrict the origins. */

export const RATE_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [...RATE_HEADERS, 'Retry-After', 'X-Request-Id'].join(', '),
} as const;

/** Headers of a preflight response, as a flat list [name, value, …]. */
export function preflightHeaders(allowedMethods: string, keyHeader: string): string[] {
  return Object.entries({
    allow: allowedMethods,
    'access-control-allow-methods': allowedMethods,
    'access-control-allow-headers': `Accept, Content-Type, Traceparent, Tracestate, X-Request-Id, ${keyHeader}`,
    'access-control-max-age': '86400',
  }).flat();
}
