/**
 * CORS headers. They let every web page call the service. Which pages may use a key is decided by
 * the key's own list of origins (admission.ts).
 */

export const RATE_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** Headers of every response, errors included. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [...RATE_HEADERS, 'Retry-After', 'X-Request-Id'].join(', '),
} as const;

/** Headers of a preflight response, which browsers keep for a day: a flat list [name, value, …]. */
export function preflightHeaders(allowedMethods: string, keyHeader: string): string[] {
  return Object.entries({
    allow: allowedMethods,
    'access-control-allow-methods': allowedMethods,
    'access-control-allow-headers': `Accept, Content-Type, X-Request-Id, ${keyHeader}`,
    'access-control-max-age': '86400',
  }).flat();
}
