/**
 * Writes the engine's results as JSON, mostly from pieces encoded in advance, with Algolia's field names
 * where Algolia has the field.
 */
import {
  type Engine,
  type FullRecord,
  type Highlight,
  type Hit,
  MATCH_CODES,
  MATCH_LEVELS,
  type MatchedName,
  type PlaceRecord,
  type Ranking,
  type RecordRegions,
  type SearchResult,
} from 'toponym-engine/engine';
import { PLACE_TYPES } from 'toponym-engine/place/place';
import type { LatLng } from 'toponym-engine/place/sphere';
import { type ByteString, JsonWriter } from './json-writer.ts';

/** The fields of a response that do not come from the engine. */
interface ResponseFields {
  readonly query: string;
  readonly hitsPerPage: number;
  readonly params: string;
  readonly point: LatLng | undefined;
  /** Why the search ran without the requested point. */
  readonly message?: string | undefined;
  readonly processingTimeMS: number;
}

const piece = (json: string) => Buffer.from(json);
const pieces = <Key extends string>(keys: readonly Key[], json: (key: Key) => string) =>
  Object.fromEntries(keys.map((key) => [key, piece(json(key))])) as Record<Key, Buffer>;
const COMMA = piece(',');
const OBJECT_ID = piece('{"objectID":"');
const NAME = piece('","name":"');
const TYPE_AND_LABEL = pieces(PLACE_TYPES, (type) => `","type":"${type}","label":"`);
const POPULATION = piece(',"population":');
const IMPORTANCE = piece(',"importance":');
const LNG = piece(',"lng":');
const BBOX = piece('},"bbox":['); // closes _geoloc
const END_LIST = piece(']');
const END_OBJECT = piece('}');
const DISTANCE = piece(',"distance":');
const BEARING = piece(',"bearing":');
const INSIDE = piece(',"inside":true');
const NOT_INSIDE = piece(',"inside":false');
/** By thousandths. */
const CONFIDENCES = Array.from({ length: 1001 }, (_, i) => piece(`,"confidence":${i / 1000}`));
const HIGHLIGHT_START = ',"_highlightResult":{"name":{"value":"';
const HIGHLIGHT = piece(HIGHLIGHT_START);
const MATCH_CODE_AND_HIGHLIGHT = pieces(MATCH_CODES, (code) => `,"matchCode":"${code}"${HIGHLIGHT_START}`);
const MATCH_LEVEL = pieces(MATCH_LEVELS, (level) => `","matchLevel":"${level}","matchedWords":[`);
const END_HIGHLIGHT = piece(']}}');
const MATCHED_NAME = piece(',"matchedName":{"value":"');
const LANGUAGE = piece('","language":"');
const TYPOS = piece('","typos":');
const QUOTE = piece('"');
const NEXT_WORD = piece(',"');
const EM = piece('<em>');
const END_EM = piece('</em>');
const HITS = piece('{"hits":[');
const NB_HITS = piece('],"nbHits":');
const HITS_PER_PAGE = piece(',"hitsPerPage":');
const ESTIMATE_AND_HITS_PER_PAGE = piece(',"exhaustiveNbHits":false,"hitsPerPage":');
const QUERY = piece(',"query":"');
const PARAMS = piece('","params":"');
const TIME = piece('","processingTimeMS":');
/** All responses share the writer, because each is complete before the next begins. */
const out = new JsonWriter();

