/**
 * Coordinates as people type or paste them: "48.8584, 2.2945", "48°51′N 2°21′E", "geo:48.8,2.3".
 * Latitude comes first unless letters say otherwise. Text that may mean something else, such as
 * "1010" or "12,345", is no pair of coordinates.
 */
import type { LatLng } from './sphere.ts';

/** Degrees, minutes and seconds, as matched. The last two may be undefined. */
type Parts = readonly (string | undefined)[];

const MARKED = (decimal: string) => anglePattern(decimal, { afterDegrees: '\\s*°\\s*', afterMinutes: "\\s*'\\s*" });
/** Also accepts spaces for ° and ', which only letters make unambiguous: "48 51 30 N". */
const SPACED = anglePattern('[.,]', { afterDegrees: '(?:\\s*°\\s*|\\s+)', afterMinutes: "(?:\\s*'\\s*|\\s+)" });
const LETTER = '([NSEW])';
const SIGN = '([-+]?)';

// 48.85N, 2.29E
const LETTERS_AFTER = new RegExp(`^${SPACED}\\s*${LETTER}\\s*[,;]?\\s*${SPACED}\\s*${LETTER}$`, 'i');
// N48.85 E2.29
const LETTERS_BEFORE = new RegExp(`^${LETTER}\\s*${SPACED}\\s*[,;]?\\s*${LETTER}\\s*${SPACED}$`, 'i');
// 48.85, -2.29
const DECIMAL_POINT = new RegExp(`^${SIGN}${MARKED('[.]')}(\\s*[,;]\\s*|\\s+)${SIGN}${MARKED('[.]')}$`);
// 48,85; -2,29
const DECIMAL_COMMA = new RegExp(`^${SIGN}${MARKED(',')}(\\s*;\\s*|,?\\s+)${SIGN}${MARKED(',')}$`);
// RFC 5870, without the parameters that change the meaning
const GEO_URI = /^geo:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)(?:,-?[\d.]+)?(?:;u=[\d.]+|;crs=wgs84|\?z=\d+)*$/i;

/** Returns undefined if the text is no pair of coordinates, or if they are out of range. */
export function parseCoordinates(text: string): LatLng | undefined {
  if (!/\p{Nd}/u.test(text)) return undefined; // saves most queries the rest
  const plain = withPlainMarks(text);
  const geoUri = GEO_URI.exec(plain);
  if (geoUri !== null) return checkedPoint(Number(geoUri[1]), Number(geoUri[2]));
  return parseLettered(plain) ?? parseUnlettered(plain);
}

/** Pattern of an unsigned angle, with groups for degrees, minutes and seconds. */
function anglePattern(decimal: string, between: { afterDegrees: string; afterMinutes: string }): string {
  const { afterDegrees, afterMinutes } = between;
  const degrees = `(\\d{1,3}(?:${decimal}\\d+)?)`;
  const minutesOrSeconds = `(\\d{1,2}(?:${decimal}\\d+)?)`;
  const seconds = `${afterMinutes}${minutesOrSeconds}(?:\\s*")?`;
  return `${degrees}(?:${afterDegrees}${minutesOrSeconds}(?:${seconds}|\\s*')?|\\s*°)?`;
}

/**
 * Replaces look-alikes of ° ' " - and full-width characters. Removes parentheses around the text.
 * Marks come first, because NFKC would turn º into o and ″ into two marks.
 */
function withPlainMarks(text: string): string {
  return text
    .replace(/[º˚∘]/gu, '°')
    .replace(/[′’‘ʹ´`]/gu, "'")
    .replace(/[″”“ʺ]/gu, '"')
    .normalize('NFKC')
    .replace(/[−–‐]/gu, '-')
    .replace(/、/gu, ',')
    .replace(/''/gu, '"')
    .trim()
    .replace(/^\((.*)\)$/u, '$1')
    .trim();
}

function parseLettered(text: string): LatLng | undefined {
  // an angle has three groups, a letter one
  const after = LETTERS_AFTER.exec(text);
  if (after !== null) return pointOf(after.slice(1, 4), after[4]!, after.slice(5, 8), after[8]!);
  const before = LETTERS_BEFORE.exec(text);
  if (before === null) return undefined;
  const first = before.slice(2, 5);
  const second = before.slice(6, 9);
  return mayBePostcode(text, first, second) ? undefined : pointOf(first, before[1]!, second, before[5]!);
}

/** Whether letters before whole degrees may be the beginning of a postcode: "W1S 4", "N1 E2". */
function mayBePostcode(text: string, first: Parts, second: Parts): boolean {
  const hasFractionOrMark = /[.,]\d|°/.test(text);
  const hasMinutes = first[1] !== undefined && second[1] !== undefined;
  const isSpaced = /^[NSEW]\s.*[\s,;][NSEW]\s/i.test(text);
  return !hasFractionOrMark && !hasMinutes && !isSpaced;
}

function pointOf(first: Parts, firstLetter: string, second: Parts, secondLetter: string): LatLng | undefined {
  const isLatFirst = /[NS]/i.test(firstLetter);
  if (isLatFirst === /[NS]/i.test(secondLetter)) return undefined;
  const a = signed(degreesOf(first), /[SW]/i.test(firstLetter));
  const b = signed(degreesOf(second), /[SW]/i.test(secondLetter));
  return isLatFirst ? checkedPoint(a, b) : checkedPoint(b, a);
}

function parseUnlettered(text: string): LatLng | undefined {
  const match = DECIMAL_POINT.exec(text) ?? DECIMAL_COMMA.exec(text);
  if (match === null) return undefined;
  // groups: sign, three of the angle, separator, sign, three of the angle
  const [, sign1, , , , separator = '', sign2] = match;
  const lat = match.slice(2, 5);
  const lng = match.slice(7, 10);
  const hasFraction = (parts: Parts) => /\D/.test(parts[0]!);
  const hasMarks = (text.match(/°/g) ?? []).length === 2;
  // two integers may be anything, unless a comma and a sign show what they are
  const isCertain =
    hasMarks ||
    (hasFraction(lat) && hasFraction(lng)) ||
    (/[,;]/.test(separator) && (hasFraction(lat) || hasFraction(lng) || sign1 !== '' || sign2 !== ''));
  if (!isCertain) return undefined;
  return checkedPoint(signed(degreesOf(lat), sign1 === '-'), signed(degreesOf(lng), sign2 === '-'));
}

/** NaN if minutes or seconds are 60 or more, or if a part before the last has a fraction. */
function degreesOf(parts: Parts): number {
  const given = parts.filter((part) => part !== undefined);
  const [degrees = 0, minutes = 0, seconds = 0] = given.map((part) => Number(part.replace(',', '.')));
  const isFractionLast = given.slice(0, -1).every((part) => /^\d+$/.test(part));
  return minutes < 60 && seconds < 60 && isFractionLast ? degrees + minutes / 60 + seconds / 3600 : Number.NaN;
}

function signed(degrees: number, isNegative: boolean): number {
  return isNegative ? -degrees : degrees;
}

/** Undefined if out of range. Rounded to about a centimetre, because sixtieths are not exact. */
function checkedPoint(lat: number, lng: number): LatLng | undefined {
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return undefined;
  const rounded = (degrees: number) => Math.round(degrees * 1e7) / 1e7 || 0; // turns -0 into 0
  return { lat: rounded(lat), lng: rounded(lng) };
}
