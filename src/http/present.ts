/**
 * Engine answers as the API shows them. Field names are Algolia's where Algolia has one; fields without a value are
 * left out. The JSON is put together from pieces of text, many of which are kept, rather than made as an object that
 * would be walked to write it.
 */
import type { Engine, FullRecord, Highlight, Hit, PlaceRecord, Ranking, SearchResult } from '../engine/engine.ts';
import type { LatLng } from '../place/sphere.ts';
import { AnswerBytes } from './answer-bytes.ts';

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

const out = new AnswerBytes();

export function presentResult(result: SearchResult, frame: AnswerFrame, engine: Engine): Buffer {
  const { point, message } = frame;
  const { total, isTotalExact, degraded } = result;
  out.clear();
  out.text('{"hits":[');
  let isFirst = true;
  for (const hit of result.hits) {
    writeRecord(hit.record, hit.label, isFirst ? '{' : ',{', hitExtras(hit, point));
    isFirst = false;
  }
  out.text(
    `],"nbHits":${total}${isTotalExact ? '' : ',"exhaustiveNbHits":false'}` +
      `,"hitsPerPage":${frame.hitsPerPage},"query":${quoted(frame.query)},"params":${quoted(frame.params)}` +
      `,"processingTimeMS":${frame.processingTimeMS}` +
      (point === undefined ? '' : `,"aroundLatLng":"${formatLatLng(point)}"`) +
      (message === undefined ? '' : `,"message":${quoted(message)}`) +
      (degraded === undefined ? '' : `,"degradedQuery":${JSON.stringify(degraded)}`) +
      `,"dataset":${datasetJson(engine)}}`,
  );
  return out.take();
}

export function presentFullRecord({ record, label, names, supersededBy }: FullRecord): Buffer {
  const successor = supersededBy === undefined ? '' : `,"supersededBy":"${supersededBy}"`;
  out.clear();
  writeRecord(record, label, '{', `,"names":${JSON.stringify(names)}${successor}}`);
  return out.take();
}

export function formatLatLng(point: LatLng): string {
  return `${point.lat},${point.lng}`;
}

/** What a hit has besides its record, to the end of the object. */
function hitExtras(hit: Hit, point: LatLng | undefined): string {
  const { record, distanceMeters: meters, bearingDegrees: bearing, matchedName, ranking } = hit;
  return (
    (meters === undefined ? '' : `,"distance":${Math.round(meters)}`) +
    (bearing === undefined ? '' : `,"bearing":${(Math.round(bearing * 10) / 10) % 360}`) +
    (matchedName === undefined ? '' : `,"matchedName":${JSON.stringify(matchedName)}`) +
    `,"_highlightResult":{"name":${highlightJson(record.name, hit.highlight)}}` +
    (ranking === undefined ? '}' : `,"_rankingInfo":${JSON.stringify(presentRanking(ranking, hit, point))}}`)
  );
}

/** The record as far as it is the same in every answer: before the label, and after it. */
interface RecordPieces<Piece> {
  readonly head: Piece;
  readonly rest: Piece;
}

const keptPieces = new WeakMap<PlaceRecord, RecordPieces<Buffer>>();

function writeRecord(record: PlaceRecord, label: string, before: string, after: string): void {
  const kept = record.isKept ? (keptPieces.get(record) ?? keep(record)) : undefined;
  if (kept === undefined) {
    const { head, rest } = recordPieces(record);
    out.text(`${before}${head}${quoted(label)}${rest}${after}`);
    return;
  }
  out.text(before);
  out.bytes(kept.head);
  out.text(quoted(label));
  out.bytes(kept.rest);
  out.text(after);
}

function keep(record: PlaceRecord): RecordPieces<Buffer> {
  const { head, rest } = recordPieces(record);
  const kept = { head: Buffer.from(head), rest: Buffer.from(rest) };
  keptPieces.set(record, kept);
  return kept;
}

function recordPieces(record: PlaceRecord): RecordPieces<string> {
  const { population, timezone } = record;
  return {
    head: `"objectID":"${record.objectID}","name":${quoted(record.name)},"type":"${record.type}","label":`,
    rest:
      `,"country":${quoted(record.country)},"country_code":"${record.countryCode}"` +
      `,"administrative":${listJson(record.administrative)},"county":${listJson(record.county)}` +
      (population === undefined ? '' : `,"population":${population}`) +
      `,"importance":${record.importance}` +
      (timezone === undefined ? '' : `,"timezone":${quoted(timezone)}`) +
      `,"_geoloc":{"lat":${record.lat},"lng":${record.lng}}`,
  };
}

function highlightJson(name: string, highlight: Highlight | undefined): string {
  if (highlight === undefined) return `{"value":${quoted(escapeHtml(name))},"matchLevel":"none","matchedWords":[]}`;
  let value = '';
  let done = 0;
  for (const [start, end] of highlight.ranges) {
    value += `${escapeHtml(name.slice(done, start))}<em>${escapeHtml(name.slice(start, end))}</em>`;
    done = end;
  }
  value += escapeHtml(name.slice(done));
  const { matchLevel, matchedWords } = highlight;
  return `{"value":${quoted(value)},"matchLevel":"${matchLevel}","matchedWords":${listJson(matchedWords)}}`;
}

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

function listJson(texts: readonly string[]): string {
  return texts.length === 1 ? `[${quoted(texts[0]!)}]` : JSON.stringify(texts);
}

/** What JSON strings cannot hold as it is: quotes, backslashes, control characters; and halves of surrogate pairs. */
const NEEDS_ESCAPES = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

function quoted(text: string): string {
  return NEEDS_ESCAPES.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => HTML_ESCAPES[character] ?? '') : text;
}
