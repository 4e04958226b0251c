/** Parses responses from the bytes of a connection. */

export interface RawResponse {
  readonly status: number;
  /** Names are lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Parses the first response in `bytes`; undefined if it is incomplete. Interim responses (1xx) are
 * responses too. `isHead` is whether the request was HEAD. Throws if the bytes are no response.
 */
export function parseResponse(
  bytes: Buffer,
  isHead: boolean,
): { readonly response: RawResponse; readonly length: number } | undefined {
  const headLength = bytes.indexOf(HEAD_END);
  if (headLength < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headLength).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (!(status >= 100)) throw new Error(`not a response: ${JSON.stringify(statusLine.slice(0, 80))}`);
  const headers = new Map(lines.map((line) => headerOf(line)));
  const bodyStart = headLength + HEAD_END.length;
  const length = bodyStart + bodyLength(status, isHead, headers);
  if (bytes.length < length) return undefined;
  return { response: { status, headers, body: bytes.subarray(bodyStart, length) }, length };
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new Error(`not a header: ${JSON.stringify(line.slice(0, 80))}`);
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function bodyLength(status: number, isHead: boolean, headers: ReadonlyMap<string, string>): number {
  if (isHead || status < 200 || status === 204 || status === 304) return 0;
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (!(length >= 0)) throw new Error(`status ${status} without Content-Length`);
  return length;
}
