/**
 * Engine answers as the API shows them. Field names are Algolia's where Algolia has one; fields without a value are
 * left out. Hits are written piece by piece; what is rare or small goes through `JSON.stringify`.
 */
import type { Engine, FullRecord, Highlight, Hit, PlaceRecord, Ranking, SearchResult } from '../engine/engine.ts';
import { PLACE_TYPES, type PlaceType } from '../place/place.ts';
import type { LatLng } from '../place/sphere.ts';
import { type ByteText, JsonBytes } from './json-bytes.ts';

/** What an answer says about its request. */
export interface AnswerFrame {
  readonly query: string;
  readonly hitsPerPage: number;
  readonly params: string;
  readonly point: LatLng | undefined;
  /** Something the caller should know that is no error. */
  readonly message?: string | undefined;
  readonly processingTimeMS: number;
}

const out = new JsonBytes();

export function presentResult(result: SearchResult, frame: AnswerFrame, engine: Engine): ByteText {
  out.clear();
  out.bytes(HITS);
  for (const [i, hit] of result.hits.entries()) {
    out.bytes(i === 0 ? BEGIN : NEXT);
    if (hit.hasShortLabel) writeShort(hit.record);
    else writeRecord(hit.record, hit.label);
    writeExtras(hit, frame.point);
  }
  out.text(frameJson(result, frame, engine));
  return out.take();
}

export function presentFullRecord({ record, label, names, supersededBy }: FullRecord): ByteText {
  out.clear();
  out.bytes(BEGIN);
  writeRecord(record, label);
  const successor = supersededBy === undefined ? '' : `,"supersededBy":"${supersededBy}"`;
  out.text(`,"names":${JSON.stringify(names)}${successor}}`);
  return out.take();
}

export function formatLatLng(point: LatLng): string {
  return `${point.lat},${point.lng}`;
}

/** What follows the hits. */
function frameJson({ total, isTotalExact, degraded }: SearchResult, frame: AnswerFrame, engine: Engine): string {
  const { point, message } = frame;
  return (
    `],"nbHits":${total}${isTotalExact ? '' : ',"exhaustiveNbHits":false'}` +
    `,"hitsPerPage":${frame.hitsPerPage},"query":${JSON.stringify(frame.query)},"params":"${frame.params}"` +
    `,"processingTimeMS":${frame.processingTimeMS}` +
    (point === undefined ? '' : `,"aroundLatLng":"${formatLatLng(point)}"`) +
    (message === undefined ? '' : `,"message":${JSON.stringify(message)}`) +
    (degraded === undefined ? '' : `,"degradedQuery":${JSON.stringify(degraded)}`) +
    `,"dataset":${datasetJson(engine)}}`
  );
}

const piece = (text: string) => Buffer.from(text);
const HITS = piece('{"hits":[');
const BEGIN = piece('{');
const NEXT = piece(',{');
const OBJECT_ID = piece('"objectID":"');
const NAME = piece('","name":"');
const TYPE_AND_LABEL = Object.fromEntries(
  PLACE_TYPES.map((type) => [type, piece(`","type":"${type}","label":"`)]),
) as Record<PlaceType, Buffer>;
const POPULATION = piece(',"population":');
const IMPORTANCE = piece(',"importance":');
const LAT = piece(',"_geoloc":{"lat":');
const LNG = piece(',"lng":');
const END = piece('}');
const HIGHLIGHT = piece(',"_highlightResult":{"name":{"value":"');
const EM = piece('<em>');
const END_EM = piece('</em>');
const MATCHED_WORDS = {
  none: piece('","matchLevel":"none","matchedWords":[]}}'),
  partial: piece('","matchLevel":"partial","matchedWords":["'),
  full: piece('","matchLevel":"full","matchedWords":["'),
};
const NEXT_WORD = piece('","');
const END_WORDS = piece('"]}}');

const keptRecords = new WeakMap<PlaceRecord, Buffer>();

/** The fields of a record with its short label. */
function writeShort(record: PlaceRecord): void {
  const kept = record.isKept ? keptRecords.get(record) : undefined;
  if (kept !== undefined) {
    out.bytes(kept);
    return;
  }
  const { length } = out;
  writeRecord(record, undefined);
  if (record.isKept) keptRecords.set(record, out.copyFrom(length));
}

/** The fields of a record; without a label its short one: name and country. */
function writeRecord(record: PlaceRecord, label: string | undefined): void {
  out.bytes(OBJECT_ID);
  out.escaped(record.objectID);
  out.bytes(NAME);
  out.escaped(record.name);
  out.bytes(TYPE_AND_LABEL[record.type]);
  const regions = regionPieces(record);
  out.escaped(label ?? record.name);
  out.bytes(label === undefined ? regions.afterName : regions.afterLabel);
  if (record.population !== undefined) {
    out.bytes(POPULATION);
    out.number(record.population);
  }
  out.bytes(IMPORTANCE);
  out.number(record.importance);
  if (record.timezone !== undefined) out.bytes(timezonePiece(record.timezone));
  out.bytes(LAT);
  out.number(record.lat);
  out.bytes(LNG);
  out.number(record.lng);
  out.bytes(END);
}

