/**
 * Reads `application/x-www-form-urlencoded` text from a body or a URL, and refuses what a lenient
 * parser would guess at: broken percent escapes and bytes that are not UTF-8.
 * The text has one character per byte: a body read as latin1, or a URL, which Node limits to ASCII.
 */
import { quote, RequestError } from '../errors.ts';

/** A `%` without two hexadecimal digits, and what stands in their place, for the message. */
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2}).{0,2}/;
const NON_ASCII = /[\x80-\xff]/g;
/** Printable ASCII without `%` and `+`: text that needs no decoding. */
const PLAIN = /^[ -$&-*,-~]*$/;

/** Calls `onPair` for each `name=value`, in order. Empty pairs (`a=1&&b=2`) are skipped. */
export function readForm(byteString: string, onPair: (name: string, value: string) => void): void {
  for (const pair of byteString.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    onPair(name, equals < 0 ? '' : decode(pair.slice(equals + 1), name));
  }
}

/** Decodes the name of an option or, if `option` is given, the value of that option. */
function decode(text: string, option?: string): string {
  if (PLAIN.test(text)) return text;
  const badEscape = BAD_ESCAPE.exec(text);
  if (badEscape !== null) {
    throw decodingError(`${quote(badEscape[0])} is not a percent escape; write a percent sign as %25`, option);
  }
  try {
    // unescaped bytes beyond ASCII are accepted if they are valid UTF-8
    const escaped = text.replace(NON_ASCII, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
    return decodeURIComponent(escaped.replaceAll('+', ' '));
  } catch {
    throw decodingError('the bytes are not UTF-8; encode the text as UTF-8 before percent-escaping it', option);
  }
}

function decodingError(problem: string, option: string | undefined): RequestError {
  if (option === undefined) return new RequestError('invalid_option', { message: `an option name: ${problem}` });
  // names of options consist of letters; any other name may contain anything, so it is quoted
  const shownName = /^[A-Za-z]{1,30}$/.test(option) ? option : quote(option);
  return new RequestError('invalid_option', { option, message: `${shownName}: ${problem}` });
}
