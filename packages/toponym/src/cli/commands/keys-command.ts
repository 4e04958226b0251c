/** `toponym keys`: manages API keys. A running service sees each change, within a second at most. */

import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { forgetRevokedFirstKey } from 'toponym-access/keys/first-key';
import { readCopiedKeys } from 'toponym-access/keys/key-copy';
import {
  checkKeyFields,
  KeyFieldError,
  type KeyRecord,
  MAX_PER_DAY,
  MAX_PER_MINUTE,
  MAX_RECORDS,
  type NewKeyFields,
} from 'toponym-access/keys/key-record';
import type { AuditEntry, KeyStore } from 'toponym-access/keys/key-store';
import { createSqliteKeysInMemory, SqliteKeys } from 'toponym-access/keys/sqlite-keys';
import { DEFAULT_PER_MINUTE } from 'toponym-access/limits/rate-limiter';
import { UsageError } from 'toponym-files/errors/errors';
import { commandName } from 'toponym-files/program';
import { addChoices, addExamples } from '../help.ts';
import { plural, shellQuote } from '../print/facts.ts';
import { auditTable, keyTable, presentAuditEntry, presentKey } from '../print/key-view.ts';
import { NotFoundError, note, noteError, printResult, requireOpenOutput } from '../print/output.ts';
import { joinLines, type StyledText } from '../print/styled-text.ts';
import { addSettings, requireOneOf } from '../settings/read-settings.ts';
import { KEY_SETTINGS } from '../settings/settings.ts';
import { hasStore, type KeyPlace, keyPlaceOf, nameOf, requireStore, useAndClose, withStore } from './key-place.ts';

const COPY_SOURCES = ['sqlite', 'redis', 'redis-copy'] as const;
const COPY_TARGETS = ['sqlite', 'redis'] as const;

const PER_MINUTE = `requests per minute from one address, 1 to ${MAX_PER_MINUTE}, or "unlimited" (default: ${DEFAULT_PER_MINUTE}, or --calls-per-minute of the service)`;

interface JsonFlag {
  readonly json?: boolean;
}

interface CreateFlags extends JsonFlag {
  readonly label: string;
  readonly maxRecords?: string;
  readonly perMinute?: string;
  readonly perDay?: string;
  readonly batch?: boolean;
  readonly expires?: string;
  readonly origin?: readonly string[];
  readonly cidr?: readonly string[];
}

const FLAG_BY_FIELD: Readonly<Record<keyof NewKeyFields, string>> = {
  label: '--label',
  maxRecords: '--max-records',
  perMinute: '--per-minute',
  perDay: '--per-day',
  batch: '--batch',
  expiresAt: '--expires',
  allowedOrigins: '--origin',
  allowedCidrs: '--cidr',
};

export function addKeysCommand(keys: Command): void {
  addExamples(keys, [
    'toponym keys create --label "Web shop"',
    'toponym keys list',
    'toponym keys revoke k04e55e7ec23c',
  ]);
  const addCommand = (name: string, description: string, ...examples: readonly string[]) =>
    addExamples(keys.command(name).description(description), examples);
  addCreateCommand(
    addCommand(
      'create',
      'create a key and print it once',
      'toponym keys create --label "Web shop"',
      'toponym keys create --label Import --per-minute unlimited --expires 2030-12-31',
      'toponym keys create --label Site --origin https://example.com --per-day 10000',
      'toponym keys create --label Addresses --batch --per-minute 5000',
    ),
  );
  addCommand(
    'list',
    'list keys and their limits, never the keys themselves',
    'toponym keys list',
    'toponym keys list --redis redis://127.0.0.1:6379',
  ).action((flags: JsonFlag) => printList(flags, KEY_LIST));
  addCommand('revoke', 'revoke a key permanently', 'toponym keys revoke k04e55e7ec23c')
    .argument('<id>', 'id of the key, from keys list')
    .action(revokeKey);
  addCommand(
    'audit',
    'list who created, copied and revoked keys, oldest change first',
    'toponym keys audit',
    'toponym keys audit --json',
  ).action((flags: JsonFlag) => printList(flags, AUDIT_LIST));
  addCommand(
    'backup',
    'copy the keys to a new SQLite file, even while the service runs',
    'toponym keys backup keys-backup.sqlite',
  )
    .argument('<file>', 'file to write; must not exist yet')
    .action(backUpKeys);
  const copy = addCommand(
    'copy',
    'copy keys, with their hashes and limits, between this machine and Redis',
    'toponym keys copy --from sqlite --to redis --redis redis://127.0.0.1:6379',
  )
    .requiredOption(
      '--from <store>',
      'sqlite (the state folder), redis, or redis-copy (redis-keys.json in the state folder)',
    )
    .requiredOption('--to <store>', 'sqlite (the state folder) or redis')
    .action(copyKeys);
  addChoices(copy, 'from', COPY_SOURCES);
  addChoices(copy, 'to', COPY_TARGETS);
  for (const command of keys.commands) {
    addSettings(command.optionsGroup('Where the keys are stored:'), KEY_SETTINGS);
    command.optionsGroup('Options:').option('--json', 'print JSON');
  }
}

