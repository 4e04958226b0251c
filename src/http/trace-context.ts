/** Trace ids of the request header `traceparent` (W3C Trace Context), for log lines. */
import type { IncomingMessage } from 'node:http';

interface TraceIds {
  readonly traceId: string;
  /** The caller's span. The service creates no spans of its own. */
  readonly spanId: string;
}

/** Version, trace id, span id, flags. Versions after 00 may add fields. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** Returns undefined if the request has no valid `traceparent`. */
export function traceIds({ headers: { traceparent } }: IncomingMessage): TraceIds | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId, spanId, addedFields] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return version === '00' && addedFields !== undefined ? undefined : { traceId, spanId };
}
