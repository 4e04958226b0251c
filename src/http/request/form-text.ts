/**
 * Reads `application/x-www-form-urlencoded` text from a body or a URL, and refuses what a lenient
 * parser would guess at: broken percent escapes and bytes that are not UTF-8.
 * The text has one character per byte: a body read as latin1, or a URL, which Node limits to ASCII.
 */
import { quote, RequestError } from '../errors.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2}).{0,2}/;
const NON_ASCII = /[\x80-\xff]/;
/** Printable ASCII without `%` and `+`: text that needs no decoding. */
const PLAIN = /^[ -$&-*,-~]*$/;

/** Calls `onPair` for each `name=value`, in order. Empty pairs (`a=1&&b=2`) are skipped. */
export function readForm(latin1: string, onPair: (name: string, value: string) => void): void {
  for (const pair of latin1.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals), 'an option name');
    onPair(name, equals < 0 ? '' : decode(pair.slice(equals + 1), name));
  }
}

function decode(text: string, name: string): string {
  if (PLAIN.test(text)) return text;
  const broken = BAD_ESCAPE.exec(text);
  if (broken !== null) {
    throw new RequestError('invalid_option', {
      option: name,
      message: `${displayName(name)}: ${quote(broken[0])} is not a percent escape; write a percent sign as %25`,
    });
  }
  try {
    // unescaped bytes beyond ASCII are accepted if they are valid UTF-8
    return NON_ASCII.test(text) ? UTF8.decode(percentDecode(text)) : decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new RequestError('invalid_option', {
      option: name,
      message: `${displayName(name)}: the bytes are not UTF-8; encode the text as UTF-8 before percent-escaping it`,
    });
  }
}

function percentDecode(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === 0x25) {
      bytes[length++] = Number.parseInt(text.slice(i + 1, i + 3), 16);
      i += 2;
    } else {
      bytes[length++] = byte === 0x2b ? 0x20 : byte;
    }
  }
  return bytes.subarray(0, length);
}

/** Quotes an option name unless it consists of letters, as all known options do. */
function displayName(name: string): string {
  return /^[A-Za-z ]{1,30}$/.test(name) ? name : quote(name);
}
