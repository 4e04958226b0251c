/** Parses the flags of `toponym keys create`. Every error names the flag. */
import { checkKeyFields, KeyFieldError, type NewKeyFields } from '../../access/keys/key-record.ts';
import { UsageError } from '../../errors/usage-error.ts';

export interface CreateFlags {
  readonly label: string;
  readonly maxRecords?: string;
  readonly perMinute?: string;
  readonly expires?: string;
  readonly origin?: readonly string[];
  readonly cidr?: readonly string[];
  readonly json?: boolean;
}

const FLAG_BY_FIELD: Readonly<Record<keyof NewKeyFields, string>> = {
  label: '--label',
  maxRecords: '--max-records',
  perMinute: '--per-minute',
  expiresAt: '--expires',
  allowedOrigins: '--origin',
  allowedCidrs: '--cidr',
};

/** Throws UsageError if a flag is invalid. */
export function parseKeyFlags(flags: CreateFlags, nowMs: number): NewKeyFields {
  const { label, maxRecords, perMinute, expires } = flags;
  const fields: NewKeyFields = {
    label,
    maxRecords: maxRecords === undefined ? undefined : parseCount('--max-records', maxRecords),
    perMinute: perMinute === undefined ? undefined : parsePerMinute(perMinute),
    expiresAt: expires === undefined ? undefined : parseDate(expires),
    allowedOrigins: flags.origin,
    allowedCidrs: flags.cidr,
  };
  try {
    checkKeyFields(fields, nowMs);
    return fields;
  } catch (error) {
    if (!(error instanceof KeyFieldError)) throw error;
    throw new UsageError(`${FLAG_BY_FIELD[error.field]}: ${error.message}.`, { cause: error });
  }
}

function parseCount(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${flag}: must be an integer, got ${JSON.stringify(text)}.`);
}

function parsePerMinute(text: string): number | 'unlimited' {
  return text === 'unlimited' ? text : parseCount('--per-minute', text);
}

function parseDate(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}(T.+)?$/.test(text) ? Date.parse(withTimeZone(text)) : Number.NaN;
  // Date.parse reads 31 February as 3 March
  const day = text.slice(0, 10);
  const isRealDate = !Number.isNaN(ms) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  if (isRealDate) return ms;
  throw new UsageError(
    `--expires: must be a date such as 2030-12-31 or 2030-12-31T23:59:59Z, got ${JSON.stringify(text)}.`,
  );
}

/** Adds UTC to a time without a zone, as Date.parse does for a date alone. */
function withTimeZone(text: string): string {
  return text.includes('T') && !/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? `${text}Z` : text;
}
