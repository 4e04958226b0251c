/**
 * How long a client may take for each part of a connection, in milliseconds. docs/reliability.md
 * lists the same values.
 */

/** From a request's first byte (first request: from the start of the connection) to its end. */
export const REQUEST_TIMEOUT_MS = 10_000;
/** How often REQUEST_TIMEOUT_MS is checked. With Node's default of 30 s, 10 s could become 40 s. */
export const REQUEST_CHECK_INTERVAL_MS = 1000;
/** From the TCP connection to its first byte, and again from there to the end of the handshake. */
export const HANDSHAKE_TIMEOUT_MS = 10_000;
/** Time without a finished response, on a connection that has open requests. */
export const WRITE_TIMEOUT_MS = 20_000;
/** Between two requests. Longer than the 60 s of most proxies, so that they close first. */
export const IDLE_TIMEOUT_MS = 65_000;
/** From the last response to closing the connection: time for the client to read the response. */
export const LINGER_MS = 1000;
