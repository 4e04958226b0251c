/** A GET request with a time limit, to ask a service or the server of an index. */
import { once } from 'node:events';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestTls } from 'node:https';
import { urlToHttpOptions } from 'node:url';

const TIMEOUT_MS = 3000;
const MAX_BODY_CHARACTERS = 1_000_000;

export interface HttpAnswer {
  readonly status: number;
  /** Cut off if it is very long. */
  readonly body: string;
}

/** Rejects if there is no answer in time. */
export async function httpGet(options: RequestOptions): Promise<HttpAnswer> {
  const response = await send(options);
  let body = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    body += chunk;
    if (body.length > MAX_BODY_CHARACTERS) break;
  }
  return { status: response.statusCode ?? 0, body };
}

/** Asks for the first byte of a file. Returns the status, and reads no body. */
export async function fileStatus(url: URL): Promise<number> {
  const response = await send({ ...urlToHttpOptions(url), headers: { range: 'bytes=0-0' } });
  response.destroy();
  return response.statusCode ?? 0;
}

async function send(options: RequestOptions): Promise<IncomingMessage> {
  const request = options.protocol === 'http:' ? requestPlain : requestTls;
  const sent = request({ ...options, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
  try {
    const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
    return response;
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    throw new Error(`no answer within ${TIMEOUT_MS / 1000} s`, { cause: error });
  }
}
