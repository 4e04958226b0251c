/**
 * One GET, redirects followed: the head of the answer, then its body as it comes. HTTPS only, but for loopback.
 *
 * Over node:https and not fetch(): fetch unpacks bodies behind our back, so that lengths and ranges no longer fit, hides
 * whether an answer gave its length, and takes a certificate authority only by way of a package we do not have.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { ArrivedChunks } from './arrived-chunks.ts';
import type { Clock } from './clock.ts';
import { shownUrl, TransferFault } from './download-error.ts';
import { refusalOf } from './refusal.ts';

export interface ExchangeOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** A certificate authority to trust instead of the system's, in PEM form. */
  readonly ca?: string;
  /** A server that sends nothing for so long is given up. */
  readonly idleMs: number;
  readonly clock: Clock;
}

export interface Exchange {
  readonly response: IncomingMessage;
  /** Must be read to its end or left early; throws TransferFault unless all came that the head promised. */
  body(): AsyncGenerator<Buffer>;
  /** For an answer whose body is of no interest. */
  close(): void;
}

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Faults that another try does not mend. */
const LASTING_CODES = /^(ENOTFOUND|ERR_TLS_.*|ERR_SSL_.*|EPROTO|CERT_.*|.*_CERT(IFICATE)?(_.*)?|UNABLE_TO_.*)$/;

export async function openExchange(start: URL, options: ExchangeOptions): Promise<Exchange> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const exchange = await send(url, options);
    const { statusCode = 0, headers } = exchange.response;
    if (!REDIRECTS.has(statusCode)) return exchange;
    exchange.close();
    url = redirectTarget(url, headers.location);
  }
  throw new TransferFault(`redirected more than ${MAX_REDIRECTS} times, last to ${shownUrl(url)}`, {
    isTransient: false,
  });
}

/** The status line for messages, such as `404 Not Found`. */
export function statusOf({ statusCode = 0, statusMessage = '' }: IncomingMessage): string {
  return `${statusCode} ${statusMessage}`.trim();
}

function redirectTarget(from: URL, location: string | undefined): URL {
  const to = location === undefined ? null : URL.parse(location, from.href);
  if (to === null) {
    throw new TransferFault(`redirected to no address, got ${JSON.stringify(location)}`, { isTransient: false });
  }
  const isDowngrade = from.protocol === 'https:' && to.protocol !== 'https:';
  const refusal = isDowngrade ? 'must be https' : refusalOf(to);
  if (refusal === undefined) return to;
  throw new TransferFault(`redirected to ${shownUrl(to)}, which ${refusal}`, { isTransient: false });
}

function send(url: URL, { headers, ca, idleMs, clock }: ExchangeOptions): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    // a connection of its own: nothing is left open when the download is done
    const sent = request(url, { headers, agent: false, ...(ca === undefined ? {} : { ca }) });
    let stopTimer = () => {};
    let response: IncomingMessage | undefined;
    let fault: TransferFault | undefined;
    const startTimer = () => {
      stopTimer = clock.after(idleMs, () => {
        fault = new TransferFault(`nothing came for ${idleMs / 1000} s`, { isTransient: true });
        (response ?? sent).destroy(fault);
      });
    };
    const close = () => {
      stopTimer();
      sent.destroy();
    };
    const fail = (reason: TransferFault) => {
      stopTimer();
      reject(reason);
    };
    sent.on('error', (error) => {
      fault ??= faultOf(error);
      fail(fault);
    });
    sent.once('response', (answer: IncomingMessage) => {
      response = answer;
      stopTimer();
      const chunks = new ArrivedChunks(answer);
      resolve({ response: answer, body: () => readBody(chunks), close });
    });
    // Node emits neither `response` nor `error` after this
    sent.once('upgrade', (answer: IncomingMessage, socket: Duplex) => {
      socket.destroy();
      fail(new TransferFault(`the server answered ${statusOf(answer)}`, { isTransient: false }));
    });
    // `close` is the last event of every request: without an answer by now there is none
    sent.once('close', () => {
      if (response === undefined) fail(fault ?? faultOf(new Error('aborted')));
    });
    startTimer();
    sent.end();

    async function* readBody(chunks: ArrivedChunks): AsyncGenerator<Buffer> {
      try {
        for (;;) {
          startTimer();
          const chunk = await chunks.take();
          stopTimer();
          if (chunk === undefined) break;
          yield chunk;
        }
      } catch (error) {
        throw fault ?? faultOf(error);
      } finally {
        close();
      }
      // such as bytes after the end that Content-Length announced
      if (fault !== undefined) throw fault;
    }
  });
}

function faultOf(error: unknown): TransferFault {
  if (error instanceof TransferFault) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const isTransient = !LASTING_CODES.test(code);
  return new TransferFault(reasonFor(code, message), { isTransient, cause: error });
}

function reasonFor(code: string, message: string): string {
  if (message === 'aborted' || code === 'ECONNRESET') return 'the connection broke off';
  // the parser's word for bytes after an answer's end
  if (code.startsWith('HPE_')) return `the server sent more than the length it gave, or no proper HTTP (${message})`;
  // of several addresses that all refuse, there is a code alone
  return message || code;
}
