/**
 * `toponym keys`: manages API keys. A running service sees each change, within a second at most.
 */

import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { forgetRevokedFirstKey } from '../../access/keys/first-key.ts';
import { readCopiedKeys } from '../../access/keys/key-copy.ts';
import {
  checkKeyFields,
  KeyFieldError,
  MAX_PER_DAY,
  MAX_RECORDS,
  type NewKeyFields,
  type StoredKey,
} from '../../access/keys/key-record.ts';
import type { KeyStore } from '../../access/keys/key-store.ts';
import { createSqliteKeysInMemory, SqliteKeys } from '../../access/keys/sqlite-keys.ts';
import { DEFAULT_PER_MINUTE } from '../../access/limits/rate-limiter.ts';
import { UsageError } from '../../errors/errors.ts';
import { commandName } from '../../program.ts';
import { requireOneOf } from '../did-you-mean.ts';
import { addExamples } from '../help.ts';
import { shellQuote } from '../print/facts.ts';
import { auditTable, keyTable, presentAuditEntry, presentKey } from '../print/key-view.ts';
import { NotFoundError, note, noteError, printResult, requireOpenOutput } from '../print/output.ts';
import { joinLines } from '../print/styled-text.ts';
import { addSettings } from '../settings/read-settings.ts';
import { KEY_SETTINGS } from '../settings/settings.ts';
import { hasSqliteKeys, type KeyPlace, keyPlaceOf, openKeyStore, requireKeyStore } from './open-key-store.ts';

export const COPY_SOURCES = ['sqlite', 'redis', 'redis-copy'] as const;
export const COPY_TARGETS = ['sqlite', 'redis'] as const;

interface JsonFlag {
  readonly json?: boolean;
}

interface CreateFlags extends JsonFlag {
  readonly label: string;
  readonly maxRecords?: string;
  readonly perMinute?: string;
  readonly perDay?: string;
  readonly expires?: string;
  readonly origin?: readonly string[];
  readonly cidr?: readonly string[];
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

export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('create, list, revoke, audit, copy and back up API keys');
  addExamples(keys, [
    'toponym keys create --label "Web shop"',
    'toponym keys list',
    'toponym keys revoke k04e55e7ec23c',
  ]);
  const addCommand = (name: string, { description, examples }: { description: string; examples: readonly string[] }) =>
    addExamples(addSettings(keys.command(name).description(description), KEY_SETTINGS), examples);
  addCreateCommand(
    addCommand('create', {
      description: 'create a key and print it once',
      examples: [
        'toponym keys create --label "Web shop"',
        'toponym keys create --label Import --per-minute unlimited --expires 2030-12-31',
        'toponym keys create --label Site --origin https://example.com --per-day 10000',
      ],
    }),
  );
  addCommand('list', {
    description: 'list keys and their limits, never the keys themselves',
    examples: ['toponym keys list', 'toponym keys list --redis redis://127.0.0.1:6379'],
  })
    .option('--json', 'print JSON')
    .action(listKeys);
  addCommand('revoke', { description: 'revoke a key permanently', examples: ['toponym keys revoke k04e55e7ec23c'] })
    .argument('<id>', 'id of the key, from keys list')
    .option('--json', 'print JSON')
    .action(revokeKey);
  addCommand('audit', {
    description: 'list who created, copied and revoked keys, oldest change first',
    examples: ['toponym keys audit', 'toponym keys audit --json'],
  })
    .option('--json', 'print JSON')
    .action(listChanges);
  addCommand('backup', {
    description: 'copy the keys to a new SQLite file, even while the service runs',
    examples: ['toponym keys backup keys-backup.sqlite'],
  })
    .argument('<file>', 'file to write; must not exist yet')
    .option('--json', 'print JSON')
    .action(backUpKeys);
  addCommand('copy', {
    description: 'copy keys, with their hashes and limits, between this machine and Redis',
    examples: ['toponym keys copy --from sqlite --to redis --redis redis://127.0.0.1:6379'],
  })
    .requiredOption(
      '--from <store>',
      'sqlite (the state folder), redis, or redis-copy (redis-keys.json in the state folder)',
    )
    .requiredOption('--to <store>', 'sqlite (the state folder) or redis')
    .option('--json', 'print JSON')
    .action(copyKeys);
}

