/** `toponym keys`: manages API keys. A running service sees each change at once. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { MAX_RECORDS } from '../../access/keys/key-record.ts';
import type { KeyStore } from '../../access/keys/key-store.ts';
import { DEFAULT_PER_MINUTE } from '../../access/limits/rate-limiter.ts';
import { openSqliteKeys } from '../../access/sqlite/sqlite-keys.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { pathExists } from '../../files/path-exists.ts';
import { openStateFolder, type StateFolder, stateFolderAt } from '../../serve/state/state-folder.ts';
import { keyTable, presentKey } from '../print/key-view.ts';
import { NotFoundError, note, printResult, requireOpenOutput } from '../print/output.ts';
import { shellQuote } from '../print/shell-quote.ts';
import { addSettings, readSettings } from '../settings/setting-flags.ts';
import { type CreateFlags, parseKeyFlags } from './key-flags.ts';

type JsonFlag = Pick<CreateFlags, 'json'>;

export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('create, list, revoke and back up API keys');
  const addCommand = (name: string, description: string) =>
    addSettings(keys.command(name).description(description), ['state']);
  addCommand('create', 'create a key and print it once')
    .requiredOption('--label <text>', 'purpose of the key')
    .option('--max-records <number>', `maximum records in one response, 1 to ${MAX_RECORDS} (default: ${MAX_RECORDS})`)
    .option(
      '--per-minute <number>',
      `requests per minute from one address, or "unlimited" (default: ${DEFAULT_PER_MINUTE})`,
    )
    .option('--expires <date>', 'date or time (UTC) when the key stops working, such as 2030-12-31')
    .option('--origin <origins...>', 'web origins that may use the key, such as https://example.com (default: any)')
    .option('--cidr <blocks...>', 'IP addresses that may use the key, such as 192.0.2.0/24 (default: any)')
    .option('--json', 'print JSON')
    .action(createKey);
  addCommand('list', 'list keys and their limits, never the keys themselves')
    .option('--json', 'print JSON')
    .action(listKeys);
  addCommand('revoke', 'revoke a key permanently')
    .argument('<id>', 'id of the key, from keys list')
    .option('--json', 'print JSON')
    .action(revokeKey);
  addCommand('backup', 'copy the key store, even while the service runs')
    .argument('<file>', 'file to write; must not exist yet')
    .option('--json', 'print JSON')
    .action(backUpKeys);
}

function createKey(flags: CreateFlags): void {
  const nowMs = Date.now();
  const fields = parseKeyFlags(flags, nowMs);
  const state = stateFolder(flags);
  requireOpenOutput();
  const isNewFolder = !existsSync(state.path);
  openStateFolder(state.path);
  const { record, key } = withStore(state, (store) => store.create(fields, nowMs));
  const { id, ...otherFields } = presentKey(record);
  process.stdout.once('error', () => {
    note(`The key was created but not printed. Revoke it: toponym keys revoke ${id} --state ${shellQuote(state.path)}`);
    process.exitCode = 1;
  });
  printResult(flags.json, { id, key, ...otherFields }, () =>
    [
      key,
      '',
      `Its id is ${id}, in the state folder ${state.path}.`,
      'Copy the key now: only its hash is stored, so it cannot be shown again.',
    ].join('\n'),
  );
  if (isNewFolder) {
    note(`Created the state folder ${state.path}. Only a service started with --state ${shellQuote(state.path)}`);
    note('accepts this key. If your service already runs, run this command again with the --state of that service.');
  }
}

function listKeys(flags: JsonFlag): void {
  const state = stateFolder(flags);
  if (!hasKeyStore(state)) {
    const reason = `There is no key store in ${state.path}. Name the state folder of the service with --state.`;
    printResult(flags.json, [], () => reason);
    if (flags.json) note(reason);
    return;
  }
  const records = withStore(state, (store) => store.list());
  printResult(flags.json, records.map(presentKey), () =>
    records.length === 0
      ? `There are no keys in ${state.path} yet. To create one: toponym keys create --label NAME`
      : `Keys in ${state.path}\n\n${keyTable(records)}`,
  );
}

function revokeKey(id: string, flags: JsonFlag): void {
  const state = existingStateFolder(flags);
  const record = withStore(state, (store) => store.revoke(id, Date.now()));
  if (record === undefined) {
    const quoted = JSON.stringify(id);
    throw new NotFoundError(`there is no key with the id ${quoted} in ${state.path}; toponym keys list shows the ids.`);
  }
  printResult(
    flags.json,
    presentKey(record),
    () => `Revoked ${record.id} (${record.label}). Requests with this key are refused from now on.`,
  );
}

function backUpKeys(givenPath: string, flags: JsonFlag): void {
  const file = resolve(givenPath);
  const state = existingStateFolder(flags);
  if (existsSync(file)) throw new UsageError(`The backup file ${file} already exists: name another file.`);
  refuseSqliteNames(file, state.keysPath);
  const { keys } = withStore(state, (store) => store.backUp(file));
  const { size: bytes } = statSync(file);
  printResult(
    flags.json,
    { file, keys, bytes },
    () => `Copied ${keys} ${keys === 1 ? 'key' : 'keys'} from ${state.path} to ${file}.`,
  );
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

function stateFolder(flags: object): StateFolder {
  return stateFolderAt(readSettings(flags).state);
}

/** Throws if there is no key store, because a mistyped path must not create one. */
function existingStateFolder(flags: object): StateFolder {
  const state = stateFolder(flags);
  if (hasKeyStore(state)) return state;
  throw new NotFoundError(`there is no key store in ${state.path}: name the state folder of the service with --state.`);
}

/** True even for a link without a target: opening the store then fails with a clear message. */
function hasKeyStore({ keysPath }: StateFolder): boolean {
  return pathExists(keysPath);
}

function withStore<T>(state: StateFolder, use: (store: KeyStore) => T): T {
  const store = openSqliteKeys(state.keysPath);
  try {
    return use(store);
  } finally {
    store.close();
  }
}