/** What a hit has besides its record, to the end of the object. */
function writeExtras(hit: Hit, point: LatLng | undefined): void {
  const { distanceMeters: meters, bearingDegrees: bearing, matchedName, ranking } = hit;
  if (meters !== undefined) out.text(`,"distance":${Math.round(meters)}`);
  if (bearing !== undefined) out.text(`,"bearing":${(Math.round(bearing * 10) / 10) % 360}`);
  if (matchedName !== undefined) out.text(`,"matchedName":${JSON.stringify(matchedName)}`);
  writeHighlight(hit.record.name, hit.highlight ?? NO_HIGHLIGHT);
  if (ranking !== undefined) out.text(`,"_rankingInfo":${JSON.stringify(presentRanking(ranking, hit, point))}`);
  out.bytes(END);
}

const NO_HIGHLIGHT: Highlight = { ranges: [], matchLevel: 'none', matchedWords: [] };

/** The name as HTML, with what matched in <em>. */
function writeHighlight(name: string, { ranges, matchLevel, matchedWords }: Highlight): void {
  const isPlain = !HTML_SPECIAL.test(name);
  const write = (from: number, to: number) => {
    if (isPlain) out.escaped(name, from, to);
    else out.escaped(escapeHtml(name.slice(from, to)));
  };
  out.bytes(HIGHLIGHT);
  let done = 0;
  for (const [start, end] of ranges) {
    write(done, start);
    out.bytes(EM);
    write(start, end);
    out.bytes(END_EM);
    done = end;
  }
  write(done, name.length);
  out.bytes(MATCHED_WORDS[matchLevel]);
  for (const [i, word] of matchedWords.entries()) {
    if (i > 0) out.bytes(NEXT_WORD);
    out.escaped(word);
  }
  if (matchLevel !== 'none') out.bytes(END_WORDS);
}

interface RegionPieces {
  /** What follows the name where the label is name and country. */
  readonly afterName: Buffer;
  /** What follows any other label. */
  readonly afterLabel: Buffer;
}

const keptRegions = new WeakMap<object, RegionPieces>();

function regionPieces(record: PlaceRecord): RegionPieces {
  let pieces = keptRegions.get(record.regionsKey);
  if (pieces === undefined) {
    const { country, countryCode, administrative, county } = record;
    const fields = JSON.stringify({ country, country_code: countryCode, administrative, county });
    const afterLabel = `",${fields.slice(1, -1)}`;
    const labelEnd = country === '' ? '' : `, ${JSON.stringify(country).slice(1, -1)}`;
    pieces = { afterName: piece(labelEnd + afterLabel), afterLabel: piece(afterLabel) };
    keptRegions.set(record.regionsKey, pieces);
  }
  return pieces;
}

const timezonePieces = new Map<string, Buffer>();

function timezonePiece(timezone: string): Buffer {
  let kept = timezonePieces.get(timezone);
  if (kept === undefined) {
    kept = piece(`,"timezone":${JSON.stringify(timezone)}`);
    if (timezonePieces.size < MOST_TIMEZONES) timezonePieces.set(timezone, kept);
  }
  return kept;
}

/** More than there are: a bound on what strange data can make grow. */
const MOST_TIMEZONES = 1000;

function presentRanking(ranking: Ranking, hit: Hit, point: LatLng | undefined): object {
  const { lat, lng } = hit.record;
  const distance = hit.distanceMeters === undefined ? undefined : Math.round(hit.distanceMeters);
  return {
    nbTypos: ranking.typos,
    firstMatchedWord: ranking.firstMatchedWord,
    proximityDistance: ranking.proximityDistance,
    userScore: ranking.userScore,
    geoDistance: Math.round(ranking.geoDistanceMeters),
    geoPrecision: ranking.geoPrecision,
    nbExactWords: ranking.exactWords,
    words: ranking.words,
    filters: ranking.filters,
    matchedGeoLocation: point && { lat, lng, distance },
    criteria: ranking.criteria,
    decidedBy: ranking.decidedBy,
  };
}

const datasets = new WeakMap<Engine, string>();

function datasetJson(engine: Engine): string {
  let json = datasets.get(engine);
  if (json === undefined) {
    const { version, attribution, places } = engine.dataset;
    json = JSON.stringify({ version, attribution, places });
    datasets.set(engine, json);
  }
  return json;
}

const HTML_SPECIAL = /[&<>"']/;
const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return HTML_SPECIAL.test(text) ? text.replace(/[&<>"']/g, (character) => HTML_ESCAPES[character] ?? '') : text;
}