function addCreateCommand(command: Command): void {
  command
    .requiredOption('--label <text>', 'purpose of the key')
    .option('--max-records <number>', `maximum records in one response, 1 to ${MAX_RECORDS} (default: ${MAX_RECORDS})`)
    .option(
      '--per-minute <number>',
      `requests per minute from one address, or "unlimited" (default: ${DEFAULT_PER_MINUTE}, or --calls-per-minute of the service)`,
    )
    .option(
      '--per-day <number>',
      `requests per UTC day from all addresses together, 1 to ${MAX_PER_DAY} (default: no quota)`,
    )
    .option('--expires <date>', 'date or time (UTC) when the key stops working, such as 2030-12-31')
    .option('--origin <origins...>', 'web origins that may use the key, such as https://example.com (default: any)')
    .option('--cidr <blocks...>', 'IP addresses that may use the key, such as 192.0.2.0/24 (default: any)')
    .option('--json', 'print JSON')
    .action(createKey);
}

async function createKey(flags: CreateFlags): Promise<void> {
  const nowMs = Date.now();
  const fields = parseKeyFlags(flags, nowMs);
  const place = keyPlaceOf(flags);
  requireOpenOutput();
  const { path } = place.state;
  const isNewFolder = place.redis === undefined && !existsSync(path);
  const store = await openKeyStore(place);
  const { record, key } = await useAndClose(store, () => store.create(fields, nowMs));
  const { id, ...otherFields } = presentKey(record, place.callsPerMinute);
  process.stdout.once('error', () => {
    note(`The key was created but not printed. Revoke it: ${commandName()} keys revoke ${id} ${placeFlags(place)}`);
    process.exitCode = 1;
  });
  printResult(flags.json, { id, key, ...otherFields }, () =>
    [
      key,
      '',
      `Its id is ${id}, in ${place.redis === undefined ? 'the state folder ' : ''}${nameOf(place, store)}.`,
      'Copy the key now: only its hash is stored, so it cannot be shown again.',
    ].join('\n'),
  );
  if (isNewFolder) {
    note(`Created the state folder ${path}. Only a service started with --state ${shellQuote(path)}`);
    note('accepts this key. If your service already runs, run this command again with the --state of that service.');
  }
}

async function listKeys(flags: JsonFlag): Promise<void> {
  const place = keyPlaceOf(flags);
  if (reportMissingStore(place, flags)) return;
  const store = await openKeyStore(place);
  const records = await useAndClose(store, () => store.list());
  const name = nameOf(place, store);
  const { callsPerMinute } = place;
  const shown = records.map((record) => presentKey(record, callsPerMinute));
  printResult(flags.json, shown, () =>
    records.length === 0
      ? `There are no keys in ${name} yet. To create one: ${commandName()} keys create --label NAME`
      : joinLines([`Keys in ${name}`, '', keyTable(records, callsPerMinute)]),
  );
}

async function listChanges(flags: JsonFlag): Promise<void> {
  const place = keyPlaceOf(flags);
  if (reportMissingStore(place, flags)) return;
  const store = await openKeyStore(place);
  const entries = await useAndClose(store, () => store.auditLog());
  const name = nameOf(place, store);
  printResult(flags.json, entries.map(presentAuditEntry), () =>
    entries.length === 0
      ? `No change of keys in ${name} has been recorded yet.`
      : joinLines([`Changes of keys in ${name}`, '', auditTable(entries)]),
  );
}

/** Prints an empty list if there is no key store. Returns whether it did. */
function reportMissingStore(place: KeyPlace, flags: JsonFlag): boolean {
  if (place.redis !== undefined || hasSqliteKeys(place.state)) return false;
  const reason = `There is no key store in ${place.state.path}. Name the state folder of the service with --state.`;
  printResult(flags.json, [], () => reason);
  if (flags.json) note(reason);
  return true;
}

async function revokeKey(id: string, flags: JsonFlag): Promise<void> {
  const place = keyPlaceOf(flags);
  requireKeyStore(place);
  const store = await openKeyStore(place);
  const { firstKeyPath } = place.state;
  const { record, isFileDeleted } = await useAndClose(store, async () => ({
    record: await store.revoke(id, Date.now()),
    isFileDeleted: await forgetRevokedFirstKey(store, firstKeyPath),
  }));
  if (record === undefined) {
    const name = nameOf(place, store);
    throw new NotFoundError(
      `there is no key with the id ${JSON.stringify(id)} in ${name}; ${commandName()} keys list shows the ids.`,
    );
  }
  printResult(
    flags.json,
    presentKey(record, place.callsPerMinute),
    () => `Revoked ${record.id} (${record.label}). Requests with this key are refused from now on.`,
  );
  if (isFileDeleted) note(`Deleted ${firstKeyPath}, which held the text of this key.`);
}

