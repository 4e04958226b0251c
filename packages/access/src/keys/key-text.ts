/**
 * The text of an API key: `tpk_`, 30 random base62 characters, 6 characters of CRC-32. The checksum
 * refuses mistyped keys without a lookup, and lets secret scanners recognise leaked keys.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'tpk_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
/** 36 is RANDOM_LENGTH + CHECKSUM_LENGTH. */
const KEY_PATTERN = /^tpk_[0-9A-Za-z]{36}$/;
/** Matches whole and partial keys in a text. */
const KEY_IN_TEXT = /tpk_[0-9A-Za-z]+/g;

/** Keys in a path may be percent-encoded more than once. */
const MAX_DECODINGS = 5;

/** `randomOf` returns a number of random bytes. */
export function createKeyText(randomOf: (length: number) => Uint8Array = randomBytes): string {
  const body = PREFIX + randomBase62(RANDOM_LENGTH, randomOf);
  return body + checksum(body);
}

export function isWellFormedKey(text: string): boolean {
  if (!KEY_PATTERN.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return checksum(body) === text.slice(-CHECKSUM_LENGTH);
}

export function hashKey(text: string): string {
  return hash('sha256', text, 'hex');
}

export function maskKeys(text: string): string {
  return text.includes(PREFIX) ? text.replace(KEY_IN_TEXT, 'tpk_***') : text;
}

/** Masks even percent-encoded keys. A path that has keys is returned decoded. */
export function maskKeysInPath(path: string): string {
  let decoded = path;
  for (let i = 0; i < MAX_DECODINGS && decoded.includes('%'); i++) {
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return decoded.includes(PREFIX) ? maskKeys(decoded) : path;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** Discards bytes of 248 (4 × 62) and above, so that all characters are equally likely. */
function randomBase62(length: number, randomOf: (length: number) => Uint8Array): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomOf(length)) {
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}
