/**
 * Reads `application/x-www-form-urlencoded` text, from a body or from a URL, and refuses what a lenient reader would
 * guess at: broken percent escapes and bytes that are not UTF-8.
 * Text comes with one character per byte: bodies read as latin1, and URLs, in which Node takes nothing but ASCII.
 */
import { quote, RequestError } from './errors.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2}).{0,2}/;
const BEYOND_ASCII = /[\x80-\xff]/;
const PLAIN = /^[\x20-\x24\x26-\x2a\x2c-\x7e]*$/;

/** Calls `onPair` for each `name=value`, in order. Empty pieces (`a=1&&b=2`) are skipped. */
export function readForm(latin1: string, onPair: (name: string, value: string) => void): void {
  if (latin1 === '') return;
  for (const piece of latin1.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const rawName = equals < 0 ? piece : piece.slice(0, equals);
    const name = decode(rawName, 'an option name');
    onPair(name, equals < 0 ? '' : decode(piece.slice(equals + 1), name));
  }
}

function decode(text: string, name: string): string {
  if (PLAIN.test(text)) return text;
  const broken = BAD_ESCAPE.exec(text);
  if (broken !== null) {
    throw new RequestError('invalid_option', {
      option: name,
      message: `${shown(name)}: ${quote(broken[0])} is not a percent escape; write a percent sign as %25`,
    });
  }
  try {
    // the usual text is ASCII with escapes; bytes that were not escaped are UTF-8 all the same
    return BEYOND_ASCII.test(text) ? UTF8.decode(percentDecoded(text)) : decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new RequestError('invalid_option', {
      option: name,
      message: `${shown(name)}: the bytes are not UTF-8; encode the text as UTF-8 before percent-escaping it`,
    });
  }
}

function percentDecoded(text: string): Buffer {
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

/** Names like ours are shown as they are; strange ones, which may be anything, are quoted. */
function shown(name: string): string {
  return /^[A-Za-z ]{1,30}$/.test(name) ? name : quote(name);
}
