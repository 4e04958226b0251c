/** The grammar of generated requests to adapters, and the shapes of the responses that their clients can read. */

import type { OptionName } from 'toponym-engine/options';
import { ADAPTER_NAMES, type AdapterName } from 'toponym-server/compat/compat-settings';
import type { RawResponse } from '../http/raw-response.ts';
import { type Choose, pick, rarely } from './choices.ts';
import { optionValue, randomText } from './option-values.ts';
import { address, type GeneratedRequest, METHODS, mutate, oddHeaders, type RequestKeys } from './request-grammar.ts';
import type { ResponseCheck } from './response-check.ts';

type Texts = readonly [string, ...string[]];
type Json = Readonly<Record<string, unknown>>;

interface AdapterGrammar {
  /** A last part `*` stands for an id. */
  readonly paths: Texts;
  readonly parameters: Texts;
  /** For a request that succeeds. */
  readonly example: string;
  readonly isResult: (value: unknown) => boolean;
  readonly isError: (value: Json) => boolean;
}

const GRAMMARS: Readonly<Record<AdapterName, AdapterGrammar>> = {
  photon: {
    paths: ['/api', '/reverse', '/status'],
    parameters: ['q', 'lat', 'lon', 'lang', 'limit', 'bbox', 'layer', 'countrycode', 'osm_tag', 'radius', 'zoom'],
    example: '/photon/api?q=paris',
    isResult: (value) => isFeatureCollection(value) || isObject(value, { status: 'Ok' }),
    isError: ({ message, ...others }) => typeof message === 'string' && Object.keys(others).length === 0,
  },
  nominatim: {
    paths: ['/search', '/reverse', '/lookup', '/status', '/search.php'],
    parameters: [
      ...(['q', 'city', 'state', 'country', 'street', 'lat', 'lon', 'zoom', 'format', 'limit', 'osm_ids'] as const),
      ...['addressdetails', 'namedetails', 'countrycodes', 'viewbox', 'bounded', 'accept-language', 'featureType'],
    ],
    example: '/nominatim/search?q=paris&format=json',
    isResult: (value) =>
      isFeatureCollection(value) ||
      (Array.isArray(value) && value.every(isNominatimPlace)) ||
      isNominatimPlace(value) ||
      isObject(value, { error: 'Unable to geocode' }) ||
      isObject(value, { status: 0 }) ||
      value === 'OK',
    isError: ({ error }) => isObject(error) && typeof error.message === 'string' && typeof error.code === 'number',
  },
  places: {
    paths: ['/1/places/query', '/1/places/reverse', '/1/places/*'],
    parameters: [
      ...(['query', 'type', 'hitsPerPage', 'language', 'countries', 'aroundLatLng', 'aroundLatLngViaIP'] as const),
      ...['aroundRadius', 'insideBoundingBox', 'insidePolygon', 'getRankingInfo', 'params', 'x-algolia-agent'],
    ],
    example: '/places/1/places/query?query=paris',
    isResult: (value) =>
      isObject(value) && (Array.isArray(value.hits) ? value.hits.every(isAlgoliaPlace) : isAlgoliaPlace(value)),
    isError: ({ message, status }) => typeof message === 'string' && typeof status === 'number',
  },
};

/** Our option whose values, valid and wrong ones, a parameter gets. */
const OPTIONS: Readonly<Record<string, OptionName>> = {
  ...{ q: 'query', city: 'query', country: 'query', query: 'query', lang: 'language', language: 'language' },
  ...{ 'accept-language': 'language', limit: 'hitsPerPage', hitsPerPage: 'hitsPerPage', countrycode: 'countries' },
  ...{ countrycodes: 'countries', countries: 'countries', bbox: 'insideBoundingBox', viewbox: 'insideBoundingBox' },
  ...{ insideBoundingBox: 'insideBoundingBox', aroundLatLng: 'aroundLatLng', aroundRadius: 'aroundRadius' },
  ...{ aroundLatLngViaIP: 'aroundLatLngViaIP', getRankingInfo: 'getRankingInfo', osm_ids: 'objectID' },
};
const VALUES: Readonly<Record<string, Texts>> = {
  layer: ['city', 'district', 'house', 'city,locality', 'planet'],
  osm_tag: ['place:city', '!place:town', 'place:!city', ':!village', 'tourism', '!', ':', '::', '!a:!b:!c', 'a\n:b'],
  radius: ['1', '0.5', '-1', 'Infinity', 'x'],
  zoom: ['3', '10', '18', '-1', 'x', '1e400'],
  format: ['json', 'jsonv2', 'geojson', 'geocodejson', 'xml', 'html'],
  osm_ids: ['N2988507', 'N1,W2,R3', 'X1', ',', 'N99999999999999999999', 'n2988507'],
  type: ['city', 'country', 'address', 'busStop', 'city,country', '["city"]', 'x'],
  params: ['query=paris', 'query=%zz', '&&&', 'query=paris&query=rome'],
  state: ['texas', 'bavaria'],
  viewbox: ['9,51,11,53', '-180,-90,180,90', '1,2,3'],
};
const DEGREES: Texts = ['48.85', '2.35', '0', '-90', '180', '91', '1e2', 'NaN', '', 'x', ' 1 '];
const IDS: Texts = ['G2988507', 'G2950159', 'G1', 'x', '%00', '%2F', '..', '%F0%9F%8F%99', '*'];
const ODD_PATHS: Texts = [
  '/',
  '/api/1/query',
  '/photon',
  '/k/',
  '/k',
  '/k//api',
  '/K/x/api',
  '/api//',
  '/%zz',
  '/healthz',
  `/${'a'.repeat(8000)}//`,
];
/** Requests that the service refuses before it looks for a route have the error of the service itself. */
const EARLY_STATUSES: readonly number[] = [400, 408, 413, 417, 431];

