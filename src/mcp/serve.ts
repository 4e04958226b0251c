/** Serves the tools over standard input and output, or over HTTP to programs of this machine. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable, Transform } from 'node:stream';
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
  const input = createLineFilter(
    (line) => {
      const refusal = refuseLine(line);
      if (refusal === undefined) return true;
      onError(new Error(refusal.message));
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: refusal })}\n`);
      return false;
    },
    () => settled,
  );
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

/** Passes on the lines that are accepted. Ends when its input has ended and `isDone` resolves. */
function createLineFilter(accept: (line: string) => boolean, isDone: () => Promise<unknown>): Transform {
  let rest: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const received = Buffer.concat([rest, chunk]);
      const end = received.lastIndexOf('\n') + 1;
      rest = received.subarray(end);
      const lines = received.toString('utf8', 0, end).split('\n');
      for (const line of lines) if (line.trim() !== '' && accept(line)) this.push(`${line}\n`);
      // the transport ends the session for an unfinished line that is too long
      if (rest.length > MAX_MESSAGE_BYTES) this.push(rest);
      done();
    },
    flush: (done) => void isDone().then(() => setImmediate(done)),
  });
}

/** The error that JSON-RPC wants for a line that is no message; undefined for a message. The SDK would answer nothing. */
function refuseLine(line: string): { readonly code: number; readonly message: string } | undefined {
  try {
    sdk.deserializeMessage(line);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError))
      return { code: sdk.INVALID_REQUEST, message: 'The line is not a JSON-RPC message' };
    return { code: sdk.PARSE_ERROR, message: `The line is not JSON: ${error.message}` };
  }
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
