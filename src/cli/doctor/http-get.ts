/** A GET request with a time limit, to ask a service. */
import { once } from 'node:events';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestTls } from 'node:https';

const TIMEOUT_MS = 3000;
const MAX_BODY_CHARACTERS = 1_000_000;

export interface HttpAnswer {
  readonly status: number;
  /** Cut off if it is very long. */
  readonly body: string;
}

/** Rejects if there is no answer in time. */
export async function httpGet(options: RequestOptions): Promise<HttpAnswer> {
  const request = options.protocol === 'http:' ? requestPlain : requestTls;
  const sent = request({ ...options, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
  let body = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    body += chunk;
    if (body.length > MAX_BODY_CHARACTERS) break;
  }
  return { status: response.statusCode ?? 0, body };
}
