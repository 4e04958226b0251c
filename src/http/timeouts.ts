/**
 * How long a client may take over each part of a connection, in milliseconds. docs/reliability.md lists the same figures.
 */

/** From the connection's first moment, or a request's first byte, until the whole request is here. */
export const REQUEST_TIMEOUT_MS = 10_000;
/** How often requests are checked against that time. Node's default of 30 s would make ten seconds up to forty. */
export const REQUEST_CHECK_INTERVAL_MS = 1000;
/** From the TCP connection to its first byte, and again from there to the end of the TLS handshake. */
export const HANDSHAKE_TIMEOUT_MS = 10_000;
/** From a request, or the response before it, until the client's side of the network has taken the whole response. */
export const WRITE_TIMEOUT_MS = 20_000;
/** Between two requests. 65 s: proxies mostly drop idle connections after 60 s, and should be the ones that close. */
export const IDLE_TIMEOUT_MS = 65_000;
/** After the last response on a connection we close: time for the client to read it and to stop sending. */
export const LINGER_MS = 1000;
