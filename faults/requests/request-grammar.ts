/**
 * The grammar of generated requests: method, path, options, headers and body, valid and not. A
 * request is a sequence of choices, so the same grammar serves random runs and fast-check.
 */
import { ENDPOINTS } from 'toponym-server/http/endpoints';
import { type Choose, pick, rarely } from './choices.ts';
import { OPTION_NAMES, optionValue, randomText } from './option-values.ts';

export interface GeneratedRequest {
  readonly bytes: Buffer;
  readonly method: string;
  /** The path if it is one of the service's as documented; otherwise undefined. */
  readonly path: string | undefined;
  /** Whether the bytes are one complete request. Others end with the end of the connection. */
  readonly isComplete: boolean;
}

/** Keys of the service under test. */
export interface RequestKeys {
  readonly unlimited: string;
  readonly limited: string;
  readonly revoked: string;
}

type Texts = readonly [string, ...string[]];

export const METHODS: Texts = [
  'POST',
  'GET',
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
  'CONNECT',
  'post',
  'BREW',
  'M-SEARCH',
];
const PAGES: Texts = ['/healthz', '/readyz', '/', '/openapi.json'];
/** Searches are rarer, because they take the most time. */
const ENDPOINT_PATHS: Texts = ['/api/1/query', '/api/1/id', '/api/1/reverse', '/api/1/id', '/api/1/reverse'];
const ODD_PATHS: Texts = [
  '/api/1/other',
  '/api/1/',
  '/api/1/query/',
  '//api/1/query',
  '/API/1/QUERY',
  '/api/1/%71uery',
  '/api/1/query%00',
  '/%',
  '/%e0%a4',
  '*',
  'http://example.com/api/1/query',
  'https://[::1]:1/api/1/id',
  '/api/1/query#x',
  '/../etc/passwd',
  '/metrics',
  '/api/1/query;x=1',
  '/\u00ff',
];
const CONTENT_TYPES: Texts = [
  'application/x-www-form-urlencoded',
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'text/plain',
  'multipart/form-data; boundary=x',
  ';;;',
  'application/json; charset="',
  '',
];
const ODD_HEADERS: Texts = [
  'Accept: application/problem+json',
  'Accept: */*',
  'Accept-Encoding: gzip',
  'Accept-Encoding: br',
  'Origin: https://example.com',
  'Origin: null',
  'X-Request-Id: abc',
  'Expect: 100-continue',
  'Expect: nothing',
  'Connection: close',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Upgrade: h2c',
  'Content-Encoding: gzip',
  'If-None-Match: *',
  'Range: bytes=0-1',
  'Forwarded: for=1.2.3.4',
  'X-Real-IP: 1.2.3.4',
  'Cookie: a=b',
  'Host: b',
  'X-HTTP-Method-Override: DELETE',
  'Traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'Access-Control-Request-Method: POST',
  'TE: trailers',
  'Keep-Alive: timeout=1',
  'X: \u00ff\u00e9',
  'Bad Header: 1',
  'X-Nul: \0',
  ': no name',
];

