/** The record of an API key: checks of its fields, new keys, and whether a call may use a key. */
import { randomBytes } from 'node:crypto';
import { type Address, type Cidr, isInAny, parseCidr } from '../address.ts';
import { createKeyText, hashKey } from './key-text.ts';

/** Maximum places in a response, whatever the key. */
export const MAX_RECORDS = 20;
/** Highest rate limit of a key, except `unlimited`. */
export const MAX_PER_MINUTE = 10_000;
/** Highest quota of a key. */
export const MAX_PER_DAY = 1_000_000_000;
/** One of `allowedOrigins` that no user can give: the origin of the service itself. */
export const OWN_ORIGIN = 'own';

/** What is known about a key, except its text. Times are in milliseconds since 1970. */
export interface KeyRecord {
  /** Names the key in lists and logs. Not secret. */
  readonly id: string;
  readonly label: string;
  readonly maxRecords: number;
  /** Maximum calls per minute from each client address; undefined for the service's default. */
  readonly perMinute: number | 'unlimited' | undefined;
  /** Quota: maximum calls per UTC day from all addresses together; undefined for no quota. */
  readonly perDay: number | undefined;
  /** Whether the key may send batches. */
  readonly batch: boolean;
  /** Web origins (`https://example.com`) that may use the key; empty for any. */
  readonly allowedOrigins: readonly string[];
  /** Blocks of client addresses (`192.0.2.0/24`) that may use the key; empty for any. */
  readonly allowedCidrs: readonly Cidr[];
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
  readonly lastUsedAt: number | undefined;
}

export interface StoredKey {
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
  readonly record: KeyRecord;
}

export interface NewKey {
  readonly record: KeyRecord;
  /** The text, which only its owner keeps: stores have its hash. */
  readonly key: string;
}

type CheckedKeyFields = Omit<KeyRecord, 'id' | 'createdAt' | 'revokedAt' | 'lastUsedAt'>;

/** All fields but the label have defaults. */
export type NewKeyFields = Pick<KeyRecord, 'label'> & {
  readonly [Field in Exclude<keyof CheckedKeyFields, 'allowedCidrs'>]?: CheckedKeyFields[Field] | undefined;
} & { readonly allowedCidrs?: readonly string[] | undefined };

export class KeyFieldError extends Error {
  override readonly name = 'KeyFieldError';
  readonly field: keyof NewKeyFields;

  constructor(field: keyof NewKeyFields, message: string) {
    super(message);
    this.field = field;
  }
}

interface KeyedCall {
  readonly nowMs: number;
  /** The headers Origin and Host. */
  readonly origin: string | undefined;
  readonly host?: string | undefined;
  readonly address: Address;
}

export type KeyVerdict = 'ok' | 'unknown' | 'expired' | 'revoked' | 'origin_not_allowed' | 'address_not_allowed';

export function judgeKey(record: KeyRecord | undefined, call: KeyedCall): KeyVerdict {
  if (record === undefined) return 'unknown';
  // a revoked key stays revoked even if this machine's clock is behind
  if (record.revokedAt !== undefined) return 'revoked';
  if (record.expiresAt !== undefined && record.expiresAt <= call.nowMs) return 'expired';
  if (record.allowedOrigins.length > 0 && !isOriginAllowed(record.allowedOrigins, call)) {
    return 'origin_not_allowed';
  }
  if (record.allowedCidrs.length > 0 && !isInAny(call.address, record.allowedCidrs)) {
    return 'address_not_allowed';
  }
  return 'ok';
}

/** A key that no store has. Its origins may be OWN_ORIGIN. */
export function builtInKey(id: string, { allowedOrigins = [], ...fields }: NewKeyFields): KeyRecord {
  const checked = checkKeyFields(fields, 0);
  return { id, ...checked, allowedOrigins, createdAt: 0, revokedAt: undefined, lastUsedAt: undefined };
}