function addCreateCommand(command: Command): void {
  command
    .optionsGroup('The key:')
    .requiredOption('--label <text>', 'purpose of the key')
    .option('--expires <date>', 'date or time (UTC) when the key stops working, such as 2030-12-31')
    .option(
      '--batch',
      'allow /api/1/batch, in which each line counts as a request: a batch cannot have more lines than --per-minute',
    )
    .optionsGroup('Its limits:')
    .option('--max-records <number>', `maximum records in one response, 1 to ${MAX_RECORDS} (default: ${MAX_RECORDS})`)
    .option('--per-minute <number>', PER_MINUTE)
    .option(
      '--per-day <number>',
      `requests per UTC day from all addresses together, 1 to ${MAX_PER_DAY} (default: no quota)`,
    )
    .optionsGroup('Who may use it:')
    .option('--origin <origins...>', 'web origins that may use the key, such as https://example.com (default: any)')
    .option('--cidr <blocks...>', 'IP addresses that may use the key, such as 192.0.2.0/24 (default: any)')
    .action(createKey);
}

async function createKey(flags: CreateFlags): Promise<void> {
  const nowMs = Date.now();
  const fields = parseKeyFlags(flags, nowMs);
  const place = keyPlaceOf(flags);
  requireOpenOutput();
  const { path } = place.state;
  const isNewFolder = place.redis === undefined && !existsSync(path);
  const { record, key, location } = await withStore(place, async (store) => ({
    ...(await store.create(fields, nowMs)),
    location: place.redis === undefined ? `the state folder ${path}` : store.location,
  }));
  const { id, ...otherFields } = presentKey(record, place.callsPerMinute);
  // for a command to paste; passwords are left out
  const placeFlag = place.redis === undefined ? `--state ${shellQuote(path)}` : '--redis URL';
  process.stdout.once('error', () => {
    note(`The key was created but not printed. Revoke it: ${commandName()} keys revoke ${id} ${placeFlag}`);
    process.exitCode = 1;
  });
  printResult(flags.json, { id, key, ...otherFields }, () =>
    [
      key,
      '',
      `Its id is ${id}, in ${location}.`,
      'Copy the key now: only its hash is stored, so it cannot be shown again.',
    ].join('\n'),
  );
  if (isNewFolder) {
    note(`Created the state folder ${path}. Only a service started with --state ${shellQuote(path)}`);
    note('accepts this key. If your service already runs, run this command again with the --state of that service.');
  }
}

/** A list that a command prints. `name` is the place of the keys. */
interface List<Row> {
  readonly read: (store: KeyStore) => readonly Row[] | Promise<readonly Row[]>;
  readonly present: (row: Row, place: KeyPlace) => unknown;
  readonly table: (rows: readonly Row[], place: KeyPlace) => StyledText;
  readonly title: (name: string) => string;
  readonly empty: (name: string) => string;
}

const KEY_LIST: List<KeyRecord> = {
  read: (store) => store.list(),
  present: (record, { callsPerMinute }) => presentKey(record, callsPerMinute),
  table: (records, { callsPerMinute }) => keyTable(records, callsPerMinute),
  title: (name) => `Keys in ${name}`,
  empty: (name) => `There are no keys in ${name} yet. To create one: ${commandName()} keys create --label NAME`,
};

const AUDIT_LIST: List<AuditEntry> = {
  read: (store) => store.auditLog(),
  present: presentAuditEntry,
  table: auditTable,
  title: (name) => `Changes of keys in ${name}`,
  empty: (name) => `No change of keys in ${name} has been recorded yet.`,
};