export function generateRequest(choose: Choose, keys: RequestKeys): GeneratedRequest {
  const method = rarely(choose, 12) ? pick(choose, METHODS) : 'POST';
  const { target, path } = generateTarget(choose, keys);
  const { body, bodyHeaders } = generateBody(choose, path);
  const host = rarely(choose, 60) ? [] : ['Host: a'];
  const headers = [...host, ...keyHeaders(choose, keys), ...oddHeaders(choose), ...bodyHeaders];
  const version = rarely(choose, 60) ? pick(choose, ['1.0', '1.1', '2.0', '9']) : '1.1';
  const head = `${method} ${target} HTTP/${version}\r\n${headers.join('\r\n')}\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from(head, 'latin1'), body]);
  if (!rarely(choose, 50)) return { bytes, method, path, isComplete: true };
  return { bytes: mutate(choose, bytes), method, path: undefined, isComplete: false };
}

function generateTarget(choose: Choose, keys: RequestKeys): { target: string; path: string | undefined } {
  if (rarely(choose, 30)) return { target: pick(choose, PAGES), path: undefined };
  if (rarely(choose, 30)) return { target: pick(choose, ODD_PATHS), path: undefined };
  if (rarely(choose, 200)) return { target: `/${keys.unlimited}?key=${keys.unlimited}`, path: undefined };
  if (rarely(choose, 500)) return { target: `/${'a'.repeat(1000 * choose(20))}`, path: undefined };
  const path = pick(choose, ENDPOINT_PATHS);
  const form = rarely(choose, 8) ? generateForm(choose, path) : '';
  const spaceless = form.replace(/[^\x21-\xff]/g, '+');
  return { target: spaceless === '' ? path : `${path}?${spaceless}`, path };
}

function generateOptions(choose: Choose, path: string | undefined): [name: string, value: string][] {
  const required = path === '/api/1/id' ? 'objectID' : path === '/api/1/reverse' ? 'aroundLatLng' : 'query';
  const pairs: [string, string][] = rarely(choose, 12) ? [] : [[required, optionValue(choose, required)]];
  const known = ENDPOINTS.find(({ name }) => path === `/api/1/${name}`)?.options ?? OPTION_NAMES;
  // few hits in most responses, so that a million requests take minutes
  if (required !== 'objectID' && !rarely(choose, 8)) pairs.push(['hitsPerPage', pick(choose, ['1', '2', '3'])]);
  for (let more = choose(4); more > 0; more--) {
    const name = known[choose(known.length)] ?? 'query';
    if (rarely(choose, 25)) pairs.push([randomText(choose, 6), 'x']);
    else if (rarely(choose, 25) || !pairs.some(([other]) => other === name))
      pairs.push([name, optionValue(choose, name)]);
  }
  return pairs;
}

/** Values are escaped, or sometimes raw bytes. */
function generateForm(choose: Choose, path: string | undefined): string {
  const pairs = generateOptions(choose, path);
  if (!rarely(choose, 10)) return new URLSearchParams(pairs).toString();
  return pairs.map(([name, value]) => `${name}=${Buffer.from(value).toString('latin1')}`).join('&');
}

function generateJson(choose: Choose, path: string | undefined): string {
  if (rarely(choose, 20))
    return pick(choose, ['[]', 'null', '1', '{', '{"query":', '{"a":{}}', '[[[[', '{"query":"\\ud800"}', '\ufeff{}']);
  const values = generateOptions(choose, path).map(([name, value]) => [
    name,
    rarely(choose, 12) ? jsonValue(choose, value) : value,
  ]);
  return JSON.stringify(Object.fromEntries(values));
}

function jsonValue(choose: Choose, text: string): unknown {
  return [Number(text), true, null, [text], { text }, -0, 1e308][choose(7)];
}

function generateBody(choose: Choose, path: string | undefined): { body: Buffer; bodyHeaders: string[] } {
  const isJson = rarely(choose, 3);
  const text = isJson ? generateJson(choose, path) : generateForm(choose, path);
  const ownType = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  const type = rarely(choose, 15) ? pick(choose, CONTENT_TYPES) : ownType;
  const content = Buffer.from(text, rarely(choose, 20) ? 'latin1' : 'utf8');
  if (!rarely(choose, 15))
    return { body: content, bodyHeaders: [`Content-Type: ${type}`, `Content-Length: ${content.length}`] };
  return { body: chunked(choose, content), bodyHeaders: [`Content-Type: ${type}`, 'Transfer-Encoding: chunked'] };
}

function chunked(choose: Choose, content: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < content.length; ) {
    const chunk = content.subarray(at, at + 1 + choose(200));
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
    at += chunk.length;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

function keyHeaders(choose: Choose, keys: RequestKeys): string[] {
  if (!rarely(choose, 10)) return [`X-Service-Key: ${keys.unlimited}`, `X-Forwarded-For: ${address(choose)}`];
  const odd = [
    keys.limited,
    keys.revoked,
    '',
    'x',
    `${keys.unlimited}x`,
    `${keys.unlimited},${keys.unlimited}`,
    'tpk_',
  ];
  return [`X-Service-Key: ${odd[choose(odd.length)]}`, `X-Forwarded-For: ${address(choose)}`];
}

export function address(choose: Choose): string {
  if (rarely(choose, 20))
    return pick(choose, [',', '1.2.3.4, ::1', 'unknown', '::ffff:1.2.3.4', '1.2.3.4:80', '[::1]:80']);
  return `10.0.${choose(16)}.${choose(256)}`; // so few that the rate counters soon stop growing
}

export function oddHeaders(choose: Choose): string[] {
  if (!rarely(choose, 8)) return [];
  if (rarely(choose, 40)) return [`X-Long: ${'a'.repeat(1000 * choose(40))}`];
  return Array.from({ length: 1 + choose(3) }, () => pick(choose, ODD_HEADERS));
}

/** Cuts, changes, repeats or replaces bytes. */
export function mutate(choose: Choose, bytes: Buffer): Buffer {
  const at = choose(bytes.length);
  const kind = choose(5);
  if (kind === 0) return bytes.subarray(0, at);
  if (kind === 1) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + choose(8))]);
  if (kind === 2) return Buffer.concat([bytes, bytes.subarray(at), bytes]);
  if (kind === 3) return Buffer.from(Array.from({ length: 1 + choose(200) }, () => choose(256)));
  const changed = Buffer.from(bytes);
  for (let n = 1 + choose(4); n > 0; n--) changed[choose(changed.length)] = choose(256);
  return changed;
}
