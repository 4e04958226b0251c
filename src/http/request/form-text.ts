/**
 * Reads `application/x-www-form-urlencoded` text from a body or a URL. Refuses broken percent
 * escapes and bytes that are not UTF-8. The text has one character per byte.
 */
import { quote, RequestError } from '../errors.ts';

const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2}).{0,2}/;
const NON_ASCII = /[\x80-\xff]/g;
/** Printable ASCII without `%` and `+`. */
const PLAIN = /^[ -$&-*,-~]*$/;

/** Calls `onPair` for each `name=value`, in order. Skips empty pairs (`a=1&&b=2`). */
export function readForm(byteString: string, onPair: (name: string, value: string) => void): void {
  for (const pair of byteString.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    onPair(name, equals < 0 ? '' : decode(pair.slice(equals + 1), name));
  }
}

/** Decodes the value of `option`, or the name of an option if `option` is undefined. */
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
  const shownName = /^[A-Za-z]{1,30}$/.test(option) ? option : quote(option);
  return new RequestError('invalid_option', { option, message: `${shownName}: ${problem}` });
}
