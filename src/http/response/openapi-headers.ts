/** Headers of responses, for the OpenAPI document. */
import { RATE_HEADERS } from '../cors.ts';
import { reference } from './openapi-components.ts';

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };

export const HEADERS = {
  'X-Request-Id': {
    description: 'Identifies this response in the log of the service. A request may bring its own.',
    schema: TEXT,
    example: '7b0c4a52-0f0c-4f5e-9a51-8f3f0a4b6e11',
  },
  'RateLimit-Policy': {
    description: '`q` calls per `w` seconds, for each limit. Windows slide; that of `day` is the day in UTC.',
    schema: TEXT,
    example: '"default";q=60;w=60',
  },
  RateLimit: {
    description:
      '`r` calls left, for each limit; in `t` seconds the oldest counted call leaves the window, or the day ends.',
    schema: TEXT,
    example: '"default";r=59;t=60',
  },
  'X-RateLimit-Limit': { description: 'Calls allowed in any 60 seconds.', schema: COUNT, example: 60 },
  'X-RateLimit-Remaining': { description: 'Calls left.', schema: COUNT, example: 59 },
  'X-RateLimit-Reset': {
    description: 'Seconds until the oldest counted call leaves the window.',
    schema: COUNT,
    example: 60,
  },
  'Retry-After': { description: 'Seconds to wait before the next call.', schema: COUNT, example: 7 },
  'WWW-Authenticate': {
    description: 'The header in which the service expects the key.',
    schema: TEXT,
    example: 'ApiKey header="X-Service-Key"',
  },
} as const;

type HeaderName = keyof typeof HEADERS;

/** Sent before the rate limit is checked, or by connections that have failed. */
const UNCOUNTED_STATUSES = [408, 417, 431, 503];

/** References to the headers of a response with this status to a call. */
export function callHeaders(status: number): object {
  return headerReferences([
    'X-Request-Id',
    ...(UNCOUNTED_STATUSES.includes(status) ? [] : (RATE_HEADERS as HeaderName[])),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
  ]);
}

export function headerReferences(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]));
}
