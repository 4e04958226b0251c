/**
 * Reads `application/x-www-form-urlencoded` text, from a body or from a URL, and refuses what a lenient reader would
 * guess at: broken percent escapes and bytes that are not UTF-8.
 * Text comes with one character per byte: bodies read as latin1, and URLs, in which Node takes nothing but ASCII.
 */
import { quote, RequestError } from '../errors.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2}).{0,2}/;
const BEYOND_ASCII = /[\x80-\xff]/;
const FIRST_PLAIN = 0x20;
const LAST_PLAIN = 0x7e;
const PERCENT = 0x25;
const PLUS = 0x2b;

/** Calls `onPair` for each `name=value`, in order. Empty pieces (`a=1&&b=2`) are skipped. */
export function readForm(latin1: string, onPair: (name: string, value: string) => void): void {
  for (let start = 0; start < latin1.length; ) {
    const end = indexOrEnd(latin1, '&', { from: start, end: latin1.length });
    if (end > start) {
      const equals = indexOrEnd(latin1, '=', { from: start, end });
      const name = decode(latin1.slice(start, equals), 'an option name');
      onPair(name, decode(latin1.slice(equals + 1, end), name));
    }
    start = end + 1;
  }
}

function indexOrEnd(text: string, letter: string, { from, end }: { from: number; end: number }): number {
  const index = text.indexOf(letter, from);
  return index === -1 || index > end ? end : index;
}

function decode(text: string, name: string): string {
  if (isPlain(text)) return text;
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

/** Whether a text means itself. Most do. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < FIRST_PLAIN || code > LAST_PLAIN || code === PERCENT || code === PLUS) return false;
  }
  return true;
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
