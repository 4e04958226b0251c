/**
 * Routes of the adapters. A call passes the same admission, limits and queue as a call of our own endpoints. Its
 * key may be where clients of the other services can put it. Until a call is admitted, what it needs is looked for in
 * its URL, and the parameters are not parsed. An adapter's paths also exist below its name: `/photon/reverse` is
 * `/reverse` of Photon, even if Nominatim's is there, too.
 */
import { type Address, type Cidr, callerAddress, formatAddress, isInAny, parseAddress } from 'toponym-access/address';
import { builtInKey } from 'toponym-access/keys/key-record';
import type { CompatCalls } from '../http/app.ts';
import type { Call } from '../http/call-handler.ts';
import { quote, RequestError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { JSON_TYPE, TEXT_TYPE } from '../http/headers.ts';
import { readForm } from '../http/request/option-pairs.ts';
import type { FindRoutes, Route } from '../http/request-listener.ts';
import { type ByteString, byteStringFrom } from '../http/response/json-writer.ts';
import type { HttpResponse } from '../http/response/send.ts';
import { type Adapter, type AdapterCall, type AdapterEndpoint, firstLanguage, Parameters } from './adapter.ts';
import { ADAPTER_NAMES, type AdapterName, parseHost } from './compat-settings.ts';

const LOADERS: Readonly<Record<AdapterName, () => Promise<Adapter>>> = {
  places: async () => (await import('./algolia-places.ts')).algoliaPlaces,
  nominatim: async () => (await import('./nominatim.ts')).nominatim,
  photon: async () => (await import('./photon.ts')).photon,
};

/** Creates the routes of loaded adapters. */
export type CreateCompatRoutes = (calls: CompatCalls, listener?: PlainListener) => FindRoutes;

/** What differs where the adapters are answered over plain HTTP. */
export interface PlainListener {
  /** Only callers from these blocks are answered. */
  readonly allowedCallers: readonly Cidr[];
  /** Whether they need no key. */
  readonly isOpen: boolean;
  /** If they need no key: the names by which they may call, apart from addresses and localhost. */
  readonly allowedHosts: readonly string[];
}

export async function loadAdapters(names: readonly AdapterName[]): Promise<CreateCompatRoutes> {
  const inOrder = ADAPTER_NAMES.filter((name) => names.includes(name));
  const loading = inOrder.map(async (name) => {
    const adapter = await LOADERS[name]();
    return adapter.endpoints.map((endpoint): NamedEndpoint => ({ ...endpoint, adapter, name }));
  });
  const endpoints = (await Promise.all(loading)).flat();
  return (calls, listener) => findRoutesOf(endpoints, { ...calls, listener });
}

interface RouteSettings extends CompatCalls {
  readonly listener: PlainListener | undefined;
}

interface NamedEndpoint extends AdapterEndpoint {
  readonly adapter: Adapter;
  readonly name: AdapterName;
}

/** The key of callers who need none. */
const OPEN_KEY = builtInKey('open', { label: 'callers of --compat-open' });

const KEY_PARAMETERS = ['key', 'api_key', 'x-algolia-api-key'];
const KEY_HEADERS = ['X-Api-Key', 'X-Algolia-API-Key'];
/** Headers that web pages may send, apart from those of our own endpoints. */
const PAGE_HEADERS = [...KEY_HEADERS, 'X-Algolia-Application-Id', 'X-Algolia-Agent'];
const KEY_PATH = /^\/k\/([^/]*)(?=\/)/;
const KEY_HINT =
  'an API key is required: as the parameter key of the URL, before the path as in /k/KEY/, or in the header X-Api-Key';

function findRoutesOf(endpoints: readonly NamedEndpoint[], settings: RouteSettings): FindRoutes {
  const rooted = Map.groupBy(endpoints, ({ path }) => path);
  const named = Map.groupBy(endpoints, ({ name, path }) => `/${name}${path}`);
  return (decodedPath, queryString) => {
    const path = decodedPath.replace(KEY_PATH, '').replace(/(?<=.)\/$/, '');
    const anyEnd = `${path.slice(0, path.lastIndexOf('/') + 1)}*`;
    const found = rooted.get(path) ?? named.get(path) ?? rooted.get(anyEnd) ?? named.get(anyEnd);
    if (found === undefined) return undefined;
    const pathEnd = found[0]!.path.endsWith('*') ? path.slice(anyEnd.length - 1) : '';
    const methods = new Set(found.flatMap((endpoint) => endpoint.methods));
    return [...methods].map((method): Route => {
      const candidates = found.filter((endpoint) => endpoint.methods.includes(method));
      const endpoint = meantEndpoint(candidates, queryString);
      return {
        method,
        path,
        pageHeaders: PAGE_HEADERS,
        endpoint: endpoint.name,
        formatError: (error) => formatError(endpoint.adapter, error),
        handle: (exchange) => handle(exchange, { endpoint, decodedPath, pathEnd, settings }),
      };
    });
  };
}

interface Found {
  readonly endpoint: NamedEndpoint;
  readonly decodedPath: string;
  readonly pathEnd: string;
  readonly settings: RouteSettings;
}

function handle(exchange: Exchange, { endpoint, decodedPath, pathEnd, settings }: Found): void {
  const { listener } = settings;
  const vary = [settings.keyHeader, ...KEY_HEADERS, 'Accept-Language'].join(', ');
  exchange.responseHeaders.push('cache-control', 'private, no-store', 'vary', vary);
  if (listener !== undefined) {
    checkAddress(listener, callerAddress(exchange.request, settings.trustedProxies));
    checkHost(listener, exchange.request.headers.host);
  }
  // a key keeps other people's web pages from using the service through the browsers of this network
  const needsNoKey = listener?.isOpen && exchange.request.headers.origin === undefined;
  const key = { text: keyText(exchange, decodedPath), ifMissing: needsNoKey ? OPEN_KEY : undefined };
  const respondTo = (call: Call) => {
    const parameters = new Parameters();
    readForm(exchange.queryString, (name, value) => parameters.add(name, value));
    return respond(endpoint, call, { parameters, pathEnd, engine: settings.engine(), locate: settings.locate });
  };
  settings.handleCall(exchange, respondTo, key);
}

/** Throws RequestError if the listener does not answer callers of that address. */
function checkAddress({ allowedCallers }: PlainListener, address: Address): void {
  if (isInAny(address, allowedCallers)) return;
  const message = `this port answers those of --compat-from, by default private addresses, and you are ${formatAddress(address)}`;
  throw new RequestError('address_not_allowed', message);
}

/**
 * Throws RequestError if the listener does not answer that name. A web page whose own name leads to this machine
 * (DNS rebinding) sends no Origin to it, and names itself in Host. Every browser sends that header.
 */
function checkHost({ isOpen, allowedHosts }: PlainListener, header: string | undefined): void {
  if (!isOpen || header === undefined) return;
  const host = parseHost(header);
  if (host !== undefined && (parseAddress(host) !== undefined || host === 'localhost' || allowedHosts.includes(host)))
    return;
  const message = `this port needs no key, so it answers only addresses, localhost and the names of --compat-hosts, and this call is for ${quote(header)}`;
  throw new RequestError('host_not_allowed', message);
}

function meantEndpoint(candidates: readonly NamedEndpoint[], queryString: string): NamedEndpoint {
  return candidates.find(({ ownParameters }) => ownParameters?.test(queryString) ?? true) ?? candidates.at(-1)!;
}

/** Undefined if there is none, or only in the header of our own endpoints. */
function keyText({ queryString, request: { headers } }: Exchange, decodedPath: string): string | undefined {
  const inPath = KEY_PATH.exec(decodedPath)?.[1];
  const inParameter = KEY_PARAMETERS.map((name) => lastValue(queryString, name));
  const inHeader = KEY_HEADERS.map((name) => headers[name.toLowerCase()]?.toString());
  return [inPath, ...inParameter, ...inHeader].find(Boolean);
}

/** The last value of a parameter. Undefined if there is none. Its name must be sent without escapes. */
function lastValue(queryString: string, name: string): string | undefined {
  const pairs = `&${queryString}&`;
  const start = pairs.lastIndexOf(`&${name}=`);
  if (start < 0) return undefined;
  const valueStart = start + name.length + 2;
  const value = pairs.slice(valueStart, pairs.indexOf('&', valueStart));
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // no key
  }
}

type Input = Omit<AdapterCall, 'maxHits' | 'headerLanguage' | 'callerAddress'>;

function respond(endpoint: NamedEndpoint, call: Call, input: Input): ByteString | HttpResponse {
  endpoint.readBody?.(call.bodyBytes, input.parameters);
  const value = endpoint.respond({
    ...input,
    maxHits: call.caller.key.maxRecords,
    headerLanguage: firstLanguage(call.exchange.request.headers['accept-language']),
    callerAddress: formatAddress(call.caller.address),
  });
  if (typeof value === 'string') return { status: 200, contentType: TEXT_TYPE, body: Buffer.from(value) };
  return byteStringFrom(Buffer.from(JSON.stringify(value)));
}

function formatError(adapter: Adapter, error: RequestError) {
  const { status, body } = adapter.formatError(error, error.code === 'key_missing' ? KEY_HINT : error.message);
  return { status, contentType: JSON_TYPE, body: JSON.stringify(body) };
}
