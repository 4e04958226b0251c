/**
 * Engine answers as the API shows them. Field names are Algolia's where Algolia has one.
 */
import type { Engine, FullRecord, Highlight, Hit, PlaceRecord, Ranking, SearchResult } from '../engine/engine.ts';
import type { LatLng } from '../place/sphere.ts';

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

export function presentResult(result: SearchResult, frame: AnswerFrame, engine: Engine): object {
  const { point } = frame;
  return {
    hits: result.hits.map((hit) => presentHit(hit, point)),
    nbHits: result.total,
    exhaustiveNbHits: result.isTotalExact ? undefined : false,
    hitsPerPage: frame.hitsPerPage,
    query: frame.query,
    params: frame.params,
    processingTimeMS: frame.processingTimeMS,
    aroundLatLng: point && formatLatLng(point),
    message: frame.message,
    degradedQuery: result.degraded,
    dataset: presentDataset(engine),
  };
}

export function presentFullRecord(full: FullRecord): object {
  return {
    ...presentRecord(full.record, full.label),
    names: full.names,
    supersededBy: full.supersededBy,
  };
}

export function formatLatLng(point: LatLng): string {
  return `${point.lat},${point.lng}`;
}

function presentHit(hit: Hit, point: LatLng | undefined): object {
  const { record } = hit;
  return {
    ...presentRecord(record, hit.label),
    distance: rounded(hit.distanceMeters),
    bearing: hit.bearingDegrees === undefined ? undefined : (Math.round(hit.bearingDegrees * 10) / 10) % 360,
    matchedName: hit.matchedName,
    _highlightResult: { name: presentHighlight(record.name, hit.highlight) },
    _rankingInfo: hit.ranking && presentRanking(hit.ranking, hit, point),
  };
}

function presentRecord(record: PlaceRecord, label: string) {
  return {
    objectID: record.objectID,
    name: record.name,
    type: record.type,
    label,
    country: record.country,
    country_code: record.countryCode,
    administrative: record.administrative,
    county: record.county,
    population: record.population,
    importance: record.importance,
    timezone: record.timezone,
    _geoloc: { lat: record.lat, lng: record.lng },
  };
}

function presentHighlight(name: string, highlight: Highlight | undefined): object {
  if (highlight === undefined) return { value: escapeHtml(name), matchLevel: 'none', matchedWords: [] };
  let value = '';
  let done = 0;
  for (const [start, end] of highlight.ranges) {
    value += `${escapeHtml(name.slice(done, start))}<em>${escapeHtml(name.slice(start, end))}</em>`;
    done = end;
  }
  value += escapeHtml(name.slice(done));
  return { value, matchLevel: highlight.matchLevel, matchedWords: highlight.matchedWords };
}

function presentRanking(ranking: Ranking, hit: Hit, point: LatLng | undefined): object {
  const { lat, lng } = hit.record;
  const distance = rounded(hit.distanceMeters);
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

function presentDataset({ dataset }: Engine): object {
  return { version: dataset.version, attribution: dataset.attribution, places: dataset.places };
}

function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value);
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
