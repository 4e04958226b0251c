/**
 * Coordinates with the labels `lat` and `lng`: "lat 48.8 lng 2.3", "48.8 lat, 2.3 lng",
 * "lat/lng: 48.8, 2.3". plain-text.ts turns other labels into these.
 */
import type { LatLng } from '../sphere.ts';
import { checkedPoint, parseAngle, parseAnglePair, pointsOf } from './angle-pair.ts';

const LABEL = /(?<!\p{L})(lat|lng)(?!\p{L})\.?/giu;
const VALUE = /["']? ?[=:>] ?["']?([-+]?\d{1,3}(?:\.\d+)?)(?!\.?\d|,\d| \d| ?°| ?[NSEWO]\b)/.source;
// lat=48.8&zoom=9   "latitude": 48.8   <wpt lat="48.8"   mlat=48.8
const LAT_VALUE = new RegExp(`(?<![a-z])m?lat(?:itude)?${VALUE}`, 'i');
const LNG_VALUE = new RegExp(`(?<![a-z])m?(?:lng|lon|long|longitude)${VALUE}`, 'i');

/** The points that the text may mean. None unless the text is two angles and the two labels. */
export function parseLabelled(text: string): readonly LatLng[] {
  const pieces = text.split(LABEL); // before, label, between, label, after
  if (pieces.length !== 5) return [];
  const [before = '', between = '', after = ''] = [pieces[0], pieces[2], pieces[4]].map(trimPunctuation);
  const isLatFirst = pieces[1]!.toLowerCase() === 'lat';
  if (isLatFirst === (pieces[3]!.toLowerCase() === 'lat') || (before !== '' && after !== '')) return [];
  if (between === '') return parseAnglePair(before || after, isLatFirst ? 'latFirst' : 'lngFirst');
  const [first, second] = [before || between, before ? between : after].map(parseAngle);
  return isLatFirst ? pointsOf(first, second) : pointsOf(second, first);
}

/** A latitude and a longitude among the parameters, properties or attributes of any text. */
export function parseKeyValues(text: string): LatLng | undefined {
  const lat = LAT_VALUE.exec(text)?.[1];
  const lng = LNG_VALUE.exec(text)?.[1];
  return lat === undefined || lng === undefined ? undefined : checkedPoint(Number(lat), Number(lng));
}

/** Quotes may be marks of minutes and seconds if the text has a degree sign. */
function trimPunctuation(text = ''): string {
  const trimmed = text.replace(/^["' =:,;&|/(){}<>[\]]+|[ =:,;&|/(){}<>[\]]+$/g, '');
  return trimmed.includes('°') ? trimmed : trimmed.replace(/["' ]+$/, '');
}
