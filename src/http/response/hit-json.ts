/**
 * Records and hits as the API shows them, written piece by piece: there are few different pieces, and most of an answer
 * is made of them.
 */
import {
  type Highlight,
  type Hit,
  MATCH_LEVELS,
  type MatchedName,
  type PlaceRecord,
  type Ranking,
  type RecordRegions,
  type StoredText,
} from '../../engine/engine.ts';
import { PLACE_TYPES } from '../../place/place.ts';
import type { LatLng } from '../../place/sphere.ts';
import type { JsonBytes } from './json-bytes.ts';

const piece = (text: string) => Buffer.from(text);
const piecesOf = <Key extends string>(keys: readonly Key[], text: (key: Key) => string) =>
  Object.fromEntries(keys.map((key) => [key, piece(text(key))])) as Record<Key, Buffer>;
const FIRST_HIT = piece('{"objectID":"');
const NEXT_HIT = piece(',{"objectID":"');
const NAME = piece('","name":"');
const TYPE_AND_LABEL = piecesOf(PLACE_TYPES, (type) => `","type":"${type}","label":"`);
const POPULATION = piece(',"population":');
const IMPORTANCE = piece(',"importance":');
const LNG = piece(',"lng":');
const END = piece('}');
const DISTANCE = piece(',"distance":');
const BEARING = piece(',"bearing":');
const HIGHLIGHT = piece(',"_highlightResult":{"name":{"value":"');
const MATCH_LEVEL = piecesOf(MATCH_LEVELS, (level) => `","matchLevel":"${level}","matchedWords":[`);
const END_HIGHLIGHT = piece(']}}');
const MATCHED_NAME = piece(',"matchedName":{"value":"');
const LANGUAGE = piece('","language":"');
const TYPOS = piece('","typos":');
const QUOTE = piece('"');
const NEXT_TEXT = piece(',"');
const EM = piece('<em>');
const END_EM = piece('</em>');

/** The fields of a record behind an opening brace; without a label its short one: name and country. */
export function writeRecord(out: JsonBytes, record: PlaceRecord, label: string | undefined): void {
  out.bytes(FIRST_HIT);
  writeFields(out, record, label);
}

export function writeHits(out: JsonBytes, hits: readonly Hit[], point: LatLng | undefined): void {
  for (let i = 0; i < hits.length; i++) {
    const hit = hits[i]!;
    out.bytes(i === 0 ? FIRST_HIT : NEXT_HIT);
    writeFields(out, hit.record, hit.hasShortLabel ? undefined : hit.label);
    writeExtras(out, hit, point);
  }
}

/** From the value of the first field to the end of the last. */
function writeFields(out: JsonBytes, record: PlaceRecord, label: string | undefined): void {
  const { population } = record;
  out.letter(record.idLetterCode);
  out.number(record.idNumber);
  out.bytes(NAME);
  out.stored(record.nameText);
  out.bytes(TYPE_AND_LABEL[record.type]);
  if (label === undefined) out.stored(record.nameText);
  else out.escaped(label);
  const regions = regionPieces(record);
  out.bytes(label === undefined ? regions.afterName : regions.afterLabel);
  if (population !== undefined) {
    out.bytes(POPULATION);
    out.number(population);
  }
  out.bytes(IMPORTANCE);
  out.number(record.importance);
  if (regions.timezone !== record.timezone) {
    regions.timezone = record.timezone;
    regions.beforeLatitude = latitudePiece(record.timezone);
  }
  out.bytes(regions.beforeLatitude);
  out.number(record.lat);
  out.bytes(LNG);
  out.number(record.lng);
  out.bytes(END);
}

/** What a hit has besides its record, to the end of the object. */
function writeExtras(out: JsonBytes, hit: Hit, point: LatLng | undefined): void {
  const { matchedName, ranking } = hit;
  if (point !== undefined) {
    const { distanceMeters: meters, bearingDegrees: bearing } = hit;
    if (meters !== undefined) {
      out.bytes(DISTANCE);
      out.number(Math.round(meters));
    }
    if (bearing !== undefined) {
      out.bytes(BEARING);
      out.number((Math.round(bearing * 10) / 10) % 360);
    }
  }
  if (matchedName !== undefined) writeMatchedName(out, matchedName);
  writeHighlight(out, hit.record, hit.highlight ?? NO_HIGHLIGHT);
  if (ranking !== undefined) out.text(`,"_rankingInfo":${JSON.stringify(presentRanking(ranking, hit, point))}`);
  out.bytes(END);
}