export function resultJson(result: SearchResult, fields: ResponseFields, engine: Engine): ByteString {
  const { point, message } = fields;
  const { matchedRegion, degraded } = result;
  out.reset();
  out.bytes(HITS);
  writeHits(out, result.hits, point !== undefined);
  out.bytes(NB_HITS);
  out.number(result.total);
  out.bytes(result.isTotalExact ? HITS_PER_PAGE : ESTIMATE_AND_HITS_PER_PAGE);
  out.number(fields.hitsPerPage);
  out.bytes(QUERY);
  out.escaped(fields.query);
  out.bytes(PARAMS);
  out.escaped(fields.params);
  out.bytes(TIME);
  out.number(fields.processingTimeMS);
  if (point !== undefined) out.json(`,"aroundLatLng":"${formatLatLng(point)}"`);
  if (result.pointCountry !== undefined) {
    out.json(`,"pointCountry":${JSON.stringify(result.pointCountry?.toLowerCase() ?? null)}`);
  }
  if (!result.isExhaustive) out.json(',"exhaustive":false');
  if (message !== undefined) out.json(`,"message":${JSON.stringify(message)}`);
  if (matchedRegion !== undefined) out.json(`,"matchedRegion":${JSON.stringify(matchedRegion)}`);
  if (degraded !== undefined) out.json(`,"degradedQuery":${JSON.stringify(degraded)}`);
  out.bytes(datasetAndEnd(engine));
  return out.toByteString();
}

export function fullRecordJson({ record, label, names, supersededBy }: FullRecord): ByteString {
  out.reset();
  writeOpenRecord(out, record, label); // without the closing brace
  const successor = supersededBy === undefined ? '' : `,"supersededBy":${JSON.stringify(supersededBy)}`;
  out.json(`,"names":${JSON.stringify(names)}${successor}}`);
  return out.toByteString();
}

export function formatLatLng({ lat, lng }: LatLng): string {
  return `${lat},${lng}`;
}

const datasetPieces = new WeakMap<Engine, Buffer>();

/** The field `dataset` and the closing brace of the response. */
function datasetAndEnd(engine: Engine): Buffer {
  let cached = datasetPieces.get(engine);
  if (cached === undefined) {
    const { version, attribution, places } = engine.dataset;
    cached = piece(`,"dataset":${JSON.stringify({ version, attribution, places })}}`);
    datasetPieces.set(engine, cached);
  }
  return cached;
}

/** Writes hits as the elements of an array, without its brackets. */
function writeHits(out: JsonWriter, hits: readonly Hit[], hasPoint: boolean): void {
  for (let i = 0; i < hits.length; i++) {
    const hit = hits[i]!;
    if (i > 0) out.bytes(COMMA);
    const label = hit.hasPlainLabel ? undefined : hit.label;
    writeOpenRecord(out, hit.record, label);
    writeMatch(out, hit, hasPoint);
  }
}

/** Writes a record without its closing brace. The default label is the name and `labelEnd`. */
function writeOpenRecord(out: JsonWriter, record: PlaceRecord, label: string | undefined): void {
  const { name, population, timezone } = record;
  out.bytes(OBJECT_ID);
  out.escaped(record.objectID);
  out.bytes(NAME);
  out.escaped(name);
  out.bytes(TYPE_AND_LABEL[record.type]);
  out.escaped(label ?? name);
  const regions = regionPieces(record.regions);
  out.bytes(label === undefined ? regions.labelEndAndFields : regions.fields);
  if (population !== undefined) {
    out.bytes(POPULATION);
    out.number(population);
  }
  out.bytes(IMPORTANCE);
  out.number(record.importance);
  out.bytes(timezoneAndGeoloc(timezone));
  out.number(record.lat);
  out.bytes(LNG);
  out.number(record.lng);
  out.bytes(BBOX);
  out.box(record.box);
  out.bytes(END_LIST);
}

/** Writes how a hit matched, and the closing brace of the hit. */
function writeMatch(out: JsonWriter, hit: Hit, hasPoint: boolean): void {
  const { confidence, matchCode, matchedName, ranking } = hit;
  if (hasPoint) {
    const { distanceMeters: meters, bearingDegrees: bearing, isInside } = hit;
    if (meters !== undefined) {
      out.bytes(DISTANCE);
      out.number(Math.round(meters));
    }
    if (bearing !== undefined) {
      out.bytes(BEARING);
      out.number((Math.round(bearing * 10) / 10) % 360); // 359.96 is rounded to 360, which is 0
    }
    if (isInside !== undefined) out.bytes(isInside ? INSIDE : NOT_INSIDE);
  }
  if (confidence !== undefined) {
    out.bytes(CONFIDENCES[Math.round(confidence * 1000)]!);
  }
  if (matchedName !== undefined) writeMatchedName(out, matchedName);
  out.bytes(matchCode === undefined ? HIGHLIGHT : MATCH_CODE_AND_HIGHLIGHT[matchCode]);
  writeHighlight(out, hit.record.name, hit.highlight ?? NO_HIGHLIGHT);
  if (ranking !== undefined) out.json(`,"_rankingInfo":${JSON.stringify(rankingInfo(ranking, hit, hasPoint))}`);
  out.bytes(END_OBJECT);
}

