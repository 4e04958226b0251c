/**
 * An HTTPS server on loopback that answers each request as the test says: well, or badly in a way of its own.
 */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { generate } from 'selfsigned';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface FileServer {
  readonly url: URL;
  /** The authority to trust, in PEM form. */
  readonly ca: string;
  /** Headers of the requests so far, in order. */
  readonly requests: readonly IncomingMessage[];
}

let certificate: ReturnType<typeof makeCertificate> | undefined;

/** Request by request; the last answer also stands for all later ones. */
export async function serveFiles(
  context: Pick<TestContext, 'after'>,
  ...answers: readonly Answer[]
): Promise<FileServer> {
  certificate ??= makeCertificate();
  const { cert, private: key } = await certificate;
  const requests: IncomingMessage[] = [];
  const server = createHttpsServer({ cert, key }, (request, response) => {
    const answer = answers[Math.min(requests.push(request), answers.length) - 1];
    answer?.(request, response);
  });
  const port = await listen(context, server);
  return { url: new URL(`https://localhost:${port}/dump/file.zip`), ca: cert, requests };
}

export async function servePlainHttp(context: Pick<TestContext, 'after'>, answer: Answer): Promise<URL> {
  const server = createHttpServer(answer);
  const port = await listen(context, server);
  return new URL(`http://127.0.0.1:${port}/`);
}

/** As a good server gives a file: conditional requests and ranges included. */
export function wellServed(content: Buffer, etag = '"v1"'): Answer {
  return (request, response) => {
    response.setHeader('etag', etag);
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304).end();
      return;
    }
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? Number.NaN);
    if (Number.isNaN(from) || request.headers['if-range'] !== etag) {
      response.writeHead(200, { 'content-length': content.length }).end(content);
    } else if (from >= content.length) {
      response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
    } else {
      const range = `bytes ${from}-${content.length - 1}/${content.length}`;
      response
        .writeHead(206, { 'content-range': range, 'content-length': content.length - from })
        .end(content.subarray(from));
    }
  };
}

/** Promises all of the content from `from` on, sends it up to `until`, and breaks the connection. */
export function cutOff(content: Buffer, { from = 0, until }: { from?: number; until: number }, etag = '"v1"'): Answer {
  return (_request, response) => {
    const range = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
    response.writeHead(from === 0 ? 200 : 206, {
      etag,
      'content-length': content.length - from,
      ...(from === 0 ? {} : range),
    });
    response.write(content.subarray(from, until), () => response.destroy());
  };
}

export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(code, headers).end();
  };
}

/** Bytes on the wire exactly so. */
export function raw(head: readonly string[], body: Buffer | string = ''): Answer {
  return (_request, response) => {
    response.socket?.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]));
  };
}

async function listen(
  context: Pick<TestContext, 'after'>,
  server: ReturnType<typeof createHttpServer> | ReturnType<typeof createHttpsServer>,
): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function makeCertificate() {
  return await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
}
