/**
 * One GET request, through the proxy that HTTPS_PROXY names unless NO_PROXY names the host. Redirects
 * are followed, but never from HTTPS to HTTP. The caller checks the first URL. Why not fetch(): it
 * decompresses bodies and hides whether a response had a length.
 */
import { on } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent, request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import { errorMessage } from 'toponym-files/errors/errors';
import { isLoopback, publicUrl, urlRefusal } from './urls.ts';

/** For retry delays, idle timeouts and transfer rates. Tests pass one that does not wait. */
export interface Clock {
  nowMs(): number;
  /** Rejects if `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Data that has arrived while this thread was busy is read first. The returned function cancels the call. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) => setTimeoutAsync(ms, undefined, signal && { signal }),
  after(ms, run) {
    let immediate: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      immediate = setImmediate(run);
    }, ms);
    return () => {
      clearTimeout(timer);
      clearImmediate(immediate);
    };
  },
};

interface FaultOptions extends ErrorOptions {
  /** Whether a retry may succeed; false by default. */
  readonly isTransient?: boolean;
  /** Delay that the server requested; 0 by default. */
  readonly retryAfterMs?: number;
  /** Whether the part file takes room that others need, or cannot become the file; false by default. */
  readonly dropsPart?: boolean;
}

/** Thrown when one attempt to download has failed. The message is only the reason. */
export class TransferFault extends Error {
  override readonly name = 'TransferFault';
  readonly isTransient: boolean;
  readonly retryAfterMs: number;
  readonly dropsPart: boolean;

  constructor(
    reason: string,
    { isTransient = false, retryAfterMs = 0, dropsPart = false, ...options }: FaultOptions = {},
  ) {
    super(reason, options);
    this.isTransient = isTransient;
    this.retryAfterMs = retryAfterMs;
    this.dropsPart = dropsPart;
  }
}

export interface GetOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** A certificate authority to trust instead of the system's, in PEM form. */
  readonly ca?: string | undefined;
  /** Maximum wait for the response, and for each `idleMs` worth of the lowest rate of its body. */
  readonly idleMs: number;
  readonly clock: Clock;
  /** Ends the request with a TransferFault. */
  readonly signal?: AbortSignal | undefined;
}

export interface Reply {
  readonly response: IncomingMessage;
  /** Can be read once. Throws TransferFault if the body is incomplete. */
  body(): AsyncGenerator<Buffer>;
  close(): void;
}

/** Lowest rate of a body: a server that drips must not hold a download forever. */
const MIN_BYTES_PER_SECOND = 8 * 1024;
/** Reading pauses while more chunks wait, of up to 64 KiB each. Those not yet read are lost with the connection. */
const MAX_QUEUED_CHUNKS = 256;
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Error codes that make a retry useless. */
const PERMANENT_CODES =
  /^(ENOTFOUND|ERR_TLS_.*|ERR_SSL_.*|ERR_PROXY_.*|EPROTO|CERT_.*|.*_CERT(IFICATE)?(_.*)?|UNABLE_TO_.*)$/;

/** Follows redirects. Throws TransferFault. */
export async function sendGet(firstUrl: URL, options: GetOptions): Promise<Reply> {
  let url = firstUrl;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const reply = await send(url, options);
    const { statusCode = 0, headers } = reply.response;
    if (!REDIRECTS.has(statusCode)) return reply;
    reply.close();
    url = redirectTarget(url, headers.location);
  }
  throw new TransferFault(`redirected more than ${MAX_REDIRECTS} times, last to ${publicUrl(url)}`);
}

export function formatStatus({ statusCode = 0, statusMessage = '' }: IncomingMessage): string {
  return `${statusCode} ${statusMessage}`.trim();
}

function redirectTarget(from: URL, location: string | undefined): URL {
  const to = location === undefined ? null : URL.parse(location, from.href);
  if (to === null) {
    const shown = JSON.stringify(location?.replace(/\?.*/s, '?…')); // a query may be secret
    throw new TransferFault(`redirected without a valid Location, got ${shown}`);
  }
  const isDowngrade = from.protocol === 'https:' && to.protocol !== 'https:';
  const refusal = isDowngrade ? 'must be https' : urlRefusal(to);
  if (refusal === undefined) return to;
  throw new TransferFault(`redirected to ${publicUrl(to)}, which ${refusal}`);
}