function writeMatchedName(out: JsonBytes, { value, language, typos }: MatchedName): void {
  out.bytes(MATCHED_NAME);
  out.escaped(value);
  if (language !== undefined) {
    out.bytes(LANGUAGE);
    out.escaped(language);
  }
  out.bytes(TYPOS);
  out.number(typos);
  out.bytes(END);
}

const NO_HIGHLIGHT: Highlight = { ranges: [], matchLevel: 'none', matchedWords: [] };

/** The name as HTML, with what matched in <em>. */
function writeHighlight(out: JsonBytes, record: PlaceRecord, { ranges, matchLevel, matchedWords }: Highlight): void {
  out.bytes(HIGHLIGHT);
  if (!tryStoredMarked(out, record.nameText, ranges)) writeMarked(out, record.name, ranges);
  out.bytes(MATCH_LEVEL[matchLevel]);
  for (let i = 0; i < matchedWords.length; i++) {
    out.bytes(i === 0 ? QUOTE : NEXT_TEXT);
    out.escaped(matchedWords[i]!);
    out.bytes(QUOTE);
  }
  out.bytes(END_HIGHLIGHT);
}

type Ranges = Highlight['ranges'];

/** Where every letter that counts is one byte, and none must be escaped; else false, and nothing written. */
function tryStoredMarked(out: JsonBytes, name: StoredText, ranges: Ranges): boolean {
  const { length } = out;
  if (writeStoredMarked(out, name, ranges)) return true;
  out.rewind(length);
  return false;
}

/** False where it had to stop. */
function writeStoredMarked(out: JsonBytes, name: StoredText, ranges: Ranges): boolean {
  let done = name.start;
  for (let i = 0; i < ranges.length; i++) {
    const start = name.start + ranges[i]![0];
    const end = name.start + ranges[i]![1];
    if (!isOneByteEach(name.bytes, done, end) || !out.tryStoredHtml(name, done, start)) return false;
    out.bytes(EM);
    if (!out.tryStoredHtml(name, start, end)) return false;
    out.bytes(END_EM);
    done = end;
  }
  return out.tryStoredHtml(name, done, name.end);
}

function isOneByteEach(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i]! > 0x7f) return false;
  return true;
}

function writeMarked(out: JsonBytes, name: string, ranges: Ranges): void {
  let done = 0;
  for (let i = 0; i < ranges.length; i++) {
    const [start, end] = ranges[i]!;
    if (done < start) out.html(name, done, start);
    out.bytes(EM);
    out.html(name, start, end);
    out.bytes(END_EM);
    done = end;
  }
  if (done < name.length) out.html(name, done, name.length);
}

interface RegionPieces {
  /** What follows the name where the label is name and country. */
  readonly afterName: Buffer;
  /** What follows any other label. */
  readonly afterLabel: Buffer;
  /** Mostly the places of one region have the same. */
  timezone: string | undefined;
  beforeLatitude: Buffer;
}

const piecesByRegions = new WeakMap<RecordRegions, RegionPieces>();

function regionPieces({ regions, timezone }: PlaceRecord): RegionPieces {
  let pieces = piecesByRegions.get(regions);
  if (pieces === undefined) {
    pieces = createRegionPieces(regions, timezone);
    piecesByRegions.set(regions, pieces);
  }
  return pieces;
}

function createRegionPieces(
  { country, countryCode, administrative, county }: RecordRegions,
  timezone: string | undefined,
): RegionPieces {
  const fields = JSON.stringify({ country, country_code: countryCode, administrative, county });
  const afterLabel = `",${fields.slice(1, -1)}`;
  const labelEnd = country === '' ? '' : `, ${JSON.stringify(country).slice(1, -1)}`;
  return {
    afterName: piece(labelEnd + afterLabel),
    afterLabel: piece(afterLabel),
    timezone,
    beforeLatitude: latitudePiece(timezone),
  };
}

/** More than there are time zones: a bound on what strange data can make grow. */
const MOST_TIMEZONES = 1000;
const latitudePieces = new Map<string | undefined, Buffer>();

/** The time zone, where there is one, and what comes before the latitude. */
function latitudePiece(timezone: string | undefined): Buffer {
  let kept = latitudePieces.get(timezone);
  if (kept === undefined) {
    const field = timezone === undefined ? '' : `,"timezone":${JSON.stringify(timezone)}`;
    kept = piece(`${field},"_geoloc":{"lat":`);
    if (latitudePieces.size < MOST_TIMEZONES) latitudePieces.set(timezone, kept);
  }
  return kept;
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
