/** The endpoints query, id and reverse: their options, and how options become a response. */
import { type Address, formatAddress } from 'toponym-access/address';
import { MAX_RECORDS } from 'toponym-access/keys/key-record';
import type { Engine, ReverseQuery, SearchQuery } from 'toponym-engine/engine';
import { type EndpointName, fieldOf, type OptionName, optionsOf } from 'toponym-engine/options';
import type { LatLng } from 'toponym-engine/place/sphere';
import { invalidOption, RequestError } from './errors.ts';
import { elapsedMs } from './exchange.ts';
import { type OptionValues, requireOption } from './request/read-options.ts';
import type { ByteString } from './response/json-writer.ts';
import { formatLatLng, fullRecordJson, resultJson } from './response/result-json.ts';

export interface Endpoint {
  readonly name: EndpointName;
  /** Name of the operation in generated clients. */
  readonly operationId: string;
  readonly summary: string;
  /** What to know before calling it, for the OpenAPI document. */
  readonly description: string;
  /** The option that says what to find. */
  readonly mainOption: OptionName;
  readonly options: readonly OptionName[];
  /** Returns the response's body, or throws RequestError. */
  respond(options: OptionValues, context: CallContext): ByteString;
}

interface CallContext {
  readonly engine: Engine;
  /** Maximum hits for the caller's key. */
  readonly maxRecords: number;
  readonly callerAddress: Address;
  readonly locate: LocateIpAddress;
}

/** Locates an IP address. Returns undefined if its location is unknown. */
export type LocateIpAddress = (address: string) => LatLng | undefined;

export const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'query',
    operationId: 'searchPlaces',
    mainOption: 'query',
    summary: 'Find places by name',
    description:
      'Tolerates typos and unfinished words, knows names in any script, and understands regions before or after the name: `paris tx`. A pair of coordinates finds the place there.',
    options: optionsOf('query'),
    respond: queryResponse,
  },
  {
    name: 'id',
    operationId: 'getPlace',
    mainOption: 'objectID',
    summary: 'Get one place by its identifier',
    description: 'Needs `objectID`. The record has all names of the place. A merged identifier returns its successor.',
    options: optionsOf('id'),
    respond: idResponse,
  },
  {
    name: 'reverse',
    operationId: 'findPlacesAt',
    mainOption: 'aroundLatLng',
    summary: 'Find the places nearest to a point, or the place that contains it',
    description: 'Needs `aroundLatLng`. Hits are ordered by their exact distance on the sphere, however far they are.',
    options: optionsOf('reverse'),
    respond: reverseResponse,
  },
];

function queryResponse(options: OptionValues, context: CallContext): ByteString {
  const startedMs = performance.now();
  const { query = '' } = options;
  const hitsPerPage = hitLimitOf(options, context);
  const { point, message } = pointOf(options, context);
  const search: Required<SearchQuery> = {
    text: query,
    limit: hitsPerPage,
    types: options.type,
    countries: options.countries,
    around: point,
    radiusMeters: options.aroundRadius,
    box: options.insideBoundingBox,
    allowsTypos: options.typoTolerance,
    language: options.language,
    minConfidence: options.minConfidence,
    explain: options.getRankingInfo,
  };
  const result = context.engine.search(search);
  const params = encodeParams(QUERY_PARAMS, { ...options, query, hitsPerPage, aroundLatLng: point });
  const processingTimeMS = elapsedMs(startedMs);
  const shownPoint = result.typedPoint ?? point;
  return resultJson(
    result,
    { query, hitsPerPage, params, point: shownPoint, message, processingTimeMS },
    context.engine,
  );
}

function idResponse(options: OptionValues, context: CallContext): ByteString {
  const objectID = requireOption('objectID', options.objectID);
  const full = context.engine.get(objectID, options.language);
  if (full === undefined) throw new RequestError('object_not_found');
  return fullRecordJson(full);
}

function reverseResponse(options: OptionValues, context: CallContext): ByteString {
  const startedMs = performance.now();
  const point = requireOption('aroundLatLng', options.aroundLatLng);
  const hitsPerPage = hitLimitOf(options, context);
  const lookup: Required<Omit<ReverseQuery, 'filters'>> = {
    at: point,
    limit: hitsPerPage,
    mode: options.mode,
    types: options.type,
    language: options.language,
  };
  const result = context.engine.reverse(lookup);
  const params = encodeParams(REVERSE_PARAMS, { ...options, hitsPerPage });
  const processingTimeMS = elapsedMs(startedMs);
  return resultJson(result, { query: '', hitsPerPage, params, point, processingTimeMS }, context.engine);
}

function hitLimitOf(options: OptionValues, context: CallContext): number {
  return Math.min(options.hitsPerPage ?? MAX_RECORDS, MAX_RECORDS, context.maxRecords);
}

/** The point to search around, and a message if an IP address cannot be located. */
function pointOf(options: OptionValues, context: CallContext): { point: LatLng | undefined; message?: string } {
  if (options.aroundLatLng !== undefined) return { point: options.aroundLatLng };
  const viaIP = options.aroundLatLngViaIP;
  if (viaIP === undefined || viaIP === 'none') {
    if (options.aroundRadius === undefined) return { point: undefined };
    throw invalidOption('aroundRadius', 'needs a point to measure from; add aroundLatLng or aroundLatLngViaIP');
  }
  const address = formatAddress(viaIP === 'own' ? context.callerAddress : viaIP);
  const located = context.locate(address);
  if (located !== undefined) return { point: located };
  const problem = `${address} could not be located`;
  if (options.aroundRadius === undefined) {
    return { point: undefined, message: `aroundLatLngViaIP: ${problem}, so the search ran without a point` };
  }
  throw invalidOption('aroundLatLngViaIP', `${problem}, so aroundRadius has no point; give aroundLatLng`);
}

/** The options that are fields of the engine's query. */
type ParamName = Exclude<OptionName, 'aroundLatLngViaIP' | 'objectID'>;

const QUERY_PARAMS = paramsOf('query');
const REVERSE_PARAMS = paramsOf('reverse');

function paramsOf(endpoint: EndpointName): readonly ParamName[] {
  return optionsOf(endpoint).filter((option): option is ParamName => fieldOf(option, endpoint) !== undefined);
}

/** The options of a search as they were used, for the response. */
function encodeParams(params: readonly ParamName[], options: OptionValues): string {
  let text = '';
  for (const option of params) {
    const value = options[option];
    if (value === undefined) continue;
    text += `${text === '' ? '' : '&'}${option}=${encodeURIComponent(formatValue(value))}`;
  }
  return text;
}

function formatValue(value: NonNullable<OptionValues[ParamName]>): string | number | boolean {
  if (typeof value !== 'object') return value;
  if ('lat' in value) return formatLatLng(value);
  if ('south' in value) return `${value.south},${value.west},${value.north},${value.east}`;
  return value.join(',').toLowerCase();
}