function send(url: URL, { headers, ca, idleMs, clock, signal }: GetOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const createRequest = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = createRequest(url, { headers, ca, agent: agentFor(url), ...(signal && { signal }) });
    let stopTimer = () => {};
    let response: IncomingMessage | undefined;
    // kept for `readBody`: the response itself may report only that the connection was lost
    let fault: TransferFault | undefined;
    const startTimer = (waitMs = idleMs, receivedBytes = 0) => {
      stopTimer = clock.after(waitMs, () => {
        fault = tooSlow(receivedBytes, idleMs);
        (response ?? request).destroy(fault);
      });
    };
    const close = () => {
      stopTimer();
      request.destroy();
    };
    const fail = (error: TransferFault) => {
      stopTimer();
      reject(error);
    };
    request.on('error', (error) => {
      fault ??= toFault(error);
      fail(fault);
    });
    request.once('response', (received: IncomingMessage) => {
      response = received;
      stopTimer();
      received.on('error', () => {}); // one after the end has no other listener
      // in this listener, so that no chunk is missed; queued chunks are delivered before an error
      const chunks = on(received, 'data', { close: ['end', 'close'], highWaterMark: MAX_QUEUED_CHUNKS });
      resolve({ response: received, body: () => readBody(received, chunks), close });
    });
    // Node emits neither `response` nor `error` after `upgrade`
    request.once('upgrade', (received: IncomingMessage, socket: Duplex) => {
      socket.destroy();
      fail(new TransferFault(`the server answered ${formatStatus(received)}`));
    });
    // `close` is the last event of every request: no response can follow
    request.once('close', () => {
      if (response === undefined) fail(fault ?? connectionLost());
    });
    startTimer();
    request.end();

    async function* readBody(body: IncomingMessage, chunks: ReturnType<typeof on>): AsyncGenerator<Buffer> {
      // since the lowest rate was last reached; the time that the reader takes does not count
      let receivedBytes = 0;
      let waitedMs = 0;
      try {
        for (;;) {
          const sinceMs = clock.nowMs();
          startTimer(idleMs - waitedMs, receivedBytes);
          const { value, done } = await chunks.next();
          stopTimer();
          if (done) break;
          const chunk: Buffer = value[0];
          waitedMs += clock.nowMs() - sinceMs;
          receivedBytes += chunk.length;
          if (receivedBytes >= minBytes(idleMs)) {
            receivedBytes = 0;
            waitedMs = 0;
          }
          yield chunk;
        }
        if (!body.complete) throw connectionLost();
      } catch (error) {
        throw fault ?? toFault(error);
      } finally {
        close();
      }
      // an error can follow the last chunk, for example because of bytes beyond Content-Length
      if (fault !== undefined) throw fault;
    }
  });
}

function minBytes(ms: number): number {
  return (MIN_BYTES_PER_SECOND * ms) / 1000;
}

function tooSlow(receivedBytes: number, idleMs: number): TransferFault {
  const seconds = idleMs / 1000;
  const received = receivedBytes === 0 ? 'no data' : `less than ${MIN_BYTES_PER_SECOND} bytes a second`;
  return new TransferFault(`${received} received for ${seconds} s`, { isTransient: true });
}

/** Closes the connection after the response. Throws TransferFault if HTTPS_PROXY is not a URL. */
function agentFor(url: URL): Agent | false {
  if (url.protocol !== 'https:' || isLoopback(url.hostname)) return false;
  try {
    return new Agent({ proxyEnv: process.env });
  } catch (error) {
    throw new TransferFault('the value of HTTPS_PROXY is not the URL of a proxy', { cause: error });
  }
}

function toFault(error: unknown): TransferFault {
  if (error instanceof TransferFault) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ECONNRESET') return connectionLost(error);
  // Node's message contains the URL of the proxy, which may have a password
  if (code === 'ERR_PROXY_TUNNEL') {
    const [, status = 'no status'] = /: HTTP\/1\.\d (.*)$/.exec(message) ?? [];
    return new TransferFault(`the proxy of HTTPS_PROXY answered ${status}`, { cause: error });
  }
  const isParserError = code.startsWith('HPE_');
  const reason = isParserError
    ? `the server sent more than its Content-Length, or invalid HTTP (${message})`
    : errorMessage(error);
  return new TransferFault(reason, { isTransient: !PERMANENT_CODES.test(code), cause: error });
}

function connectionLost(cause?: unknown): TransferFault {
  return new TransferFault('the connection was lost', { isTransient: true, cause });
}
