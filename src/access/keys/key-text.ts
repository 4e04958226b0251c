/**
 * An API key as its owner sees it: `tpk_`, 30 random base62 characters, 6 checksum characters.
 * The checksum (CRC-32 of everything before it) lets a mistyped or made-up key be refused without a lookup,
 * and lets secret scanners recognise a leaked key. Only the SHA-256 of a key is ever stored.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'tpk_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const KEY_PATTERN = /^tpk_[0-9A-Za-z]{36}$/;
/** Anything in a text that looks like a key, whole or in part. */
const KEY_IN_TEXT = /tpk_[0-9A-Za-z]+/g;

/** Rounds of percent-decoding after which a path is no longer looked into. */
const MAX_DECODINGS = 5;

export function createKeyText(): string {
  const body = PREFIX + randomBase62(BODY_LENGTH);
  return body + checksum(body);
}

export function isWellFormedKey(text: string): boolean {
  if (!KEY_PATTERN.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return checksum(body) === text.slice(-CHECKSUM_LENGTH);
}

/** SHA-256, in hex. */
export function hashKey(text: string): string {
  return hash('sha256', text, 'hex');
}

/** For messages and logs: a key sent in the wrong place must not be repeated there. */
export function maskKeys(text: string): string {
  return text.includes(PREFIX) ? text.replace(KEY_IN_TEXT, 'tpk_***') : text;
}

/** The same for a path of a URL, in which any character of a key may be percent-encoded, even more than once. */
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

/** Bytes of 248 and more are thrown away: 248 is a multiple of 62, so every character is equally likely. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}
