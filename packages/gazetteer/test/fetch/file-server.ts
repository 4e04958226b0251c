/**
 * An HTTPS server on loopback whose responses, good or broken, the test chooses, and a proxy to it.
 */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { TestContext } from 'node:test';

export type Responder = (request: IncomingMessage, response: ServerResponse) => void;

export interface FileServer {
  readonly url: URL;
  /** The certificate authority to trust, in PEM form. */
  readonly ca: string;
  /** Requests so far, in order. */
  readonly requests: readonly IncomingMessage[];
}

/** Reaches this machine, but does not count as a loopback address, which no proxy is asked for. */
export const UNSPECIFIED = '0.0.0.0';

let certificate: ReturnType<typeof createCertificate> | undefined;

/** Uses one responder per request; the last one handles all later requests. */
export async function serveFiles(
  context: Pick<TestContext, 'after'>,
  ...responders: readonly Responder[]
): Promise<FileServer> {
  certificate ??= createCertificate();
  const { cert, private: key } = await certificate;
  const requests: IncomingMessage[] = [];
  const server = createHttpsServer({ cert, key }, (request, response) => {
    const respond = responders[Math.min(requests.push(request), responders.length) - 1];
    respond?.(request, response);
  });
  const port = await listen(context, server);
  return { url: new URL(`https://localhost:${port}/dump/file.zip`), ca: cert, requests };
}

export async function servePlainHttp(context: Pick<TestContext, 'after'>, responder: Responder): Promise<URL> {
  const server = createHttpServer(responder);
  const port = await listen(context, server);
  return new URL(`http://127.0.0.1:${port}/`);
}

/** A proxy for HTTPS that connects every host to this machine, or refuses with `status`. */
export async function serveProxy(context: Pick<TestContext, 'after'>, status?: string) {
  const asked: string[] = [];
  const server = createHttpServer().on('connect', ({ url = '' }, client) => {
    asked.push(url);
    if (status !== undefined) return client.end(`HTTP/1.1 ${status}\r\n\r\n`);
    const target = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    target.on('error', () => client.destroy());
    client.on('error', () => target.destroy());
  });
  const port = await listen(context, server);
  return { asked, url: `http://user:hunter2@127.0.0.1:${port}` };
}

/** Serves a file correctly, with conditional requests and ranges. */
export function wellServed(content: Buffer, etag = '"v1"'): Responder {
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

/** Announces the content from `from`, sends it up to `until`, and closes the connection. */
export function cutOff(
  content: Buffer,
  { from = 0, until }: { from?: number; until: number },
  etag = '"v1"',
): Responder {
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

export function status(code: number, headers: Record<string, string> = {}): Responder {
  return (_request, response) => {
    response.writeHead(code, headers).end();
  };
}

/** Sends exactly these bytes. */
export function raw(head: readonly string[], body: Buffer | string = ''): Responder {
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

async function createCertificate() {
  const { generate } = await import('selfsigned'); // few tests need it
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
          { type: 7, ip: UNSPECIFIED },
        ],
      },
    ],
  });
}
