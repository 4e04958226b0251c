/** The API of Algolia Places, version 1: search, reverse and lookup, as places.js 1.19 reads them. */
import { formatAddress } from 'toponym-access/address';
import type { FullRecord, Highlight, Hit, PlaceRecord, SearchResult } from 'toponym-engine/engine';
import { PLACE_TYPES, type PlaceType } from 'toponym-engine/place/place';
import { fold, foldWords } from 'toponym-engine/text/fold';
import { ERRORS, type ErrorCode } from '../http/error-codes.ts';
import { invalidOption, quote, RequestError } from '../http/errors.ts';
import { readForm } from '../http/request/option-pairs.ts';
import { byteStringFrom, escapeHtml } from '../http/response/json-writer.ts';
import { rankingInfo } from '../http/response/result-json.ts';
import { type Adapter, type AdapterCall, hitLimit, hitsOnLand, type Parameters, readAs } from './adapter.ts';
import { PLACE_TERMS } from './osm-terms.ts';

const DEFAULT_HITS = 20;
const SETTLEMENTS = PLACE_TYPES.filter((type) => type !== 'suburban area');
/** Types of Algolia Places. A search for addresses finds places, so that a box for addresses is of use. */
const TYPES: Readonly<Record<string, readonly PlaceType[]>> = {
  city: SETTLEMENTS,
  address: PLACE_TYPES,
  country: [],
  busStop: [],
  trainStation: [],
  townhall: [],
  airport: [],
};
/** By the first letter of an objectID. */
const SOURCES: Readonly<Record<string, string>> = { G: 'geonames', N: 'osm', W: 'osm', R: 'osm', F: 'whosonfirst' };
const POPULAR_POPULATION = 100_000;
/** places.js recognizes a refused key by this message with status 403. */
const INVALID_KEY = 'Invalid Application-ID or API key';
const KEY_ERRORS: readonly ErrorCode[] = ['key_missing', 'key_unknown', 'key_expired', 'key_revoked'];
/** Shown in the field `params` of a response. An API key must not be among them. */
const SHOWN_PARAMETERS = [
  ...['query', 'type', 'hitsPerPage', 'language', 'countries', 'aroundLatLng', 'aroundLatLngViaIP', 'aroundRadius'],
  ...['insideBoundingBox', 'insidePolygon', 'getRankingInfo'],
];

export const algoliaPlaces: Adapter = {
  endpoints: [
    { methods: ['GET', 'POST'], path: '/1/places/query', readBody, respond: search },
    { methods: ['GET', 'POST'], path: '/1/places/reverse', readBody, respond: reverse },
    { methods: ['GET'], path: '/1/places/*', respond: get },
  ],
  formatError: ({ code }, message) => {
    if (KEY_ERRORS.includes(code)) return { status: 403, body: { message: INVALID_KEY, status: 403, reason: message } };
    const { status } = ERRORS[code];
    return { status, body: { message, status } };
  },
};

function search(call: AdapterCall) {
  const startedMs = performance.now();
  const { engine, parameters } = call;
  const countries = listOf(parameters, 'countries');
  const query = {
    text: parameters.option('query') ?? '',
    limit: hitLimit(call, DEFAULT_HITS, 'hitsPerPage'),
    types: typesOf(parameters),
    countries: countries === undefined ? undefined : readAs('countries', 'countries', countries),
    around: pointOf(call),
    radiusMeters: parameters.option('aroundRadius'),
    box: boxOf(parameters),
    language: parameters.option('language'),
    explain: parameters.option('getRankingInfo'),
  };
  const result = query.types?.length === 0 ? NOTHING : engine.search(query);
  return toResponse(call, result, startedMs);
}

/** The place that the point is in comes first. */
function reverse(call: AdapterCall) {
  const startedMs = performance.now();
  const { engine, parameters } = call;
  const at = aroundLatLng(parameters);
  if (at === undefined)
    throw new RequestError('missing_option', 'aroundLatLng is required, as in aroundLatLng=48.85,2.35');
  const limit = hitLimit(call, DEFAULT_HITS, 'hitsPerPage');
  const language = parameters.option('language');
  const found = engine.reverse({ at, limit, language, mode: 'containing' });
  const hits = hitsOnLand(found);
  return toResponse(call, { hits, total: hits.length && found.total }, startedMs);
}

function get({ engine, parameters, pathEnd }: AdapterCall) {
  const objectID = readAs('objectID', 'objectID', pathEnd)!;
  const found = engine.get(objectID, parameters.option('language'));
  if (found === undefined) throw new RequestError('object_not_found');
  const names = isInOneLanguage(parameters) ? undefined : found.names;
  return toRecord(found.record, { otherNames: [], postcodes: [], names });
}

const NOTHING: Pick<SearchResult, 'hits' | 'total' | 'degraded'> = { hits: [], total: 0 };

