/**
 * Writes numbers as decimal digits into a buffer. `String(value)` takes several times as long for
 * coordinates: see docs/performance.md.
 */

/** Coordinates have at most seven decimals. */
const DECIMALS = 7;
const SCALE = 10 ** DECIMALS;
/** Larger numbers are not exact when scaled. */
const MAX_SCALED = Number.MAX_SAFE_INTEGER;
/** `String` formats smaller numbers with an exponent. */
const MIN_PLAIN = 1e-6;
const POWERS_OF_TEN = Float64Array.from({ length: 17 }, (_, exponent) => 10 ** exponent);
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;

/** Bytes that `writeNumber` may need. */
export const MAX_NUMBER_BYTES = 32;

/** Writes a finite number as `String` formats it, and returns the offset of its end. */
export function writeNumber(buffer: Buffer, start: number, value: number): number {
  const size = Math.abs(value);
  const scaled = Math.round(size * SCALE);
  if (scaled > MAX_SCALED || scaled / SCALE !== size || (size < MIN_PLAIN && size !== 0)) {
    return start + buffer.write(String(value), start, 'latin1');
  }
  let end = start;
  if (value < 0) buffer[end++] = MINUS;
  const whole = Math.trunc(size);
  end = writeDigits(buffer, end, whole, 1);
  let fraction = scaled - whole * SCALE;
  if (fraction === 0) return end;
  let decimals = DECIMALS;
  while (fraction % 10 === 0) {
    fraction /= 10;
    decimals--;
  }
  buffer[end++] = POINT;
  return writeDigits(buffer, end, fraction, decimals);
}

/** Writes a whole number with at least `minDigits` digits, and returns the offset of its end. */
function writeDigits(buffer: Buffer, start: number, value: number, minDigits: number): number {
  let digits = minDigits;
  while (value >= POWERS_OF_TEN[digits]!) digits++;
  let rest = value;
  for (let at = start + digits - 1; at >= start; at--) {
    const tens = Math.floor(rest / 10);
    buffer[at] = ZERO + rest - 10 * tens;
    rest = tens;
  }
  return start + digits;
}
