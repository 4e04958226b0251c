/**
 * The three endpoints: the options of each, and its response.
 * Each response is computed in one pass: options -> query object -> engine -> JSON.
 */
import { performance } from 'node:perf_hooks';
import { type Address, formatAddress } from '../access/address.ts';
import { MAX_RECORDS } from '../access/keys/key-record.ts';
import type { Engine } from '../engine/engine.ts';
import type { LatLng } from '../place/sphere.ts';
import { RequestError } from './errors.ts';
import type { OptionName, OptionValues } from './request/options.ts';
import { requireOption } from './request/request-options.ts';
import type { Latin1Bytes } from './response/latin1-bytes.ts';
import { formatLatLng, fullRecordJson, resultJson } from './response/result-json.ts';

export type EndpointName = 'query' | 'id' | 'reverse';

export interface Endpoint {
  readonly name: EndpointName;
  readonly summary: string;
  readonly options: readonly OptionName[];
  readonly required: readonly OptionName[];
  /** Returns the body of the response. Throws RequestError. */
  respond(options: OptionValues, scope: RequestScope): Latin1Bytes;
}

/** Everything except the options that a response depends on. */
export interface RequestScope {
  readonly engine: Engine;
  /** The maximum number of hits for the caller's key. */
  readonly maxRecords: number;
  readonly callerAddress: Address;
  readonly locate: LocateAddress;
}

/** Locates an IP address: undefined if it is unknown, `loading` while the data is being read. */
export type LocateAddress = (address: string) => LatLng | 'loading' | undefined;

export const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'query',
    summary: 'Find places by name',
    options: [
      'query',
      'type',
      'hitsPerPage',
      'aroundLatLng',
      'aroundLatLngViaIP',
      'aroundRadius',
      'getRankingInfo',
      'language',
      'countries',
    ],
    required: [],
    respond: queryResponse,
  },
  {
    name: 'id',
    summary: 'Get one place by its identifier',
    options: ['objectID', 'language'],
    required: ['objectID'],
    respond: idResponse,
  },
  {
    name: 'reverse',
    summary: 'Find the places nearest to a point',
    options: ['aroundLatLng', 'hitsPerPage', 'type', 'language'],
    required: ['aroundLatLng'],
    respond: reverseResponse,
  },
];

function queryResponse(options: OptionValues, scope: RequestScope): Latin1Bytes {
  const startedMs = performance.now();
  const { query: text = '', type: types, countries, language, aroundRadius: radiusMeters } = options;
  const limit = limitOf(options, scope);
  const { point, message } = pointOf(options, scope);
  const result = scope.engine.search({
    text,
    limit,
    types,
    countries,
    language,
    around: point,
    radiusMeters,
    explain: options.getRankingInfo ?? false,
  });
  const params = encodeParams({
    query: text,
    type: types?.join(','),
    hitsPerPage: limit,
    aroundLatLng: point && formatLatLng(point),
    aroundRadius: radiusMeters,
    getRankingInfo: options.getRankingInfo,
    language,
    countries: countries?.join(',').toLowerCase(),
  });
  const processingTimeMS = elapsedMs(startedMs);
  const echo = { query: text, hitsPerPage: limit, params, point, message, processingTimeMS };
  return resultJson(result, echo, scope.engine);
}

function idResponse(options: OptionValues, scope: RequestScope): Latin1Bytes {
  const objectID = requireOption('objectID', options.objectID);
  const full = scope.engine.get(objectID, options.language);
  if (full === undefined) throw new RequestError('object_not_found');
  return fullRecordJson(full);
}

function reverseResponse(options: OptionValues, scope: RequestScope): Latin1Bytes {
  const startedMs = performance.now();
  const point = requireOption('aroundLatLng', options.aroundLatLng);
  const { type: types, language } = options;
  const limit = limitOf(options, scope);
  const result = scope.engine.reverse({ at: point, limit, types, language });
  const params = encodeParams({
    aroundLatLng: formatLatLng(point),
    hitsPerPage: limit,
    type: types?.join(','),
    language,
  });
  const processingTimeMS = elapsedMs(startedMs);
  return resultJson(result, { query: '', hitsPerPage: limit, params, point, processingTimeMS }, scope.engine);
}

function limitOf(options: OptionValues, scope: RequestScope): number {
  return Math.min(options.hitsPerPage ?? MAX_RECORDS, MAX_RECORDS, scope.maxRecords);
}

/** Returns the point to search around, or a message if the requested address cannot be located. */
function pointOf(options: OptionValues, scope: RequestScope): { point: LatLng | undefined; message?: string } {
  if (options.aroundLatLng !== undefined) return { point: options.aroundLatLng };
  const viaIP = options.aroundLatLngViaIP;
  if (viaIP === undefined || viaIP === 'none') {
    if (options.aroundRadius === undefined) return { point: undefined };
    throw new RequestError('invalid_option', {
      option: 'aroundRadius',
      message: 'aroundRadius: needs a point to measure from; add aroundLatLng or aroundLatLngViaIP',
    });
  }
  const address = formatAddress(viaIP === 'own' ? scope.callerAddress : viaIP);
  const point = scope.locate(address);
  if (point !== undefined && point !== 'loading') return { point };
  const reason = point === 'loading' ? ' because the IP data is still loading' : '';
  const message = `aroundLatLngViaIP: ${address} could not be located${reason}, so`;
  if (options.aroundRadius === undefined)
    return { point: undefined, message: `${message} the search ran without a point` };
  throw new RequestError('invalid_option', {
    option: 'aroundLatLngViaIP',
    message: `${message} aroundRadius has no point; give aroundLatLng`,
  });
}

/** Formats the options that were used as a URL query string. */
function encodeParams(values: Partial<Record<OptionName, string | number | boolean | undefined>>): string {
  let text = '';
  for (const name in values) {
    const value = values[name as OptionName];
    if (value === undefined) continue;
    text += `${text === '' ? '' : '&'}${name}=${encodeURIComponent(value)}`;
  }
  return text;
}

/** Milliseconds since `startedMs`, rounded to the microsecond. */
export function elapsedMs(startedMs: number): number {
  return Math.round((performance.now() - startedMs) * 1000) / 1000;
}