function toResponse({ engine, parameters }: AdapterCall, result: typeof NOTHING, startedMs: number) {
  const query = parameters.text('query') ?? '';
  const typed = foldWords(query).map(({ text }) => text);
  const namesOf = (id: string) => (isInOneLanguage(parameters) ? undefined : engine.get(id)?.names);
  const params = new URLSearchParams();
  for (const name of SHOWN_PARAMETERS) if (parameters.has(name)) params.set(name, parameters.text(name) ?? '');
  return {
    hits: result.hits.map((hit) => toHit(hit, typed, namesOf(hit.objectID))),
    nbHits: result.total,
    processingTimeMS: Math.round(performance.now() - startedMs),
    query,
    params: params.toString(),
    degradedQuery: result.degraded !== undefined,
  };
}

type Names = FullRecord['names'];

/** `typed` has the folded words of the query. Without `names`, texts are in the one language of the response. */
function toHit(hit: Hit, typed: readonly string[], names: Names | undefined) {
  const { record, highlight, matchedName, ranking } = hit;
  const { country, county, administrative } = record.regions;
  const other = highlight?.ranges.length === 0 ? matchedName?.value : undefined;
  const otherNames = other === undefined || POSTCODE.test(other) ? [] : [other];
  const postcodes = other === undefined || otherNames.length > 0 ? [] : [other];
  const shape = shapeOf(names);
  const highlightText = (text: string) => toHighlight(text, highlightOf(text, typed));
  const highlightMatched = (text: string) => {
    const found = highlightOf(text, typed);
    // the words may have typos
    const whole: Highlight = { ranges: [[0, text.length]], matchLevel: 'full', matchedWords: typed };
    return toHighlight(text, found.ranges.length > 0 ? found : whole);
  };
  return {
    ...toRecord(record, { otherNames, postcodes, names }),
    _highlightResult: {
      locale_names: shape([toHighlight(record.name, highlight), ...otherNames.map(highlightMatched)]),
      city: shape([highlightText(cityOf(record))]),
      county: shape(county.map(highlightText)),
      administrative: administrative.map(highlightText),
      country: shape(highlightText(country)),
      postcode: postcodes.map(highlightMatched),
    },
    _rankingInfo: ranking && rankingInfo(ranking, hit, hit.distanceMeters !== undefined),
  };
}

/** Such as 75001, SW1A 1AA or 1012 AB. */
const POSTCODE = /^(?=.*\d)[A-Z\d -]+$/;

interface RecordTexts {
  /** Names that matched the query, apart from the name of the record. */
  readonly otherNames: readonly string[];
  /** Postcodes that matched the query. */
  readonly postcodes: readonly string[];
  readonly names: Names | undefined;
}

function toRecord(record: PlaceRecord, { otherNames, postcodes, names }: RecordTexts) {
  const { name, objectID, type, regions, population = 0, lat, lng } = record;
  const { country, countryCode, administrative, county } = regions;
  const { tag, importance, admin_level } = PLACE_TERMS[type];
  const shape = shapeOf(names);
  const isSuburb = type === 'suburban area';
  const localNames = [name, ...otherNames];
  return {
    objectID,
    locale_names: names === undefined ? localNames : { default: localNames, ...names, und: undefined },
    city: shape([cityOf(record)]),
    suburb: isSuburb ? shape([name]) : undefined,
    county: shape(county),
    administrative,
    country: shape(country),
    country_code: countryCode,
    postcode: postcodes,
    population,
    importance,
    admin_level,
    is_country: false,
    is_city: !isSuburb,
    is_suburb: isSuburb,
    is_highway: false,
    is_popular: population >= POPULAR_POPULATION,
    _tags: [
      ...(isSuburb ? ['suburb'] : ['city']),
      ...[`country/${countryCode}`, `place/${tag}`, `source/${SOURCES[objectID[0]!] ?? 'other'}`],
    ],
    _geoloc: { lat, lng },
  };
}

/** Clients also read the city of a place that is a city itself. */
function cityOf({ name, city }: PlaceRecord): string {
  return city ?? name;
}

/** If no language is asked for, texts are by language; we have the usual ones of regions. */
function shapeOf(names: Names | undefined): <Value>(value: Value) => Value | { default: Value } {
  return (value) => (names === undefined ? value : { default: value });
}

/** Highlights the words that are typed, or that start with the last typed word. */
function highlightOf(text: string, typed: readonly string[]): Highlight {
  const last = typed.at(-1) ?? '';
  const ranges: (readonly [number, number])[] = [];
  const matched = new Set<string>();
  for (const { text: word, start, end } of foldWords(text)) {
    const match = typed.includes(word) ? word : word.startsWith(last) ? last : '';
    if (match === '') continue;
    let matchEnd = start + 1;
    while (matchEnd < end && fold(text.slice(start, matchEnd)).length < match.length) matchEnd++;
    ranges.push([start, matchEnd]);
    matched.add(match);
  }
  const matchLevel = matched.size === 0 ? 'none' : typed.every((word) => matched.has(word)) ? 'full' : 'partial';
  return { ranges, matchLevel, matchedWords: [...matched] };
}