async function backUpKeys(givenPath: string, flags: JsonFlag): Promise<void> {
  const file = resolve(givenPath);
  const place = keyPlaceOf(flags);
  requireKeyStore(place);
  if (existsSync(file)) throw new UsageError(`The backup file ${file} already exists: name another file.`);
  refuseSqliteNames(file, place.state.keysPath);
  const store = await openKeyStore(place);
  const { keys } = await useAndClose(store, async () => {
    if (store instanceof SqliteKeys) return store.backUp(file);
    const stored = await store.stored();
    const copy = createSqliteKeysInMemory(file);
    return await useAndClose(copy, () => {
      copy.copyFrom(stored, Date.now());
      return copy.backUp(file);
    });
  });
  const { size: bytes } = statSync(file);
  const name = nameOf(place, store);
  printResult(flags.json, { file, keys, bytes }, () => `Copied ${countKeys(keys)} from ${name} to ${file}.`);
}

async function copyKeys(flags: JsonFlag & { readonly from: string; readonly to: string }): Promise<void> {
  const { from, to } = flags;
  requireOneOf('--from', from, COPY_SOURCES);
  requireOneOf('--to', to, COPY_TARGETS);
  if (from === to) throw new UsageError('--from and --to must differ: one is sqlite, the other is redis.');
  const place = keyPlaceOf(flags);
  if (place.redis === undefined) throw new UsageError('keys copy needs --redis with the URL of Redis.');
  const sqlitePlace: KeyPlace = { ...place, redis: undefined };
  const source = from === 'redis-copy' ? readCopy(place) : await readStore(from === 'redis' ? place : sqlitePlace);
  const { stored } = source;
  const target = await openKeyStore(to === 'redis' ? place : sqlitePlace);
  const { added, revoked } = await useAndClose(target, () => target.copyFrom(stored, Date.now()));
  printResult(flags.json, { from, to, keys: stored.length, added, revoked }, () =>
    [
      `Copied ${countKeys(added)} from ${source.location} to ${target.location}.`,
      `${countKeys(stored.length - added)} of ${stored.length} had been copied before; ${revoked} of them revoked now.`,
    ].join('\n'),
  );
}

interface CopySource {
  readonly location: string;
  readonly stored: readonly StoredKey[];
}

async function readStore(place: KeyPlace): Promise<CopySource> {
  requireKeyStore(place);
  const store = await openKeyStore(place);
  return { location: store.location, stored: await useAndClose(store, () => store.stored()) };
}

function readCopy({ state: { redisKeysPath } }: KeyPlace): CopySource {
  return { location: redisKeysPath, stored: readCopiedKeys(redisKeysPath, noteError) };
}

function countKeys(count: number): string {
  return `${count} ${count === 1 ? 'key' : 'keys'}`;
}

/** SQLite would delete a backup with a name such as `keys.sqlite-journal`. */
function refuseSqliteNames(file: string, keysPath: string): void {
  // if the store is a link, SQLite may derive names from the link or from its target
  for (const storePath of [keysPath, resolveLinks(keysPath)]) {
    const storeName = basename(storePath);
    const isSameFolder = resolveLinks(dirname(file)) === resolveLinks(dirname(storePath));
    if (!isSameFolder || !basename(file).startsWith(storeName)) continue;
    const reason = `names that begin with ${storeName} in the folder of the key store belong to SQLite`;
    throw new UsageError(`The backup file ${file} cannot be written: ${reason}; name another file.`);
  }
}

function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function nameOf({ redis, state }: KeyPlace, store: KeyStore): string {
  return redis === undefined ? state.path : store.location;
}

/** The flags that name this place, for a command to paste. Passwords are left out. */
function placeFlags({ redis, state }: KeyPlace): string {
  return redis === undefined ? `--state ${shellQuote(state.path)}` : '--redis URL';
}

async function useAndClose<T>(store: KeyStore, use: () => T | Promise<T>): Promise<T> {
  try {
    return await use();
  } finally {
    store.close();
  }
}

/** Every error is a UsageError that names the flag. */
function parseKeyFlags(flags: CreateFlags, nowMs: number): NewKeyFields {
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
