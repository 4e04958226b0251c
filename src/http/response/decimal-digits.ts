/** Writes numbers into a buffer, for coordinates several times as fast as `String(value)`. */

/** Coordinates have at most seven decimals. */
const DECIMALS = 7;
const SCALE = 10 ** DECIMALS;
/** Five decimals of a degree are about a metre. */
const DEGREE_DECIMALS = 5;
const DEGREE_SCALE = 10 ** DEGREE_DECIMALS;
/** Makes up for products such as 48.73152 * 1e5, which is not an integer. Coordinates are coarser. */
const ROUNDING_ERROR = 1e-3;
/** `String` formats smaller numbers with an exponent. */
const MIN_PLAIN = 1e-6;
/** Below this, a scaled number is an exact integer, and the whole part fits in 32 bits. */
const PLAIN_END = 1e8;
const POWERS_OF_TEN = Array.from({ length: 9 }, (_, exponent) => 10 ** exponent);
const MINUS = 0x2d;
const DECIMAL_POINT = 0x2e;
const ZERO = 0x30;

/** Enough for the longest result of `String`, which has 25 characters. */
export const MAX_NUMBER_BYTES = 32;

/** Writes a finite number as `String` formats it. Returns the end offset. */
export function writeNumber(buffer: Buffer, start: number, value: number): number {
  const absolute = Math.abs(value);
  const scaled = Math.round(absolute * SCALE);
  const hasFewDecimals = scaled / SCALE === absolute;
  const isPlain = hasFewDecimals && absolute < PLAIN_END && (absolute >= MIN_PLAIN || absolute === 0);
  if (!isPlain) return start + buffer.write(String(value), start, 'latin1');
  let end = start;
  if (value < 0) buffer[end++] = MINUS;
  const whole = absolute | 0;
  end = writeDigits(buffer, end, whole, 1);
  let fraction = (scaled - whole * SCALE) | 0;
  if (fraction === 0) return end;
  let decimals = DECIMALS;
  while (fraction % 10 === 0) {
    fraction = (fraction / 10) | 0;
    decimals--;
  }
  buffer[end++] = DECIMAL_POINT;
  return writeDigits(buffer, end, fraction, decimals);
}

/** Writes degrees (-180 to 180), rounded down to five decimals. Returns the end offset. */
export function writeDegreesDown(buffer: Buffer, start: number, value: number): number {
  return writeScaledDegrees(buffer, start, Math.floor(value * DEGREE_SCALE + ROUNDING_ERROR));
}

/** Writes degrees (-180 to 180), rounded up to five decimals. Returns the end offset. */
export function writeDegreesUp(buffer: Buffer, start: number, value: number): number {
  return writeScaledDegrees(buffer, start, Math.ceil(value * DEGREE_SCALE - ROUNDING_ERROR));
}

function writeScaledDegrees(buffer: Buffer, start: number, signed: number): number {
  const scaled = Math.abs(signed) | 0;
  let end = start;
  if (signed < 0) buffer[end++] = MINUS;
  const whole = (scaled / DEGREE_SCALE) | 0;
  end = writeDigits(buffer, end, whole, 1);
  const fraction = scaled - whole * DEGREE_SCALE;
  if (fraction === 0) return end;
  buffer[end] = DECIMAL_POINT;
  end = writeDigits(buffer, end + 1, fraction, DEGREE_DECIMALS);
  while (buffer[end - 1] === ZERO) end--;
  return end;
}

/** Writes an integer below 1e8, zero-padded to `minDigits`. Returns the end offset. */
function writeDigits(buffer: Buffer, start: number, value: number, minDigits: number): number {
  let digits = minDigits;
  while (value >= POWERS_OF_TEN[digits]!) digits++;
  let rest = value;
  for (let at = start + digits - 1; at >= start; at--) {
    const tens = (rest / 10) | 0;
    buffer[at] = ZERO + rest - 10 * tens;
    rest = tens;
  }
  return start + digits;
}