/** Throws KeyFieldError if a field is invalid. */
export function createKey(fields: NewKeyFields, nowMs: number): NewKey & StoredKey {
  const record: KeyRecord = {
    id: `k${randomBytes(6).toString('hex')}`,
    ...checkKeyFields(fields, nowMs),
    createdAt: Math.floor(nowMs),
    revokedAt: undefined,
    lastUsedAt: undefined,
  };
  const key = createKeyText();
  return { record, key, hash: hashKey(key) };
}

/** Fills in defaults and normalises origins. Throws KeyFieldError if a field is invalid. */
export function checkKeyFields(fields: NewKeyFields, nowMs: number): CheckedKeyFields {
  const maxRecords = fields.maxRecords ?? MAX_RECORDS;
  requireInteger('maxRecords', maxRecords, MAX_RECORDS);
  if (fields.perMinute !== undefined && fields.perMinute !== 'unlimited') {
    requireInteger('perMinute', fields.perMinute, MAX_PER_MINUTE);
  }
  if (fields.perDay !== undefined) requireInteger('perDay', fields.perDay, MAX_PER_DAY);
  return {
    label: checkedLabel(fields.label),
    maxRecords,
    perMinute: fields.perMinute,
    perDay: fields.perDay,
    batch: fields.batch ?? false,
    allowedOrigins: (fields.allowedOrigins ?? []).map(checkedOrigin),
    allowedCidrs: (fields.allowedCidrs ?? []).map(checkedCidr),
    expiresAt: checkedExpiry(fields.expiresAt, nowMs),
  };
}

function isOriginAllowed(allowed: readonly string[], { origin, host }: KeyedCall): boolean {
  const given = origin?.toLowerCase();
  // browsers send Origin with every call but a GET of the same origin; its scheme may differ behind a TLS proxy
  const isOwn = host !== undefined && given?.replace(/^https?:\/\//, '//') === `//${host.toLowerCase()}`;
  return allowed.some((each) => (each === OWN_ORIGIN ? isOwn : each === given));
}

function requireInteger(field: keyof NewKeyFields, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw new KeyFieldError(field, `must be an integer from 1 to ${max}, got ${value}`);
}

function checkedLabel(text: string): string {
  const label = text.trim();
  if (label === '' || label.length > 200) {
    throw new KeyFieldError('label', `must have 1 to 200 characters, got ${label.length}`);
  }
  // labels are printed on terminals, which interpret control characters
  if (/\p{Cc}/u.test(label)) {
    throw new KeyFieldError('label', `must not contain control characters, got ${JSON.stringify(label)}`);
  }
  return label;
}

function checkedExpiry(expiresAt: number | undefined, nowMs: number): number | undefined {
  if (expiresAt === undefined) return undefined;
  const time = new Date(expiresAt);
  // NaN if the caller could not parse a date
  if (Number.isNaN(time.getTime())) {
    throw new KeyFieldError('expiresAt', 'must be a date such as 2030-12-31 or 2030-12-31T23:59:59Z');
  }
  if (expiresAt <= nowMs) {
    const message = `must be in the future, got ${time.toISOString()}: the key would never work`;
    throw new KeyFieldError('expiresAt', message);
  }
  return expiresAt;
}

/** Returns the form that browsers send: lower case, without path and default port. */
function checkedOrigin(text: string): string {
  if (text.includes('*')) {
    const message = `must name each origin in full, such as https://shop.example.com, got ${JSON.stringify(text)}`;
    throw new KeyFieldError('allowedOrigins', `${message}: wildcards are not supported`);
  }
  const origin = URL.parse(text)?.origin;
  if (origin === undefined || origin === 'null' || !/^https?:\/\/[^/?#@]+\/?$/i.test(text)) {
    throw new KeyFieldError('allowedOrigins', `must be like https://example.com, got ${JSON.stringify(text)}`);
  }
  return origin;
}

function checkedCidr(text: string): Cidr {
  const block = parseCidr(text);
  if (block !== undefined) return block;
  throw new KeyFieldError('allowedCidrs', `must be like 192.0.2.0/24 or 2001:db8::/32, got ${JSON.stringify(text)}`);
}
