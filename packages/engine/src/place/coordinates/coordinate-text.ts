/**
 * Coordinates as people type or paste them. docs/api.md has the table of forms for users.
 *
 * | form | example | read by |
 * | --- | --- | --- |
 * | notations of standards and programs | geo:48.8,2.3  POINT(2.3 48.8)  +48.8+002.3/ | this file |
 * | links of maps, or their ends | https://www.google.com/maps/@48.8,2.3,15z  #map=15/48.8/2.3 | map-link.ts |
 * | labels | lat 48.8 lon 2.3  {"lat": 48.8, "lng": 2.3}  LatLng(48.8, 2.3) | angle-pair.ts |
 * | letters | 48°51′N 2°21′E  N48.8 E2.3  4851N 00221E | angle-pair.ts |
 * | two numbers | 48.8, 2.3  48,8; 2,3  [2.3, 48.8]  48°51′ 2°21′ | angle-pair.ts |
 *
 * Text that may mean something else, such as "1010" or "12,345", is no pair of coordinates. Nor are
 * values that are out of range: `checkedPoint` refuses them for all forms.
 */
import { distanceMeters, type LatLng } from '../sphere.ts';
import { checkedPoint, parseAnglePair, parseCompact, parseKeyValues, parseLabelled } from './angle-pair.ts';
import { parseMapLink } from './map-link.ts';
import { withPlainMarks, withPlainWords } from './plain-text.ts';

/** Spares almost all queries the rest. */
const TWO_NUMBERS = /\p{Nd}\P{Nd}+\p{Nd}/u;
/** Maximum distance between two spellings of one point, which may be rounded to minutes. */
const SAME_POINT_METERS = 2000;

/**
 * The points that the text may mean, the likeliest first; none if the text is no pair of
 * coordinates. There are two only if the order in square brackets or the letter O is ambiguous.
 */
export function parseCoordinates(text: string): readonly LatLng[] {
  if (!TWO_NUMBERS.test(text)) return [];
  const plain = withPlainMarks(text);
  const point = parseNotation(plain) ?? parseMapLink(plain);
  if (point !== undefined) return [point];
  const points = parsePair(plain);
  return points.length > 0 ? points : parseSpellings(plain.split(' / '));
}

function parsePair(text: string): readonly LatLng[] {
  const pair = withPlainWords(text);
  const points = pair === undefined ? [] : [...parseLabelled(pair), ...parseAnglePair(pair)];
  if (points.length > 0) return points;
  const keyed = parseKeyValues(text);
  return keyed === undefined ? [] : [keyed];
}

/** One point in two or three spellings, as on Wikipedia: "48°51′N 2°21′E / 48.85°N 2.35°E". */
function parseSpellings(spellings: readonly string[]): readonly LatLng[] {
  if (spellings.length < 2 || spellings.length > 3) return [];
  const points = spellings.map((spelling) => parsePair(spelling)[0]);
  const [first] = points;
  if (first === undefined) return [];
  const isSamePoint = points.every(
    (point) => point !== undefined && distanceMeters(first.lat, first.lng, point.lat, point.lng) <= SAME_POINT_METERS,
  );
  return isSamePoint ? [first] : [];
}

const NUMBER = '[-+]?\\d{1,3}(?:\\.\\d+)?';
const LAT = `(?<lat>${NUMBER})`;
const LNG = `(?<lng>${NUMBER})`;
const HEIGHT = '[-+]?\\d+(?:\\.\\d+)?';

const NOTATIONS = [
  // geo:48.8584,2.2945;u=10 of RFC 5870, without the parameters that change the meaning
  new RegExp(`^geo:${LAT},${LNG}(?:,${HEIGHT})?(?:;u=[\\d.]+|;crs=wgs84|\\?z=\\d+)*$`, 'i'),
  // +48.8584+2.2945, ISO 6709 without the leading zeros
  /^(?<lat>[-+]\d{1,2}\.\d+)(?<lng>[-+]\d{1,3}\.\d+)\/?$/,
  // POINT(2.2945 48.8584) of WKT, PostGIS and Wikidata
  new RegExp(`^(?:SRID=4326; ?)?(?:ST_|ST_Make)?POINT ?Z? ?\\( ?${LNG}(?: |, ?)${LAT}(?:[ ,]+${HEIGHT})? ?\\)$`, 'i'),
  // {"type": "Point", "coordinates": [2.2945, 48.8584]} of GeoJSON, also in a feature
  new RegExp(`(?:["']coordinates["']|Point["'], ?coordinates) ?: ?\\[ ?${LNG} ?, ?${LAT}(?: ?, ?${HEIGHT})? ?\\]`, 'i'),
  // <coordinates>2.2945,48.8584,0</coordinates> of KML
  new RegExp(`<coordinates> ?${LNG},${LAT}(?:,${HEIGHT})? ?</coordinates>`, 'i'),
];
// +48.8584+002.2945/   +485130.24+0021740.2+035CRSWGS_84/
const ISO_6709 =
  /^(?<north>[-+])(?<lat>\d{2}(?:\d\d){0,2}(?:[.,]\d+)?)(?<east>[-+])(?<lng>\d{3}(?:\d\d){0,2}(?:[.,]\d+)?)(?:[-+]\d+(?:[.,]\d+)?)?(?:CRS[\w:]+)?(?<slash>\/?)$/;

/** A point as standards and programs write it. Each notation fixes the order of the two numbers. */
function parseNotation(text: string): LatLng | undefined {
  for (const notation of NOTATIONS) {
    const { groups } = notation.exec(text) ?? {};
    if (groups !== undefined) return checkedPoint(Number(groups.lat), Number(groups.lng));
  }
  const { groups } = ISO_6709.exec(text) ?? {};
  // without a fraction or the slash it may be a telephone number
  if (groups === undefined || !/[.,/]/.test(`${groups.lat}${groups.lng}${groups.slash}`)) return undefined;
  return parseCompact(groups)[0];
}
