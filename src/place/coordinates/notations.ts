/** Points as standards and programs write them. Each notation fixes the order of the two numbers. */
import type { LatLng } from '../sphere.ts';
import { checkedPoint, parseCompact } from './angle-pair.ts';

const NUMBER = '([-+]?\\d{1,3}(?:\\.\\d+)?)';
const HEIGHT = '[-+]?\\d+(?:\\.\\d+)?';

const LAT_FIRST = [
  // geo:48.8584,2.2945;u=10 of RFC 5870, without the parameters that change the meaning
  new RegExp(`^geo:${NUMBER},${NUMBER}(?:,${HEIGHT})?(?:;u=[\\d.]+|;crs=wgs84|\\?z=\\d+)*$`, 'i'),
  // +48.8584+2.2945, ISO 6709 without the leading zeros
  /^([-+]\d{1,2}\.\d+)([-+]\d{1,3}\.\d+)\/?$/,
];
const LNG_FIRST = [
  // POINT(2.2945 48.8584) of WKT, PostGIS and Wikidata
  new RegExp(
    `^(?:SRID=4326; ?)?(?:ST_|ST_Make)?POINT ?Z? ?\\( ?${NUMBER}(?: |, ?)${NUMBER}(?:[ ,]+${HEIGHT})? ?\\)$`,
    'i',
  ),
  // {"type": "Point", "coordinates": [2.2945, 48.8584]} of GeoJSON, also in a feature
  new RegExp(
    `(?:["']coordinates["']|Point["'], ?coordinates) ?: ?\\[ ?${NUMBER} ?, ?${NUMBER}(?: ?, ?${HEIGHT})? ?\\]`,
    'i',
  ),
  // <coordinates>2.2945,48.8584,0</coordinates> of KML
  new RegExp(`<coordinates> ?${NUMBER},${NUMBER}(?:,${HEIGHT})? ?</coordinates>`, 'i'),
];
// +48.8584+002.2945/   +485130.24+0021740.2+035CRSWGS_84/
const ISO_6709 =
  /^([-+])(\d{2}(?:\d\d){0,2}(?:[.,]\d+)?)([-+])(\d{3}(?:\d\d){0,2}(?:[.,]\d+)?)(?:[-+]\d+(?:[.,]\d+)?)?(?:CRS[\w:]+)?(\/?)$/;

export function parseNotation(text: string): LatLng | undefined {
  for (const notation of LAT_FIRST) {
    const match = notation.exec(text);
    if (match !== null) return checkedPoint(Number(match[1]), Number(match[2]));
  }
  for (const notation of LNG_FIRST) {
    const match = notation.exec(text);
    if (match !== null) return checkedPoint(Number(match[2]), Number(match[1]));
  }
  const [, latSign = '', lat = '', lngSign = '', lng = '', slash] = ISO_6709.exec(text) ?? [];
  // without a fraction or the slash it may be a telephone number
  if (slash !== '/' && !/[.,]/.test(lat + lng)) return undefined;
  return parseCompact({ side: latSign, digits: lat }, { side: lngSign, digits: lng })[0];
}
