/** Error codes of the API with their statuses and default messages, which docs/api.md lists. */
export const ERRORS = {
  invalid_option: { status: 400, message: 'an option has an invalid value' },
  missing_option: { status: 400, message: 'a required option is missing' },
  unknown_option: { status: 400, message: 'an option is unknown' },
  duplicate_option: { status: 400, message: 'an option was given twice' },
  invalid_body: { status: 400, message: 'the request body cannot be read' },
  bad_request: { status: 400, message: 'the request cannot be read' },
  key_missing: { status: 401, message: 'an API key is required' },
  key_unknown: { status: 401, message: 'the API key is unknown: check it for typos, or request a new one' },
  key_expired: { status: 403, message: 'the API key has expired' },
  key_revoked: { status: 403, message: 'the API key was revoked' },
  origin_not_allowed: { status: 403, message: 'the API key may not be used from this web origin' },
  address_not_allowed: { status: 403, message: 'the API key may not be used from this IP address' },
  batch_not_allowed: {
    status: 403,
    message: 'the API key may not send batches: only keys created with "toponym keys create --batch" may',
  },
  not_found: { status: 404, message: 'there is nothing at this path' },
  object_not_found: { status: 404, message: 'ObjectID does not exist' }, // Algolia's wording
  method_not_allowed: { status: 405, message: 'this path does not support this method' },
  request_timeout: { status: 408, message: 'the request took too long to arrive' },
  body_too_large: { status: 413, message: 'the request body must not be larger than 16 KiB' }, // MAX_BODY_BYTES
  unsupported_media_type: {
    status: 415,
    message: 'Content-Type must be application/x-www-form-urlencoded or application/json, in UTF-8',
  },
  expectation_failed: { status: 417, message: 'the header Expect may only ask for 100-continue' },
  host_not_allowed: { status: 421, message: 'the service does not answer requests for this host name' },
  rate_limited: { status: 429, message: 'too many calls' },
  quota_exceeded: { status: 429, message: "the API key's daily quota is used up" },
  headers_too_large: { status: 431, message: 'the URL and headers of the request are too large' },
  internal: { status: 500, message: 'an internal error occurred; the log has details under this requestId' },
  overloaded: { status: 503, message: 'the service is overloaded; try again in a moment' },
  draining: { status: 503, message: 'the service is shutting down; try again in a moment' },
  not_ready: { status: 503, message: 'the service is not ready' },
} as const;

export type ErrorCode = keyof typeof ERRORS;
