/**
 * Reads pairs of an option and its value: from `application/x-www-form-urlencoded` text of a body or a URL,
 * which has one character per byte, and from a JSON body, which is a flat object. Refuses broken percent
 * escapes and bytes that are not UTF-8.
 */
import { invalidOption, quote, RequestError } from '../errors.ts';
import type { ByteString } from '../response/json-writer.ts';

const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2}).{0,2}/;
const NON_ASCII = /[\x80-\xff]/;
/** Printable ASCII without `%` and `+`. */
const PLAIN = /^[ -$&-*,-~]*$/;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Calls `onPair` for each `name=value`, in order. Skips empty pairs (`a=1&&b=2`). */
export function readForm(byteString: string, onPair: (name: string, value: string) => void): void {
  for (let start = 0, end = 0; start < byteString.length; start = end + 1) {
    end = byteString.indexOf('&', start);
    if (end < 0) end = byteString.length;
    if (end === start) continue;
    const pair = byteString.slice(start, end);
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
    // unescaped characters beyond ASCII are accepted if their bytes are UTF-8
    const unescaped = NON_ASCII.test(text) ? UTF8.decode(Buffer.from(text, 'latin1')) : text;
    return decodeURIComponent(unescaped.replace(/\+/g, ' '));
  } catch {
    throw decodingError('the bytes are not UTF-8; encode the text as UTF-8 before percent-escaping it', option);
  }
}

function decodingError(problem: string, option: string | undefined): RequestError {
  if (option === undefined) return new RequestError('invalid_option', `an option name: ${problem}`);
  return invalidOption(/^[A-Za-z]{1,30}$/.test(option) ? option : quote(option), problem);
}

export type JsonScalar = string | number | boolean;

/**
 * The options in a JSON body, in order, read as far as asked. A name that occurs twice comes twice, both times with
 * its last value: callers must refuse it. Throws RequestError if the body is invalid.
 */
export function* readJson(
  byteString: ByteString,
  subject: 'body' | 'line' = 'body',
): Generator<readonly [name: string, value: JsonScalar]> {
  const text = decodeBody(byteString, subject);
  const parsed = parseJson(text, subject);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    const message = `the JSON ${subject} must be an object of options such as {"query": "paris"}, got ${nameOfType(parsed)}`;
    throw new RequestError('invalid_body', message);
  }
  // `JSON.parse` hides names that occur twice; of a flat object, all strings before a colon are names
  for (const [, name, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*(:)?/g)) {
    if (colon === undefined) continue;
    const option = JSON.parse(name!) as string;
    yield [option, checkedScalar(option, (parsed as Record<string, unknown>)[option])];
  }
}

function checkedScalar(name: string, value: unknown): JsonScalar {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  const message = `${quote(name)}: must be a string, a number or a boolean, got ${nameOfType(value)}`;
  throw new RequestError('invalid_option', message);
}

export function nameOfType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  const type = typeof value;
  return type === 'object' ? 'an object' : `a ${type}`;
}

function decodeBody(byteString: ByteString, subject: string): string {
  try {
    return UTF8.decode(Buffer.from(byteString, 'latin1'));
  } catch {
    throw new RequestError('invalid_body', `the JSON ${subject} is not UTF-8`);
  }
}

function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const message = `the ${subject} is not JSON, although its Content-Type says so; options look like {"query": "paris"}`;
    throw new RequestError('invalid_body', message);
  }
}
