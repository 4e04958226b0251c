/**
 * `toponym keys`: make, list, revoke and back up API keys. Works beside a running service, which follows at once.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { KeyStore } from '../../access/keys/key-store.ts';
import { openSqliteKeys } from '../../access/keys/sqlite-keys.ts';
import { DEFAULT_PER_MINUTE } from '../../access/limits/rate-limiter.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { isNameTaken } from '../../files/private-file.ts';
import { openStateFolder, type StateFolder, stateFolderAt } from '../../serve/state/state-folder.ts';
import { keyTable, presentKey } from '../print/key-view.ts';
import { checkOutputOpen, NotFoundError, note, printResult, shellQuote } from '../print/output.ts';
import { addSettings, settingsOf } from '../settings/setting-flags.ts';
import { type CreateFlags, parseKeyFlags } from './key-flags.ts';

interface JsonFlag {
  readonly json?: boolean;
}

export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('make, list, revoke and back up API keys');
  addSettings(keys.command('create').description('make a key and print it, once'), ['state'])
    .requiredOption('--label <text>', 'what the key is for')
    .option('--max-records <number>', 'most records in one answer, 1 to 20 (default: 20)')
    .option('--per-minute <number>', `calls a minute from one address, or "unlimited" (default: ${DEFAULT_PER_MINUTE})`)
    .option('--expires <date>', 'day or time (UTC) from which it no longer works, such as 2030-12-31')
    .option('--origin <origins...>', 'web origins that may use it, such as https://example.com (default: any)')
    .option('--cidr <blocks...>', 'addresses that may use it, such as 192.0.2.0/24 (default: any)')
    .option('--json', 'print JSON')
    .action(createKey);
  addSettings(keys.command('list').description('list keys, without their text'), ['state'])
    .option('--json', 'print JSON')
    .action(listKeys);
  addSettings(keys.command('revoke').argument('<id>', 'from keys list').description('end a key for good'), ['state'])
    .option('--json', 'print JSON')
    .action(revokeKey);
  const backup = keys.command('backup').argument('<file>', 'file to write; must not exist');
  addSettings(backup.description('copy the key store, also while the service runs'), ['state'])
    .option('--json', 'print JSON')
    .action(backUpKeys);
}

function createKey(flags: CreateFlags): void {
  const nowMs = Date.now();
  const fields = parseKeyFlags(flags, nowMs);
  const state = stateOf(flags);
  checkOutputOpen();
  const isNewFolder = !existsSync(state.path);
  openStateFolder(state.path);
  const { record, key } = withStore(state, (store) => store.create(fields, nowMs));
  const { id, ...shown } = presentKey(record);
  process.stdout.once('error', () => {
    note(`The key was made but not printed. Revoke it: toponym keys revoke ${id} --state ${shellQuote(state.path)}`);
    process.exitCode = 1;
  });
  printResult(flags.json, { id, key, ...shown }, () =>
    [
      key,
      '',
      `id ${id}, in ${state.path}`,
      'Keep the key now: only its hash is stored, so it cannot be shown again.',
    ].join('\n'),
  );
  if (isNewFolder) {
    note(`Made the state folder ${state.path}: only a service started with --state ${shellQuote(state.path)}`);
    note('knows this key. If your service runs already, run this command again with the --state of the service.');
  }
}

function listKeys(flags: JsonFlag): void {
  const state = stateOf(flags);
  if (!isNameTaken(state.keysPath)) {
    const reason = `There is no key store in ${state.path}. --state names the state folder of a service.`;
    printResult(flags.json, [], () => reason);
    if (flags.json) note(reason);
    return;
  }
  const records = withStore(state, (store) => store.list());
  printResult(flags.json, records.map(presentKey), () =>
    records.length === 0
      ? `There are no keys in ${state.path} yet. To make one: toponym keys create --label NAME`
      : `Keys in ${state.path}\n\n${keyTable(records)}`,
  );
}

function revokeKey(id: string, flags: JsonFlag): void {
  const state = existingStateOf(flags);
  const record = withStore(state, (store) => store.revoke(id, Date.now()));
  if (record === undefined) {
    const shown = JSON.stringify(id);
    throw new NotFoundError(`there is no key with the id ${shown} in ${state.path}; toponym keys list shows them.`);
  }
  printResult(
    flags.json,
    presentKey(record),
    () => `Revoked ${record.id} (${record.label}). No call with it is answered from now on.`,
  );
}

function backUpKeys(named: string, flags: JsonFlag): void {
  const file = resolve(named);
  const state = existingStateOf(flags);
  if (existsSync(file)) throw new UsageError(`The backup ${file} exists already: name another file.`);
  refuseNamesOfStore(file, state.keysPath);
  const { keys } = withStore(state, (store) => store.backUp(file));
  const { size: bytes } = statSync(file);
  printResult(
    flags.json,
    { file, keys, bytes },
    () => `Copied ${keys} ${keys === 1 ? 'key' : 'keys'} from ${state.path} to ${file}.`,
  );
}

/** SQLite takes `keys.sqlite-journal` and the like for its own, and deletes them. */
function refuseNamesOfStore(file: string, keysPath: string): void {
  for (const store of [keysPath, realpathOf(keysPath)]) {
    const name = basename(store);
    if (realpathOf(dirname(file)) !== realpathOf(dirname(store)) || !basename(file).startsWith(name)) continue;
    const reason = `names that begin with ${name} in the folder of the key store belong to SQLite`;
    throw new UsageError(`The backup ${file} cannot be written: ${reason}; name another file.`);
  }
}

/** The path itself where it does not lead anywhere. */
function realpathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function stateOf(flags: object): StateFolder {
  return stateFolderAt(settingsOf({ ...flags }).state);
}

/** A mistyped folder must not become a new, empty store. */
function existingStateOf(flags: object): StateFolder {
  const state = stateOf(flags);
  if (isNameTaken(state.keysPath)) return state;
  throw new NotFoundError(`there is no key store in ${state.path}: name the state folder of the service with --state.`);
}

function withStore<T>(state: StateFolder, use: (store: KeyStore) => T): T {
  const store = openSqliteKeys(state.keysPath);
  try {
    return use(store);
  } finally {
    store.close();
  }
}
