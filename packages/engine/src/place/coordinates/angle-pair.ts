/**
 * A pair of angles: "48.8584, 2.2945", "48°51′30″N 2°17′40″E", "N48.8 E2.3". Latitude comes first
 * unless letters or labels ("lat 48.8 lng 2.3") say otherwise, or unless only the other order is
 * possible. The text has plain marks and words: see plain-text.ts.
 */
import type { LatLng } from '../sphere.ts';

/** O is west in Romance languages, and east in German and Dutch. It is read as west first. */
type Letter = 'N' | 'S' | 'E' | 'W' | 'O';

interface Angle {
  readonly degrees: number;
  readonly letter: Letter | undefined;
}

type Order = 'latFirst' | 'lngFirst';

const SIGN = '[-+]?';
const LETTER = '[NSEWO]';
/** Only ° and ' between the parts of an angle, because other marks may separate two angles. */
const MARKED = (decimal: string) => anglePattern(decimal, { afterDegrees: ' ?° ?', afterMinutes: " ?' ?" });
/** Other marks too, which letters or labels make unambiguous: "48 51 30 N", "48:51:30 N". */
const ANY_MARKS = anglePattern('[.,]', { afterDegrees: '(?: ?[°:_-] ?| )', afterMinutes: "(?: ?[':_-] ?| )" });
const SEPARATOR_OF_LETTERED = ' ?[,;/|] ?| - | ?';

// 48.85N   N48.85   -48°51′
const ONE_ANGLE = new RegExp(`^(?:${LETTER} ?)?${SIGN}${ANY_MARKS}(?: ?${LETTER})?$`, 'i');
// 48.85N, 2.29E
const LETTERS_AFTER = pairPattern(`${SIGN}${ANY_MARKS} ?${LETTER}`, SEPARATOR_OF_LETTERED);
// N48.85 E2.29
const LETTERS_BEFORE = pairPattern(`${LETTER} ?${SIGN}${ANY_MARKS}`, SEPARATOR_OF_LETTERED);
// 485130N 0021740E   4851.504,N,00217.67,E
const COMPACT_AFTER =
  /^(?<lat>\d{4}(?:\d\d)?(?:\.\d+)?)[ ,]?(?<north>[NS])[ ,;/|]{0,3}(?<lng>\d{5}(?:\d\d)?(?:\.\d+)?)[ ,]?(?<east>[EW])$/i;
// N485130 E0021740
const COMPACT_BEFORE =
  /^(?<north>[NS]) ?(?<lat>\d{4}(?:\d\d)?(?:\.\d+)?)[ ,;/|]{0,3}(?<east>[EW]) ?(?<lng>\d{5}(?:\d\d)?(?:\.\d+)?)$/i;
// 48.85, -2.29
const DECIMAL_POINT = pairPattern(`${SIGN}${MARKED('[.]')}`, ' ?[,;/|] ?| ');
// 48,85; -2,29
const DECIMAL_COMMA = pairPattern(`${SIGN}${MARKED(',')}`, ' ?[;/|] ?|,? ');
// 48 51 30, -2 17 40
const SPACED_SECONDS = pairPattern(`${SIGN}\\d{1,3} \\d\\d? \\d\\d?(?:\\.\\d+)?`, ' ?[,;] ?');
// 48.8584, 2.2945, 35
const PAIR_AND_HEIGHT = /^([^,]+,[^,]+), ?-?\d+(?:\.\d+)?$/;
const PRECISE_PAIR_AND_HEIGHT = /^([-+]?\d+\.\d{4,}[,;] ?[-+]?\d+\.\d{4,})[,;] ?-?\d+(?:\.\d+)? ?m?$/;
// 122.41 37.77
const IS_PRECISE = /[.,]\d\d.*[.,]\d\d/;
// 12,345
const THOUSANDS = /^[1-9]\d{0,2},\d{3}$/;
// 10.30   24.12
const TIME_OR_DATE = /^(?:[012]?\d|3[01])[.,][0-5]\d$/;

const CLOSING_BRACKETS = new Map(
  ['()', '[]', '{}', '<>', '""', "''", '«»', '「」', '【】'].map(([open, close]) => [open, close]),
);
/** Nested in each other. */
const MAX_BRACKETS = 4;

/**
 * The points that the text may mean, the likeliest first. `order`: labels say that the text is a
 * pair of coordinates, in this order.
 */