export function generateAdapterRequest(choose: Choose, keys: RequestKeys): GeneratedRequest {
  const name = ADAPTER_NAMES[choose(ADAPTER_NAMES.length)]!;
  const grammar = GRAMMARS[name];
  const path = rarely(choose, 3) ? pick(choose, grammar.paths) : `/${name}${pick(choose, grammar.paths)}`;
  const usual = grammar === GRAMMARS.places && rarely(choose, 2) ? 'POST' : 'GET';
  const method = rarely(choose, 25) ? pick(choose, METHODS) : usual;
  const { prefix, headers: keyHeaders, parameters } = placeKey(choose, keys);
  const form = generateForm(choose, grammar, { path, added: parameters });
  const isInBody = method === 'POST' && !rarely(choose, 6);
  const isOdd = rarely(choose, 40);
  const end = path.replace('*', pick(choose, IDS)) + (rarely(choose, 12) ? '/' : '');
  const target = isOdd ? pick(choose, ODD_PATHS) : `${prefix}${end}${isInBody || form === '' ? '' : `?${form}`}`;
  const body = isInBody || rarely(choose, 40) ? generateBody(choose, form) : '';
  const headers = ['Host: a', `X-Forwarded-For: ${address(choose)}`, ...keyHeaders, ...oddHeaders(choose)];
  if (rarely(choose, 8))
    headers.push(`Accept-Language: ${pick(choose, ['de-AT,en;q=0.8', '*', ';;', 'x'.repeat(300)])}`);
  const content = Buffer.from(body);
  if (content.length > 0)
    headers.push('Content-Type: application/x-www-form-urlencoded', `Content-Length: ${content.length}`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`, 'latin1');
  const bytes = Buffer.concat([head, content]);
  if (rarely(choose, 100)) return { bytes: mutate(choose, bytes), method, path: undefined, isComplete: false };
  return { bytes, method, path: isOdd ? undefined : path, isComplete: true };
}

/** A request of each adapter that succeeds. */
export function exampleTargets(): string[] {
  return ADAPTER_NAMES.map((name) => GRAMMARS[name].example);
}

interface PlacedKey {
  readonly prefix: string;
  readonly headers: readonly string[];
  readonly parameters: readonly (readonly [string, string])[];
}

/** Puts a key where clients of the other services put it. */
function placeKey(choose: Choose, keys: RequestKeys): PlacedKey {
  const odd = [keys.limited, keys.revoked, '', 'x', `${keys.unlimited}x`, 'tpk_', '%zz', '%00'];
  const key = rarely(choose, 12) ? odd[choose(odd.length)]! : keys.unlimited;
  const where = choose(5);
  if (where === 0) return { prefix: `/k/${key}`, headers: [], parameters: [] };
  if (where === 1) return { prefix: '', headers: [`X-Api-Key: ${key}`], parameters: [] };
  if (where === 2) return { prefix: '', headers: [`X-Service-Key: ${key}`], parameters: [] };
  if (where === 3) return { prefix: '', headers: [`X-Algolia-API-Key: ${key}`], parameters: [] };
  return { prefix: '', headers: [], parameters: [[pick(choose, ['key', 'api_key', 'x-algolia-api-key']), key]] };
}

interface FormPlace {
  readonly path: string;
  readonly added: PlacedKey['parameters'];
}

/** What a path needs, in most requests, and more. Parameters may be repeated, and values are sometimes raw bytes. */
function generateForm(choose: Choose, grammar: AdapterGrammar, { path, added }: FormPlace): string {
  const { parameters } = grammar;
  const pairs = [...added];
  const isReverse = path.endsWith('reverse');
  if (rarely(choose, 12)) pairs.push([pick(choose, parameters), 'x']);
  else if (isReverse && parameters.includes('lat')) pairs.push(['lat', degrees(choose)], ['lon', degrees(choose)]);
  else {
    const required = isReverse ? 'aroundLatLng' : path.endsWith('lookup') ? 'osm_ids' : parameters[0];
    pairs.push([required, parameterValue(choose, required)]);
  }
  // few hits in most responses, so that a million requests take minutes
  if (!rarely(choose, 8))
    pairs.push([parameters.includes('limit') ? 'limit' : 'hitsPerPage', pick(choose, ['1', '2'])]);
  for (let more = choose(4); more > 0; more--) {
    const name = rarely(choose, 25) ? randomText(choose, 6) : pick(choose, parameters);
    pairs.push([name, parameterValue(choose, name)]);
  }
  if (!rarely(choose, 12)) return pairs.map((pair) => pair.map(encode).join('=')).join('&');
  return pairs.map(([name, value]) => `${name}=${rawBytes(value)}`).join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Bytes that a request line can have. */
function rawBytes(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replace(/[^\x21-\xff]/g, '+');
}

function parameterValue(choose: Choose, name: string): string {
  if (name === 'lat' || name === 'lon') return degrees(choose);
  const option = OPTIONS[name];
  const values = VALUES[name];
  if (values !== undefined && !rarely(choose, 8)) return pick(choose, values);
  return optionValue(choose, option ?? 'query');
}

function degrees(choose: Choose): string {
  return rarely(choose, 5) ? pick(choose, DEGREES) : String(choose(360) / 2 - 90);
}

/** Algolia's clients send JSON with the form in it, labelled as a form. */
function generateBody(choose: Choose, form: string): string {
  const kind = choose(8);
  if (kind < 4) return JSON.stringify({ params: form });
  if (kind < 5) return form;
  if (kind < 6) return JSON.stringify(Object.fromEntries(new URLSearchParams(form)));
  if (kind < 7)
    return pick(choose, [
      '{',
      '[]',
      'null',
      '{"params":1}',
      '"x"',
      '{"query":{"a":[]}}',
      '\ufeff{}',
      '{"a":"\\ud800"}',
    ]);
  return randomText(choose, 1 + choose(rarely(choose, 50) ? 9000 : 60));
}

/** Every response, except of a refused request, must have a shape of the adapters that have its path. */
export const checkAdapterResponse: ResponseCheck = ({ method, path }, response) => {
  const { status, headers } = response;
  if (status === 500) return 'status 500';
  if (!headers.has('x-request-id')) return `status ${status} without X-Request-Id`;
  if ((status === 429 || status === 503) && !headers.has('retry-after')) return `status ${status} without Retry-After`;
  if (method === 'HEAD' || status === 204) return undefined;
  const value = readBody(response);
  if (value === undefined)
    return `status ${status}: the body cannot be read: ${response.body.toString('latin1', 0, 80)}`;
  const isEarly = path === undefined || method === 'CONNECT' || EARLY_STATUSES.includes(status);
  if (status >= 400 && isEarly && isOwnError(value)) return undefined;
  const grammars = ADAPTER_NAMES.filter((name) => path === undefined || hasPath(name, path)).map(
    (name) => GRAMMARS[name],
  );
  const fits = grammars.some(({ isResult, isError }) =>
    status === 200 ? isResult(value) : isObject(value) && isError(value),
  );
  return fits ? undefined : `status ${status}: not the shape of the adapter: ${response.body.toString('utf8', 0, 200)}`;
};

function hasPath(name: AdapterName, path: string): boolean {
  return GRAMMARS[name].paths.some((each) => each === path || `/${name}${each}` === path);
}

/** JSON, or the text itself if it is plain. Undefined if it is not what its type says. */
function readBody({ headers, body }: RawResponse): unknown {
  const text = body.toString('utf8');
  if (headers.get('content-type')?.startsWith('text/plain')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown, fields: Json = {}): value is Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(fields).every(([name, expected]) => (value as Json)[name] === expected);
}

function isOwnError(value: unknown): boolean {
  return isObject(value) && ['message', 'code', 'requestId'].every((name) => typeof value[name] === 'string');
}

function isFeatureCollection(value: unknown): boolean {
  return (
    isObject(value, { type: 'FeatureCollection' }) && Array.isArray(value.features) && value.features.every(isFeature)
  );
}

function isFeature(value: unknown): boolean {
  if (!isObject(value, { type: 'Feature' }) || !isObject(value.properties)) return false;
  if (!isObject(value.geometry, { type: 'Point' }) || !Array.isArray(value.geometry.coordinates)) return false;
  return value.geometry.coordinates.length === 2 && value.geometry.coordinates.every(Number.isFinite);
}

function isNominatimPlace(value: unknown): boolean {
  if (!isObject(value) || !Array.isArray(value.boundingbox) || value.boundingbox.length !== 4) return false;
  const texts = [value.lat, value.lon, value.display_name, value.licence, ...value.boundingbox];
  return texts.every((text) => typeof text === 'string') && Number.isFinite(value.place_id);
}

function isAlgoliaPlace(value: unknown): boolean {
  if (!isObject(value) || !isObject(value._geoloc) || !Array.isArray(value._tags)) return false;
  return typeof value.objectID === 'string' && typeof value.locale_names === 'object';
}
