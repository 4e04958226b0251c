/** Serves the tools over standard input and output, or over HTTP to programs of this machine. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as sdk from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type CallEndpoint, createPlaceServer } from './tools.ts';

const MAX_MESSAGE_BYTES = 1024 * 1024;

interface Tools {
  readonly call: CallEndpoint;
  readonly onError: (error: Error) => void;
}

/** Resolves when the client has gone, or when `isReady` rejects. Calls can be answered when `isReady` resolves. */
export async function serveOnStdio({ call, onError }: Tools, isReady: Promise<unknown>): Promise<void> {
  // the SDK does not answer requests that are open when the input ends, so the end waits for them
  const settled = isReady.catch(() => input.end());
  const input = new PassThrough({ flush: (done) => void settled.then(() => setImmediate(done)) });
  process.stdin.pipe(input);
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  serveStdio(() => createPlaceServer(call), { transport, onerror: onError });
  const { onclose } = transport;
  const { promise, resolve } = Promise.withResolvers<void>();
  transport.onclose = () => {
    onclose?.();
    resolve();
  };
  await promise;
  process.stdin.destroy();
}

/** Must listen only where no other machine can connect, because it needs no key. */
export function createMcpServer({ call, onError }: Tools): Server {
  const options = { maxRequestBodySize: MAX_MESSAGE_BYTES, onerror: onError };
  const handler = sdk.createMcpHandler(() => createPlaceServer(call), options);
  const handle = async (message: IncomingMessage, response: ServerResponse) => {
    const request = toRequest(message);
    // web pages may point a name of theirs to this machine
    const refusal =
      sdk.hostHeaderValidationResponse(request, sdk.localhostAllowedHostnames()) ??
      sdk.originValidationResponse(request, sdk.localhostAllowedOrigins());
    const { status, headers, body } = refusal ?? (await handler.fetch(request));
    if (!message.complete) response.setHeader('connection', 'close'); // the rest of a huge body is not read
    response.writeHead(status, Object.fromEntries(headers));
    await pipeline(body === null ? [] : Readable.fromWeb(body), response);
  };
  return createServer((message, response) => {
    handle(message, response).catch((error: Error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(400).end(`${error.message}\n`);
    });
  });
}

function toRequest(message: IncomingMessage): Request {
  const { method = 'GET', headers, url = '/' } = message;
  const body = method === 'GET' || method === 'HEAD' ? null : (Readable.toWeb(message) as ReadableStream);
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Request(`http://${headers.host}${url}`, { method, headers: pairs, body, duplex: 'half' });
}