export function parseAnglePair(text: string, order?: Order): readonly LatLng[] {
  const { inner, isOrderUnknown } = withoutBrackets(text);
  const lettered = parseLettered(inner);
  if (lettered !== undefined) return lettered;
  const bare = parseBare(inner, order !== undefined);
  if (bare === undefined) return [];
  const [first, second] = bare;
  const latFirst = pointsOf(first, second);
  const lngFirst = pointsOf(second, first);
  if (order !== undefined) return order === 'latFirst' ? latFirst : lngFirst;
  if (isOrderUnknown) return [...latFirst, ...lngFirst];
  return latFirst.length === 0 && IS_PRECISE.test(inner) ? lngFirst : latFirst;
}

/** None if the letters say something else, or if the point is out of range. */
function pointsOf(lat: Angle | undefined, lng: Angle | undefined): readonly LatLng[] {
  if (lat === undefined || lng === undefined) return [];
  if (lat.letter !== undefined && !isLatitude(lat.letter)) return [];
  if (lng.letter !== undefined && isLatitude(lng.letter)) return [];
  const longitudes = lng.letter === 'O' ? [lng.degrees, -lng.degrees] : [lng.degrees];
  return longitudes.map((degrees) => checkedPoint(lat.degrees, degrees)).filter((point) => point !== undefined);
}

/** Undefined if out of range. Rounded to about a centimetre, because sixtieths are not exact. */
export function checkedPoint(lat: number, lng: number): LatLng | undefined {
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return undefined;
  const rounded = (degrees: number) => Math.round(degrees * 1e7) / 1e7 || 0; // turns -0 into 0
  return { lat: rounded(lat), lng: rounded(lng) };
}

/**
 * Angles of two and three digits for degrees and two for minutes and seconds: "485130.24". `north` and `east` are
 * letters or signs.
 */
export function parseCompact({ lat = '', north, lng = '', east }: NonNullable<RegExpExecArray['groups']>) {
  const spacedLat = lat.replace(/(?<=^\d{2}|^\d{4})(?=\d)/g, ' ');
  const spacedLng = lng.replace(/(?<=^\d{3}|^\d{5})(?=\d)/g, ' ');
  return pointsOf(readAngle(`${north}${spacedLat}`), readAngle(`${east}${spacedLng}`));
}

/** Pattern of an unsigned angle. */
function anglePattern(decimal: string, between: { afterDegrees: string; afterMinutes: string }): string {
  const { afterDegrees, afterMinutes } = between;
  const minutesOrSeconds = `\\d{1,2}(?:${decimal}\\d+)?`;
  const seconds = `${afterMinutes}${minutesOrSeconds}(?: ?")?`;
  return `\\d{1,3}(?:${decimal}\\d+)?(?:${afterDegrees}${minutesOrSeconds}(?:${seconds}| ?')?| ?°)?`;
}

/** The groups are the first angle, the separator, and the second angle. */
function pairPattern(angle: string, separator: string): RegExp {
  return new RegExp(`^(${angle})(${separator})(${angle})$`, 'i');
}

