/**
 * `toponym keys`: make, list and revoke API keys. Works beside a running service, which follows at once.
 */
import type { Command } from 'commander';
import { KeyFieldError, type KeyRecord } from '../access/key-record.ts';
import type { KeyStore } from '../access/key-store.ts';
import { DEFAULT_PER_MINUTE } from '../access/rate-limiter.ts';
import { openSqliteKeys } from '../access/sqlite-keys.ts';
import { openStateFolder } from '../serve/state-folder.ts';
import { UsageError } from '../serve/usage-error.ts';
import { NotFoundError, printResult } from './output.ts';
import { addSettings, settingsOf } from './setting-flags.ts';
import { textTable } from './text-table.ts';

interface CreateFlags {
  readonly label: string;
  readonly maxRecords?: string;
  readonly perMinute?: string;
  readonly expires?: string;
  readonly origin?: readonly string[];
  readonly cidr?: readonly string[];
  readonly json?: boolean;
}

export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('make, list and revoke API keys');
  addSettings(keys.command('create').description('make a key and print it, once'), ['state'])
    .requiredOption('--label <text>', 'what the key is for')
    .option('--max-records <number>', 'most records in one answer, 1 to 20 (default: 20)')
    .option('--per-minute <number>', `calls a minute from one address, or "unlimited" (default: ${DEFAULT_PER_MINUTE})`)
    .option('--expires <date>', 'day or time (UTC) from which it no longer works, such as 2030-12-31')
    .option('--origin <origins...>', 'web origins that may use it, such as https://example.com (default: any)')
    .option('--cidr <blocks...>', 'addresses that may use it, such as 192.0.2.0/24 (default: any)')
    .option('--json', 'print JSON')
    .action((flags: CreateFlags) => withKeys(flags, (store) => createKey(store, flags)));
  addSettings(keys.command('list').description('list keys, without their text'), ['state'])
    .option('--json', 'print JSON')
    .action((flags: { json?: boolean }) => withKeys(flags, (store) => listKeys(store, flags.json ?? false)));
  addSettings(keys.command('revoke').argument('<id>', 'from keys list').description('end a key for good'), ['state'])
    .option('--json', 'print JSON')
    .action((id: string, flags: { json?: boolean }) =>
      withKeys(flags, (store) => revokeKey(store, id, flags.json ?? false)),
    );
}

function withKeys(flags: object, use: (store: KeyStore) => void): void {
  const store = openSqliteKeys(openStateFolder(settingsOf({ ...flags }).state).keysPath);
  try {
    use(store);
  } finally {
    store.close();
  }
}

function createKey(store: KeyStore, flags: CreateFlags): void {
  const { record, key } = makeKey(store, flags);
  const { id, ...fields } = presentKey(record);
  printResult(flags.json, { id, key, ...fields }, () =>
    [key, '', `id ${id}. Keep the key now: only its hash is stored, so it cannot be shown again.`].join('\n'),
  );
}

function makeKey(store: KeyStore, flags: CreateFlags): ReturnType<KeyStore['create']> {
  const { label, maxRecords, perMinute, expires } = flags;
  const fields = {
    label,
    maxRecords: maxRecords === undefined ? undefined : parseCount('--max-records', maxRecords),
    perMinute: perMinute === undefined ? undefined : parsePerMinute(perMinute),
    expiresAt: expires === undefined ? undefined : parseDate(expires),
    allowedOrigins: flags.origin,
    allowedCidrs: flags.cidr,
  };
  try {
    return store.create(fields, Date.now());
  } catch (error) {
    if (!(error instanceof KeyFieldError)) throw error;
    throw new UsageError(`${error.message}.`, { cause: error });
  }
}

function listKeys(store: KeyStore, isJson: boolean): void {
  const records = store.list();
  printResult(isJson, records.map(presentKey), () =>
    records.length === 0 ? 'There are no keys yet. To make one: toponym keys create --label NAME' : keyTable(records),
  );
}

function keyTable(records: readonly KeyRecord[]): string {
  return textTable(records, [
    { title: 'ID', value: (key) => key.id },
    { title: 'LABEL', value: (key) => key.label },
    { title: 'RECORDS', value: (key) => String(key.maxRecords), align: 'right' },
    { title: 'A MINUTE', value: (key) => String(key.perMinute ?? DEFAULT_PER_MINUTE), align: 'right' },
    { title: 'MADE', value: (key) => minuteOf(key.createdAt) },
    { title: 'LAST USED', value: (key) => minuteOf(key.lastUsedAt) },
    { title: 'EXPIRES', value: (key) => minuteOf(key.expiresAt) },
    { title: 'REVOKED', value: (key) => minuteOf(key.revokedAt) },
  ]);
}

function revokeKey(store: KeyStore, id: string, isJson: boolean): void {
  const record = store.revoke(id, Date.now());
  if (record === undefined) {
    throw new NotFoundError(`there is no key with the id ${JSON.stringify(id)}; toponym keys list shows them.`);
  }
  printResult(
    isJson,
    presentKey(record),
    () => `Revoked ${record.id} (${record.label}). No call with it is answered from now on.`,
  );
}

function presentKey(record: KeyRecord) {
  return {
    id: record.id,
    label: record.label,
    maxRecords: record.maxRecords,
    perMinute: record.perMinute ?? DEFAULT_PER_MINUTE,
    allowedOrigins: record.allowedOrigins,
    allowedCidrs: record.allowedCidrs,
    createdAt: timeOf(record.createdAt),
    expiresAt: timeOf(record.expiresAt),
    revokedAt: timeOf(record.revokedAt),
    lastUsedAt: timeOf(record.lastUsedAt),
  };
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

function minuteOf(ms: number | undefined): string {
  return timeOf(ms)?.slice(0, 16).replace('T', ' ') ?? '-';
}

function parseCount(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${flag}: must be a whole number, got ${JSON.stringify(text)}.`);
}

function parsePerMinute(text: string): number | 'unlimited' {
  return text === 'unlimited' ? text : parseCount('--per-minute', text);
}

function parseDate(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}(T.+)?$/.test(text) ? Date.parse(withZone(text)) : Number.NaN;
  // JavaScript reads 31 February as 3 March
  const day = text.slice(0, 10);
  const isReal = !Number.isNaN(ms) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  if (isReal) return ms;
  throw new UsageError(
    `--expires: must be a date such as 2030-12-31 or 2030-12-31T23:59:59Z, got ${JSON.stringify(text)}.`,
  );
}

/** A time without a zone is UTC, as a date alone is. */
function withZone(text: string): string {
  return text.includes('T') && !/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? `${text}Z` : text;
}
