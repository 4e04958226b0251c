/**
 * Engine answers as the API shows them. Field names are Algolia's where Algolia has one.
 * Fields without a value are left out.
 */
import type { Engine, FullRecord, Highlight, Hit, PlaceRecord, Ranking, SearchResult } from '../engine/engine.ts';
import type { LatLng } from '../place/sphere.ts';
import { JsonWriter } from './json-writer.ts';

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

const out = new JsonWriter();

export function presentResult(result: SearchResult, frame: AnswerFrame, engine: Engine): Buffer {
  const { point, message } = frame;
  out.clear();
  out.raw('{"hits":[');
  result.hits.forEach((hit, i) => {
    if (i > 0) out.raw(',');
    writeHit(hit, point);
  });
  out.raw('],"nbHits":').number(result.total);
  if (!result.isTotalExact) out.raw(',"exhaustiveNbHits":false');
  out.raw(',"hitsPerPage":').number(frame.hitsPerPage);
  out.raw(',"query":').string(frame.query);
  out.raw(',"params":').string(frame.params);
  out.raw(',"processingTimeMS":').number(frame.processingTimeMS);
  if (point !== undefined) out.raw(',"aroundLatLng":').string(formatLatLng(point));
  if (message !== undefined) out.raw(',"message":').string(message);
  const { degraded } = result;
  if (degraded !== undefined) out.raw(',"degradedQuery":').value(degraded);
  const { version, attribution, places } = engine.dataset;
  out.raw(',"dataset":{"version":').string(version).raw(',"attribution":').strings(attribution);
  return out.raw(',"places":').number(places).raw('}}').take();
}

export function presentFullRecord(full: FullRecord): Buffer {
  out.clear();
  out.raw('{');
  writeRecord(full.record, full.label);
  out.raw(',"names":').value(full.names);
  if (full.supersededBy !== undefined) out.raw(',"supersededBy":').string(full.supersededBy);
  return out.raw('}').take();
}

export function formatLatLng(point: LatLng): string {
  return `${point.lat},${point.lng}`;
}

function writeHit(hit: Hit, point: LatLng | undefined): void {
  const { record, distanceMeters: meters, bearingDegrees: bearing, matchedName, ranking } = hit;
  out.raw('{');
  writeRecord(record, hit.label);
  if (meters !== undefined) out.raw(',"distance":').number(Math.round(meters));
  if (bearing !== undefined) out.raw(',"bearing":').number((Math.round(bearing * 10) / 10) % 360);
  if (matchedName !== undefined) out.raw(',"matchedName":').value(matchedName);
  out.raw(',"_highlightResult":{"name":{"value":"');
  writeHighlight(record.name, hit.highlight);
  out.raw('}}');
  if (ranking !== undefined) out.raw(',"_rankingInfo":').value(presentRanking(ranking, hit, point));
  out.raw('}');
}

/** The record as far as it is the same in every answer: before the label, and after it. */
interface WrittenRecord {
  readonly head: Buffer;
  readonly rest: Buffer;
}

const written = new WeakMap<PlaceRecord, WrittenRecord>();

function writeRecord(record: PlaceRecord, label: string): void {
  const known = record.isKept ? written.get(record) : undefined;
  if (known !== undefined) {
    out.bytes(known.head).string(label).bytes(known.rest);
    return;
  }
  const start = out.length;
  writeHead(record);
  const head = record.isKept ? out.take(start) : undefined;
  out.string(label);
  const end = out.length;
  writeRest(record);
  if (head !== undefined) written.set(record, { head, rest: out.take(end) });
}

function writeHead(record: PlaceRecord): void {
  out.raw('"objectID":"').raw(record.objectID).raw('","name":').string(record.name);
  out.raw(',"type":"').raw(record.type).raw('","label":');
}

function writeRest(record: PlaceRecord): void {
  out.raw(',"country":').string(record.country).raw(',"country_code":"').raw(record.countryCode);
  out.raw('","administrative":').strings(record.administrative).raw(',"county":').strings(record.county);
  if (record.population !== undefined) out.raw(',"population":').number(record.population);
  out.raw(',"importance":').number(record.importance);
  if (record.timezone !== undefined) out.raw(',"timezone":').string(record.timezone);
  out.raw(',"_geoloc":{"lat":').number(record.lat).raw(',"lng":').number(record.lng).raw('}');
}

/** The name as HTML with what matched in <em>, and what follows the quote that ends it. */
function writeHighlight(name: string, highlight: Highlight | undefined): void {
  const isPlain = !HTML_SPECIAL.test(name);
  const write = (from: number, to: number) => {
    if (isPlain) return out.chars(name, from, to);
    const html = escapeHtml(name.slice(from, to));
    return out.chars(html, 0, html.length);
  };
  let done = 0;
  for (const [start, end] of highlight?.ranges ?? []) {
    write(done, start).raw('<em>');
    write(start, end).raw('</em>');
    done = end;
  }
  write(done, name.length)
    .raw('","matchLevel":"')
    .raw(highlight?.matchLevel ?? 'none');
  out.raw('","matchedWords":').strings(highlight?.matchedWords ?? []);
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
