/** Time limits of a connection, in milliseconds. docs/reliability.md lists the same values. */

/** From the first byte of a request, or from the start of its connection, to its last byte. */
export const REQUEST_TIMEOUT_MS = 10_000;
/** The same for the metrics listener, whose clients send short requests at once. */
export const METRICS_REQUEST_TIMEOUT_MS = 3000;
/** How often these limits are checked. So few connections end at once that other calls do not wait. */
export const REQUEST_CHECK_INTERVAL_MS = 50;
/** For the first byte of a connection, and again for the rest of the TLS handshake. */
export const HANDSHAKE_TIMEOUT_MS = 10_000;
/** For the whole PROXY header. Three seconds would cover one lost packet. */
export const PROXY_HEADER_TIMEOUT_MS = 5000;
/** Maximum time without a finished response, while a connection has open requests. */
export const WRITE_TIMEOUT_MS = 20_000;
/** Between two requests. Most proxies close after 60 s and should close first. */
export const IDLE_TIMEOUT_MS = 65_000;
/** From the last response to closing the connection, so that the client can read the response. */
export const LINGER_MS = 1000;
