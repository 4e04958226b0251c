/**
 * Writes numbers as decimal digits into a buffer. `String(value)` takes several times as long for
 * coordinates: see docs/performance.md.
 */

/** Coordinates have at most seven decimals. */
const DECIMALS = 7;
const SCALE = 10 ** DECIMALS;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;

/** Bytes that `writeNumber` may need. */
export const MAX_NUMBER_BYTES = 32;

/** Writes a finite number as `String` formats it, and returns the offset of its end. */
export function writeNumber(buffer: Buffer, start: number, value: number): number {
  const scaled = Math.round(value * SCALE);
  // exponents, and numbers with more decimals or digits
  if (!Number.isSafeInteger(scaled) || scaled / SCALE !== value || (scaled !== 0 && Math.abs(value) < 1e-6)) {
    return start + buffer.write(String(value), start, 'latin1');
  }
  let end = start;
  if (scaled < 0) buffer[end++] = MINUS;
  const size = Math.abs(scaled);
  const whole = Math.floor(size / SCALE);
  end = writeDigits(buffer, end, whole, 1);
  let fraction = size - whole * SCALE;
  if (fraction === 0) return end;
  let decimals = DECIMALS;
  while (fraction % 10 === 0) {
    fraction /= 10;
    decimals--;
  }
  buffer[end++] = POINT;
  return writeDigits(buffer, end, fraction, decimals);
}

/** Writes a whole number with leading zeros up to `minDigits`, and returns the offset of its end. */
function writeDigits(buffer: Buffer, start: number, value: number, minDigits: number): number {
  let digits = minDigits;
  while (value >= 10 ** digits) digits++;
  let rest = value;
  for (let at = start + digits - 1; at >= start; at--) {
    const tens = Math.floor(rest / 10);
    buffer[at] = ZERO + rest - 10 * tens;
    rest = tens;
  }
  return start + digits;
}