function writeMatchedName(out: JsonWriter, { value, language, typos }: MatchedName): void {
  out.bytes(MATCHED_NAME);
  out.escaped(value);
  if (language !== undefined) {
    out.bytes(LANGUAGE);
    out.escaped(language);
  }
  out.bytes(TYPOS);
  out.number(typos);
  out.bytes(END_OBJECT);
}

const NO_HIGHLIGHT: Highlight = { ranges: [], matchLevel: 'none', matchedWords: [] };

/** Writes the name as HTML, with the matched parts in <em>, and the rest of `_highlightResult`. */
function writeHighlight(out: JsonWriter, name: string, { ranges, matchLevel, matchedWords }: Highlight): void {
  let done = 0;
  for (const [start, end] of ranges) {
    out.html(name, done, start);
    out.bytes(EM);
    out.html(name, start, end);
    out.bytes(END_EM);
    done = end;
  }
  out.html(name, done, name.length);
  out.bytes(MATCH_LEVEL[matchLevel]);
  for (let i = 0; i < matchedWords.length; i++) {
    out.bytes(i === 0 ? QUOTE : NEXT_WORD);
    out.escaped(matchedWords[i]!);
    out.bytes(QUOTE);
  }
  out.bytes(END_HIGHLIGHT);
}

/** JSON that places in the same regions share. */
interface RegionPieces {
  readonly labelEndAndFields: Buffer;
  /** Begins with the closing quote of the label. */
  readonly fields: Buffer;
}

const piecesByRegions = new WeakMap<RecordRegions, RegionPieces>();

function regionPieces(regions: RecordRegions): RegionPieces {
  let cached = piecesByRegions.get(regions);
  if (cached === undefined) {
    const { country, countryCode, administrative, county, labelEnd } = regions;
    const json = JSON.stringify({ country, country_code: countryCode, administrative, county });
    const fields = `",${json.slice(1, -1)}`;
    cached = { labelEndAndFields: piece(JSON.stringify(labelEnd).slice(1, -1) + fields), fields: piece(fields) };
    piecesByRegions.set(regions, cached);
  }
  return cached;
}

/** Bounds the memory for data with invalid time zones. */
const MAX_TIMEZONES = 1000;
const timezonePieces = new Map<string | undefined, Buffer>();

/** The field `timezone`, if known, and `_geoloc` up to the latitude. */
function timezoneAndGeoloc(timezone: string | undefined): Buffer {
  let cached = timezonePieces.get(timezone);
  if (cached === undefined) {
    const field = timezone === undefined ? '' : `,"timezone":${JSON.stringify(timezone)}`;
    cached = piece(`${field},"_geoloc":{"lat":`);
    if (timezonePieces.size < MAX_TIMEZONES) timezonePieces.set(timezone, cached);
  }
  return cached;
}

export function rankingInfo(ranking: Ranking, hit: Hit, hasPoint: boolean): object {
  const { lat, lng } = hit.record;
  const distance = hit.distanceMeters === undefined ? undefined : Math.round(hit.distanceMeters);
  return {
    stage: ranking.stage,
    nbTypos: ranking.typos,
    firstMatchedWord: ranking.firstMatchedWord,
    proximityDistance: ranking.proximityDistance,
    userScore: ranking.userScore,
    geoDistance: Math.round(ranking.geoDistanceMeters),
    geoPrecision: ranking.geoPrecision,
    nbExactWords: ranking.exactWords,
    words: ranking.words,
    filters: ranking.filters,
    matchedGeoLocation: hasPoint ? { lat, lng, distance } : undefined,
    criteria: ranking.criteria,
    decidedBy: ranking.decidedBy,
  };
}