async function printList<Row>(flags: JsonFlag, { read, present, table, title, empty }: List<Row>): Promise<void> {
  const place = keyPlaceOf(flags);
  if (!hasStore(place)) {
    const reason = `There is no key store in ${place.state.path}. Name the state folder of the service with --state.`;
    printResult(flags.json, [], () => reason);
    if (flags.json) note(reason);
    return;
  }
  const { rows, name } = await withStore(place, async (store) => ({
    rows: await read(store),
    name: nameOf(place, store),
  }));
  const shown = rows.map((row) => present(row, place));
  printResult(flags.json, shown, () =>
    rows.length === 0 ? empty(name) : joinLines([title(name), '', table(rows, place)]),
  );
}

async function revokeKey(id: string, flags: JsonFlag): Promise<void> {
  const place = keyPlaceOf(flags);
  requireStore(place);
  const { firstKeyPath } = place.state;
  const { record, isFileDeleted, name } = await withStore(place, async (store) => ({
    record: await store.revoke(id, Date.now()),
    isFileDeleted: await forgetRevokedFirstKey(store, firstKeyPath),
    name: nameOf(place, store),
  }));
  if (record === undefined) {
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
  requireStore(place);
  if (existsSync(file)) throw new UsageError(`The backup file ${file} already exists: name another file.`);
  refuseSqliteNames(file, place.state.keysPath);
  const { keys, name } = await withStore(place, async (store) => {
    const name = nameOf(place, store);
    if (store instanceof SqliteKeys) return { name, ...store.backUp(file) };
    const stored = await store.stored();
    return await useAndClose(createSqliteKeysInMemory(file), (copy) => {
      copy.copyFrom(stored, Date.now());
      return { name, ...copy.backUp(file) };
    });
  });
  const { size: bytes } = statSync(file);
  printResult(flags.json, { file, keys, bytes }, () => `Copied ${plural(keys, 'key')} from ${name} to ${file}.`);
}

async function copyKeys(flags: JsonFlag & { readonly from: string; readonly to: string }): Promise<void> {
  const { from, to } = flags;
  requireOneOf('--from', from, COPY_SOURCES);
  requireOneOf('--to', to, COPY_TARGETS);
  if (from === to) throw new UsageError('--from and --to must differ: one is sqlite, the other is redis.');
  const place = keyPlaceOf(flags);
  if (place.redis === undefined) throw new UsageError('keys copy needs --redis with the URL of Redis.');
  const sqlitePlace: KeyPlace = { ...place, redis: undefined };
  const source = await readStored(from, from === 'sqlite' ? sqlitePlace : place);
  const { added, revoked, location } = await withStore(to === 'redis' ? place : sqlitePlace, async (target) => ({
    ...(await target.copyFrom(source.stored, Date.now())),
    location: target.location,
  }));
  const keys = source.stored.length;
  printResult(flags.json, { from, to, keys, added, revoked }, () =>
    [
      `Copied ${plural(added, 'key')} from ${source.location} to ${location}.`,
      `${plural(keys - added, 'key')} of ${keys} had been copied before; ${revoked} of them revoked now.`,
    ].join('\n'),
  );
}

async function readStored(from: string, place: KeyPlace) {
  const { redisKeysPath } = place.state;
  if (from === 'redis-copy') return { location: redisKeysPath, stored: readCopiedKeys(redisKeysPath, noteError) };
  requireStore(place);
  return await withStore(place, async (store) => ({ location: store.location, stored: await store.stored() }));
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

/** Every error is a UsageError that names the flag. */
function parseKeyFlags(flags: CreateFlags, nowMs: number): NewKeyFields {
  const fields: NewKeyFields = {
    label: flags.label,
    maxRecords: parseCount('--max-records', flags.maxRecords, MAX_RECORDS),
    perMinute:
      flags.perMinute === 'unlimited'
        ? 'unlimited'
        : parseCount('--per-minute', flags.perMinute, MAX_PER_MINUTE, ' or "unlimited"'),
    perDay: parseCount('--per-day', flags.perDay, MAX_PER_DAY),
    batch: flags.batch,
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

function parseCount(flag: string, text: string | undefined, max: number, alternative = ''): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw new UsageError(`${flag}: must be an integer from 1 to ${max}${alternative}, got ${JSON.stringify(text)}.`);
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