/** In square brackets, and before a height, programs write both orders. */
function withoutBrackets(text: string): { inner: string; isOrderUnknown: boolean } {
  let inner = text;
  let isSquare = false;
  for (let i = 0; i < MAX_BRACKETS && inner.at(-1) === CLOSING_BRACKETS.get(inner.charAt(0)); i++) {
    isSquare ||= inner.startsWith('[');
    inner = inner.slice(1, -1).trim();
  }
  inner = inner.replace(/["']( ?[,;] ?)["']/, '$1'); // "48.85","2.29"
  const pair = (isSquare ? PAIR_AND_HEIGHT : PRECISE_PAIR_AND_HEIGHT).exec(inner)?.[1];
  return { inner: pair ?? inner, isOrderUnknown: isSquare || pair !== undefined };
}

/** Undefined if the text has no such form. */
function parseLettered(text: string): readonly LatLng[] | undefined {
  const compact = COMPACT_AFTER.exec(text) ?? COMPACT_BEFORE.exec(text);
  if (compact?.groups !== undefined) return parseCompact(compact.groups);
  const match = LETTERS_AFTER.exec(text) ?? LETTERS_BEFORE.exec(text);
  if (match === null || mayBePostcode(text)) return undefined;
  const first = readAngle(match[1]!);
  const second = readAngle(match[3]!);
  return first?.letter !== undefined && isLatitude(first.letter) ? pointsOf(first, second) : pointsOf(second, first);
}

/** Whether letters before whole degrees may be the beginning of a postcode: "W1S 4", "N1 E2". */
function mayBePostcode(text: string): boolean {
  const hasFractionOrMark = /[.,]\d|°/.test(text);
  const hasMinutes = text.split(/(?!^)[NSEWO]/i).every((angle) => /\d\D+\d/.test(angle));
  const isSpaced = /^[NSEWO] .*[ ,;/|][NSEWO] /i.test(text);
  return /^[NSEWO]/i.test(text) && !hasFractionOrMark && !hasMinutes && !isSpaced;
}

/** Undefined if the text is not certainly a pair of coordinates, and no labels say that it is. */
function parseBare(text: string, isLabelled: boolean): readonly [Angle | undefined, Angle | undefined] | undefined {
  const decimal = DECIMAL_POINT.exec(text) ?? DECIMAL_COMMA.exec(text);
  if (decimal !== null && !isLabelled && !isCertain(decimal)) return undefined;
  const match = decimal ?? SPACED_SECONDS.exec(text);
  return match === null ? undefined : [readAngle(match[1]!), readAngle(match[3]!)];
}

function isCertain([, first = '', separator = '', second = '']: RegExpExecArray): boolean {
  const hasBoth = (pattern: RegExp) => pattern.test(first) && pattern.test(second);
  if (hasBoth(/°/)) return true;
  if (/[/|]/.test(separator)) return hasBoth(/[.,]\d{3}/);
  const isUnsigned = hasBoth(/^\d/);
  if (isUnsigned && hasBoth(THOUSANDS)) return false;
  if (isUnsigned && separator === ' ' && hasBoth(TIME_OR_DATE)) return false;
  if (hasBoth(/^[-+]?\d+[.,]/)) return true;
  // two integers may be anything, unless a comma and a sign show what they are
  return separator !== ' ' && (!isUnsigned || /^\d+[.,]/.test(first) || /^\d+[.,]/.test(second));
}

/** For text that is an angle. Undefined if its parts contradict each other. */
function readAngle(text: string): Angle | undefined {
  const parts = text.match(/\d+(?:[.,]\d+)?/g) ?? [];
  const [degrees = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part.replace(',', '.')));
  const isFractionLast = parts.slice(0, -1).every((part) => /^\d+$/.test(part));
  if (minutes >= 60 || seconds >= 60 || !isFractionLast) return undefined;
  const [letter, secondLetter] = (text.toUpperCase().match(/[NSEWO]/g) ?? []) as Letter[];
  const hasMinus = /^[NSEWO]? ?-/i.test(text);
  const isNegative = letter === undefined ? hasMinus : /[SWO]/.test(letter);
  if (secondLetter !== undefined || (hasMinus && !isNegative)) return undefined;
  const unsigned = degrees + minutes / 60 + seconds / 3600;
  return { degrees: isNegative ? -unsigned : unsigned, letter };
}

function isLatitude(letter: Letter): boolean {
  return letter === 'N' || letter === 'S';
}

const LABEL = /(?<!\p{L})(lat|lng)(?!\p{L})\.?/giu;
const VALUE = /["']? ?[=:>] ?["']?([-+]?\d{1,3}(?:\.\d+)?)(?!\.?\d|,\d| \d| ?°| ?[NSEWO]\b)/.source;
// lat=48.8&zoom=9   "latitude": 48.8   <wpt lat="48.8"   mlat=48.8
const LAT_VALUE = new RegExp(`(?<![a-z])m?lat(?:itude)?${VALUE}`, 'i');
const LNG_VALUE = new RegExp(`(?<![a-z])m?(?:lng|lon|long|longitude)${VALUE}`, 'i');

/**
 * The points that a text with the labels `lat` and `lng` may mean: "48.8 lat, 2.3 lng", "lat/lng: 48.8,
 * 2.3". None unless the text is two angles and the two labels.
 */
export function parseLabelled(text: string): readonly LatLng[] {
  const pieces = text.split(LABEL); // before, label, between, label, after
  if (pieces.length !== 5) return [];
  const [before = '', between = '', after = ''] = [pieces[0], pieces[2], pieces[4]].map(trimPunctuation);
  const isLatFirst = pieces[1]!.toLowerCase() === 'lat';
  if (isLatFirst === (pieces[3]!.toLowerCase() === 'lat') || (before !== '' && after !== '')) return [];
  if (between === '') return parseAnglePair(before || after, isLatFirst ? 'latFirst' : 'lngFirst');
  const angles = [before || between, before ? between : after];
  const [first, second] = angles.map((angle) => (ONE_ANGLE.test(angle) ? readAngle(angle) : undefined));
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