/** The value is HTML. */
function toHighlight(text: string, highlight: Highlight | undefined) {
  const { ranges, matchLevel, matchedWords }: Highlight = highlight ?? highlightOf(text, []);
  let value = '';
  let done = 0;
  for (const [start, end] of ranges) {
    value += `${escapeHtml(text.slice(done, start))}<em>${escapeHtml(text.slice(start, end))}</em>`;
    done = end;
  }
  value += escapeHtml(text.slice(done));
  const [first] = ranges;
  const fullyHighlighted = first && ranges.length === 1 && first[0] === 0 && first[1] === text.length;
  return { value, matchLevel, fullyHighlighted, matchedWords };
}

/** The depth of `insidePolygon`: a list of polygons, which are lists of numbers. */
const MAX_DEPTH = 2;

/** Reads `{"params": "query=par&language=fr"}`, an object with the parameters, or a form, however it is labelled. */
function readBody(body: Buffer, parameters: Parameters): void {
  const addForm = (bytes: Buffer) => readForm(byteStringFrom(bytes), (name, value) => parameters.add(name, value));
  const text = body.toString();
  const isJson = /^\s*[[{"]/.test(text);
  if (!isJson) addForm(body);
  for (const [name, value] of Object.entries(isJson ? parseObject(text) : {})) {
    if (name === 'params' && typeof value === 'string') addForm(Buffer.from(value));
    else if (isDeep(value, MAX_DEPTH)) throw invalidOption(name, 'must be a value, a list, or a list of lists');
    else if (value !== null) parameters.add(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
}

/** Whether lists and objects in the value lie deeper than this. */
function isDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeep(item, depth - 1));
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // the same error as for other values
  }
  throw new RequestError('invalid_body', 'the body must be a JSON object such as {"query": "paris"}');
}

function isInOneLanguage(parameters: Parameters): boolean {
  return parameters.text('language') !== undefined;
}

/** A list as text with commas; some clients send it as JSON: `["fr","be"]`. */
function listOf(parameters: Parameters, name: string): string | undefined {
  return parameters.text(name)?.replace(/[[\]"]+/g, '') || undefined;
}

/** Types of places to find; undefined if all are. Ours, such as `village`, are understood too. */
function typesOf(parameters: Parameters): PlaceType[] | undefined {
  const list = listOf(parameters, 'type');
  const types = list === undefined ? undefined : [...new Set(list.split(',').map((text) => text.trim()))];
  return types?.flatMap((type) => {
    if (Object.hasOwn(TYPES, type)) return TYPES[type]!;
    const own = PLACE_TYPES.find((known) => known === type);
    if (own !== undefined) return own;
    throw invalidOption('type', `must be one of ${Object.keys(TYPES).join(', ')}, got ${quote(type)}`);
  });
}

/** Some clients end the point with a comma. */
function aroundLatLng(parameters: Parameters) {
  const text = parameters.text('aroundLatLng')?.replace(/,$/, '');
  return text === undefined ? undefined : readAs('aroundLatLng', 'aroundLatLng', text);
}

/** By default, the location of the caller, if it is known. */
function pointOf({ parameters, callerAddress, locate }: AdapterCall) {
  const point = aroundLatLng(parameters);
  if (point !== undefined) return point;
  const address = parameters.option('aroundLatLngViaIP') ?? 'own';
  if (address === 'none') return undefined;
  return locate(address === 'own' ? callerAddress : formatAddress(address));
}

/** Instead of a polygon, the box around it. */
function boxOf(parameters: Parameters) {
  const box = listOf(parameters, 'insideBoundingBox');
  if (box !== undefined) return readAs('insideBoundingBox', 'insideBoundingBox', box);
  const text = listOf(parameters, 'insidePolygon');
  if (text === undefined) return undefined;
  const numbers = text.split(',').map(Number);
  if (numbers.length < 6 || numbers.length % 2 > 0 || numbers.some(Number.isNaN)) {
    const wanted = 'three or more points such as 47.3,4.9,47.4,5.1,47.2,5.2';
    throw invalidOption('insidePolygon', `must be ${wanted}, got ${quote(text)}`);
  }
  const lats = numbers.filter((_, i) => i % 2 === 0);
  const lngs = numbers.filter((_, i) => i % 2 === 1);
  if (Math.max(...lngs) - Math.min(...lngs) > 180) {
    throw invalidOption('insidePolygon', 'must not cross the antimeridian; use insideBoundingBox');
  }
  const corners = [Math.min(...lats), Math.min(...lngs), Math.max(...lats), Math.max(...lngs)];
  return readAs('insideBoundingBox', 'insidePolygon', corners.join());
}
