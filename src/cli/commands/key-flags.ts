/** Parses the flags of `toponym keys create`. Every error is a UsageError that names the flag. */
import { checkKeyFields, KeyFieldError, type NewKeyFields } from '../../access/keys/key-record.ts';
import { UsageError } from '../../errors/errors.ts';

export interface CreateFlags {
  readonly label: string;
  readonly maxRecords?: string;
  readonly perMinute?: string;
  readonly perDay?: string;
  readonly expires?: string;
  readonly origin?: readonly string[];
  readonly cidr?: readonly string[];
  readonly json?: boolean;
}

const FLAG_BY_FIELD: Readonly<Record<keyof NewKeyFields, string>> = {
  label: '--label',
  maxRecords: '--max-records',
  perMinute: '--per-minute',
  perDay: '--per-day',
  expiresAt: '--expires',
  allowedOrigins: '--origin',
  allowedCidrs: '--cidr',
};

export function parseKeyFlags(flags: CreateFlags, nowMs: number): NewKeyFields {
  const fields: NewKeyFields = {
    label: flags.label,
    maxRecords: parseCount('--max-records', flags.maxRecords),
    perMinute: flags.perMinute === 'unlimited' ? 'unlimited' : parseCount('--per-minute', flags.perMinute),
    perDay: parseCount('--per-day', flags.perDay),
    expiresAt: flags.expires === undefined ? undefined : parseDate(flags.expires),
    allowedOrigins: flags.origin,
    allowedCidrs: flags.cidr,
  };
  try {
    checkKeyFields(fields, nowMs); // only for its errors: the store calls it for its result
    return fields;
  } catch (error) {
    if (!(error instanceof KeyFieldError)) throw error;
    throw new UsageError(`${FLAG_BY_FIELD[error.field]}: ${error.message}.`, { cause: error });
  }
}

function parseCount(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new UsageError(`${flag}: must be an integer, got ${JSON.stringify(text)}.`);
}

function parseDate(text: string): number {
  const [, day, time = ''] = /^(\d{4}-\d{2}-\d{2})(T.+)?$/.exec(text) ?? [];
  const needsZone = time !== '' && !/(Z|[+-]\d{2}:?\d{2})$/i.test(time);
  const ms = Date.parse(needsZone ? `${text}Z` : text); // without a zone, a time would be local
  if (day !== undefined && !Number.isNaN(ms)) {
    // Date.parse accepts 31 February as 3 March
    const isRealDay = new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
    if (isRealDay) return ms;
  }
  throw new UsageError(
    `--expires: must be a date such as 2030-12-31 or 2030-12-31T23:59:59Z, got ${JSON.stringify(text)}.`,
  );
}
