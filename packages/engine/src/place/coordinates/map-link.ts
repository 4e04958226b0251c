/**
 * Links of maps: Google, OpenStreetMap, Apple, Bing and others, or the end of such a link:
 * "@48.8,2.3,15z", "#map=15/48.8/2.3". A marked place goes before the centre of the map.
 */
import type { LatLng } from '../sphere.ts';
import { checkedPoint, parseAnglePair, parseKeyValues } from './angle-pair.ts';
import { withPlainWords } from './plain-text.ts';

const NUMBER = '([-+]?\\d{1,3}(?:\\.\\d+)?)(?!\\.?\\d)';
const DECIMAL = '([-+]?\\d{1,3}\\.\\d+)(?!\\.?\\d)';

// https://…   google.com/…   geo:0,0?q=…   /maps/…   ?q=…   #map=…   @48.8…   48.8,2.3,15z   15/48.8/2.3
const LINK =
  /^(?:[a-z][a-z\d+.-]*:\/\/|[a-z\d.-]+\.[a-z]{2,}[/?#]|(?:geo|maps|bingmaps|google\.navigation):|[/?#@]|[-\d.]+,[-\d.]+,[\d.]+z$|(?:map=)?[\d.]+\/[-\d.]+\/)/i;
const LNG_FIRST_HOST = /^(?:https?:\/\/)?[a-z\d.-]*(?:yandex|2gis)\./i;
// mapy.cz/zakladni?x=2.3&y=48.8
const X_Y = new RegExp(`[?&]x=${DECIMAL}&y=${DECIMAL}`, 'i');

/** In the data of a link of Google Maps: a place; the end of a route; an embedded map. */
const GOOGLE_PLACE = new RegExp(`!3d${NUMBER}!4d${NUMBER}`);
const GOOGLE_STOPS = new RegExp(`!1d${NUMBER}!2d${NUMBER}(?!!3d)`, 'g');
const GOOGLE_EMBEDDED = new RegExp(`!2d${NUMBER}!3d${NUMBER}`);

/** Names of parameters: of a marked place, and of the centre of a map. */
const MARKED =
  /^(?:q|query|destination|daddr|to|where1|sp|pt|point|text|params|coordinates?|latlng|whatshere\[point\])$/i;
const PATH = /^$/;
const CENTERED = /^(?:ll|sll|cbll|center|c|cp|map|view|viewpoint|loc|location|position|m)$/i;
// 48.8,2.3   loc:48.8,2.3   point.48.8_2.3_Name   48.8~2.3   48.8,2.3(Name)   48.8,2.3,15z
const PAIR = new RegExp(`^(?:(?:loc:|ll\\.)?\\(?${NUMBER} ?[,;~ ] ?${NUMBER}|point\\.${NUMBER}_${NUMBER})`, 'i');
const DECIMAL_PAIR = new RegExp(`^${DECIMAL},? ?${DECIMAL}(?:,[\\d.]+[a-z]?)?$`, 'i');

const TWO_NUMBERS = /\d\D+\d/;
/** Parts with two numbers that are looked at. Links of maps have fewer than 10. */
const MAX_PARTS = 20;

const HASH = new RegExp(
  `(?:^|[#?&])(?:map=\\d{1,2}(?:\\.\\d+)?/${NUMBER}/${NUMBER}|\\d{1,2}(?:\\.\\d+)?/${DECIMAL}/${DECIMAL})`,
  'i',
);
const AT = new RegExp(`@(?:${NUMBER}, ?${NUMBER},[\\d.]+[amz]|${DECIMAL}, ?${DECIMAL})`, 'i');

export function parseMapLink(text: string): LatLng | undefined {
  const link = text.replace(/^.*?<?(?=https?:\/\/)/i, ''); // without the text before it
  if (!LINK.test(link)) return undefined;
  return parseMarker(link) ?? parseKeyValues(link) ?? parseParts(link.replaceAll('+', ' ')) ?? parseView(link);
}

function parseMarker(link: string): LatLng | undefined {
  const place = GOOGLE_PLACE.exec(link);
  if (place !== null) return pointOf(place, false);
  const lngFirst = [...link.matchAll(GOOGLE_STOPS)].at(-1) ?? GOOGLE_EMBEDDED.exec(link) ?? X_Y.exec(link);
  return lngFirst ? pointOf(lngFirst, true) : undefined;
}

/** The parts of the path, and the parameters after ? and #. */
function parseParts(link: string): LatLng | undefined {
  const isLngFirst = LNG_FIRST_HOST.test(link);
  const parts = link
    .split(/[/?&#]/)
    .filter((part) => TWO_NUMBERS.test(part))
    .slice(0, MAX_PARTS)
    .map((part) => {
      const nameEnd = part.indexOf('=');
      return { name: part.slice(0, Math.max(nameEnd, 0)).replace(/^.*:/, ''), value: part.slice(nameEnd + 1) };
    });
  for (const names of [MARKED, PATH, CENTERED]) {
    const points = parts
      .filter(({ name }) => names.test(name))
      .map(({ name, value }) => parseValue(value, { isPath: name === '', isLngFirst: isLngFirst && name !== 'text' }))
      .filter((point) => point !== undefined);
    if (points.length > 0) return points.at(-1); // the end of a route
  }
  return undefined;
}

function parseValue(
  value: string,
  { isPath, isLngFirst }: { isPath: boolean; isLngFirst: boolean },
): LatLng | undefined {
  const pair = (isPath ? DECIMAL_PAIR : PAIR).exec(value);
  if (pair !== null) return pointOf(pair, isLngFirst);
  // 48°51'30"N 2°17'40"E   48_51_30_N_2_17_40_E_type:landmark
  const plain = withPlainWords(value.replace(/(_[EW])_.*/, '$1').replaceAll('_', ' '));
  return plain === undefined ? undefined : parseAnglePair(plain)[0];
}

function parseView(link: string): LatLng | undefined {
  const view = HASH.exec(link) ?? AT.exec(link);
  return view === null ? undefined : pointOf(view, false);
}

/** The point of the two groups that have matched. */
function pointOf(match: RegExpExecArray, isLngFirst: boolean): LatLng | undefined {
  const [first, second] = match
    .slice(1)
    .filter((group) => group !== undefined)
    .map(Number);
  return isLngFirst ? checkedPoint(second!, first!) : checkedPoint(first!, second!);
}
