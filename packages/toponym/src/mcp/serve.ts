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
  const refuse = (error: JsonRpcError) => {
    onError(new Error(error.message));
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
  };
  const input = createLineFilter(refuse, () => settled);
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

type JsonRpcError = { readonly code: number; readonly message: string };

/** Passes on the lines that are messages; the SDK would skip the others silently. Ends after its input and `isDone`. */
function createLineFilter(refuse: (error: JsonRpcError) => void, isDone: () => Promise<unknown>): Transform {
  let rest: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lines = Buffer.concat([rest, chunk]);
      const end = lines.lastIndexOf('\n') + 1;
      rest = lines.subarray(end);
      for (const line of lines
        .toString('utf8', 0, end)
        .split('\n')
        .filter((each) => each.trim() !== '')) {
        const error = lineError(line);
        if (error === undefined) this.push(`${line}\n`);
        else refuse(error);
      }
      if (rest.length > MAX_MESSAGE_BYTES) this.push(rest); // then the transport ends the session
      done();
    },
    flush: (done) => void isDone().then(() => setImmediate(done)),
  });
}

function lineError(line: string): JsonRpcError | undefined {
  try {
    sdk.deserializeMessage(line);
    return undefined;
  } catch (error) {
    const isJson = !(error instanceof SyntaxError);
    if (isJson) return { code: sdk.INVALID_REQUEST, message: 'The line is not a JSON-RPC message' };
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
