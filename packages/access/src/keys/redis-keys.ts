/**
 * The key store of many machines, in Redis: hashes of keys, never their texts. Records never change.
 * Revocations and times of use are beside them. All names share a slot, so that scripts can change
 * them together.
 */

import { randomBytes } from 'node:crypto';
import { errorMessage } from 'toponym-files/errors/errors';
import { defineScript, type RedisConnection, type RedisNames, type RedisScript } from '../redis/redis-connection.ts';
import { redisAddress } from '../redis/redis-settings.ts';
import { createKey, type KeyRecord, type NewKey, type NewKeyFields, type StoredKey } from './key-record.ts';
import {
  type AuditAction,
  type AuditEntry,
  type CopyReport,
  DamageError,
  type KeyRow,
  type KeyStore,
  KeyStoreError,
  type KeyUses,
  MAX_AUDIT_ENTRIES,
  operatorName,
  parseAuditEntry,
  parseKeyRow,
  parseKeyRows,
  toKeyRow,
} from './key-store.ts';
import { hashKey } from './key-text.ts';
import { type KeyChanges, NOTHING_SEEN } from './keys-in-memory.ts';

/** The problem of a Redis that has none of the keys in use. */
export const LOST_KEYS = 'Redis has lost the keys';

/** How long a change waits until a replica has it. A failover to that replica cannot undo it. */
const REPLICA_WAIT_MS = 1000;

/** How long one machine may take to save and store the first key. The others do not create any. */
const FIRST_KEY_CLAIM_MS = 10_000;

const SHORT_SECRET =
  'the secret of the replicas in Redis was empty or too short, and was replaced: earlier calls no longer count towards limits';

/** Length of a secret, 32 bytes in hexadecimal. Redis and copies of its keys may have a shorter one. */
const SECRET_CHARACTERS = 64;

/** A secret for `shareSecret`. */
export function createSecret(): string {
  return randomBytes(SECRET_CHARACTERS / 2).toString('hex');
}

/** The secret; undefined if there is none, or if it is so short that it can be guessed. */
export function usableSecret(secret: string | null | undefined): string | undefined {
  return secret && secret.length >= SECRET_CHARACTERS ? secret : undefined;
}

export class RedisKeys implements KeyStore {
  readonly connection: RedisConnection;
  readonly #names: RedisNames;
  readonly #revisionName: string;
  readonly #changesName: string;
  readonly #onProblem: (problem: string) => void;

  /** `onProblem` gets messages for the operator about problems that stop nothing. */
  constructor(connection: RedisConnection, onProblem: (problem: string) => void = () => {}) {
    this.connection = connection;
    this.#onProblem = onProblem;
    const nameOf = (part: string) => `${connection.settings.prefix}:{keys}:${part}`;
    this.#revisionName = nameOf('revision');
    this.#changesName = nameOf('changes');
    const hashes = [nameOf('revoked'), nameOf('used'), nameOf('revisions')];
    this.#names = [nameOf('records'), ...hashes, this.#revisionName, this.#changesName, nameOf('secret')];
  }

  get location(): string {
    return `Redis at ${redisAddress(this.connection.settings)}`;
  }

  async find(keyText: string): Promise<KeyRecord | undefined> {
    const hash = hashKey(keyText);
    const { rows } = await this.readChanges(NOTHING_SEEN);
    const row = rows.find((other) => other.hash === hash);
    return row && (await this.#attempt(async () => parseKeyRow(row).record));
  }

  async create(fields: NewKeyFields, nowMs: number): Promise<NewKey> {
    const created = createKey(fields, nowMs);
    await this.#change(ADD, { action: 'create', nowMs }, addArguments(created));
    return created;
  }

  async createFirst(fields: NewKeyFields, nowMs: number, save: (key: string) => void): Promise<string | undefined> {
    const claim = `${this.connection.settings.prefix}:{keys}:first`;
    const setClaim = ['SET', claim, '1', 'NX', 'PX', String(FIRST_KEY_CLAIM_MS)];
    const isClaimed = await this.#attempt(() => this.connection.send(claim, setClaim));
    if (isClaimed === null || !(await this.isEmpty())) return undefined;
    const created = createKey(fields, nowMs);
    save(created.key); // before it is stored, so that a key whose text is lost is never stored
    const isFirst = await this.#change(ADD, { action: 'create first', nowMs }, addArguments(created));
    return isFirst === 1 ? created.key : undefined;
  }

  async isEmpty(): Promise<boolean> {
    const [records] = this.#names;
    return (await this.#attempt(() => this.connection.send(records, ['EXISTS', records]))) === 0;
  }

  async list(): Promise<KeyRecord[]> {
    return (await this.stored()).map(({ record }) => record);
  }

  /** Leaves out damaged rows, and reports them. */
  async stored(): Promise<StoredKey[]> {
    const { rows } = await this.readChanges(NOTHING_SEEN);
    const keys = parseKeyRows(rows, this.#onProblem);
    return keys.sort((a, b) => a.record.createdAt - b.record.createdAt || (a.record.id < b.record.id ? -1 : 1));
  }

  async revoke(id: string, nowMs: number): Promise<KeyRecord | undefined> {
    await this.#change(REVOKE, { action: 'revoke', nowMs }, [id, String(Math.floor(nowMs))]);
    const row = (await this.readChanges(NOTHING_SEEN)).rows.find((other) => other.id === id);
    try {
      return row && parseKeyRow(row).record;
    } catch (cause) {
      throw new KeyStoreError(`key ${id} is revoked, but its row cannot be read: ${errorMessage(cause)}`, { cause });
    }
  }

  async copyFrom(keys: readonly StoredKey[], nowMs: number): Promise<CopyReport> {
    const added = Number(await this.#change(ADD, { action: 'copy', nowMs }, keys.flatMap(addArguments)));
    const revokedKeys = keys.filter(({ record }) => record.revokedAt !== undefined);
    const revocations = revokedKeys.flatMap(({ record }) => [record.id, String(record.revokedAt)]);
    const revoked = Number(await this.#change(REVOKE, { action: 'revoke', nowMs }, revocations));
    await this.writeUses(new Map(keys.map(({ record: { id, lastUsedAt = 0 } }) => [id, lastUsedAt])));
    return { added, revoked };
  }

  async auditLog(): Promise<AuditEntry[]> {
    return await this.#attempt(async () => {
      const reply = await this.connection.send(this.#changesName, ['XRANGE', this.#changesName, '-', '+']);
      return (reply as [string, string[]][]).map(([, fields]) => parseAuditEntry(toObject(fields)));
    });
  }

  async writeUses(uses: KeyUses): Promise<void> {
    if (uses.size === 0) return;
    const args = [...uses].flatMap(([id, usedAtMs]) => [id, String(Math.floor(usedAtMs))]);
    await this.#attempt(() => this.connection.run(USE, this.#names, args));
  }

  /** The store's revision. Throws LOST_KEYS if it is missing, because a store with keys has one. */
  async revision(): Promise<number> {
    const reply = await this.connection.send(this.#revisionName, ['GET', this.#revisionName]);
    if (reply === null) throw new DamageError(LOST_KEYS);
    return Number(reply);
  }

  /**
   * Keys that changed after `seenRevision`; all keys if the store has been set back or lacks a key of
   * `known`, keys by id. Throws LOST_KEYS if it lacks them all: keys are revoked, but never deleted.
   */
  async readChanges(seenRevision: number, known: ReadonlyMap<string, unknown> = new Map()): Promise<KeyChanges> {
    const reply = await this.#attempt(() => this.connection.run(READ, this.#names, [String(seenRevision)]));
    const [revision, keyCount, secret, ...values] = reply as Values;
    const rows: KeyRow[] = [];
    for (let i = 0; i < values.length; i += VALUES_PER_KEY) rows.push(toRow(values.slice(i, i + VALUES_PER_KEY)));
    const isComplete = seenRevision === NOTHING_SEEN;
    const unknown = rows.filter(({ id }) => !known.has(String(id))).length;
    if (isComplete) {
      if (known.size > 0 && unknown === rows.length) throw new DamageError(LOST_KEYS);
    } else if (Number(revision) < seenRevision || Number(keyCount) !== known.size + unknown) {
      return await this.readChanges(NOTHING_SEEN, known);
    }
    return { revision: Number(revision), isComplete, rows, secret: usableSecret(secret) };
  }

  /** Gives the store this secret, unless it has a usable one. Returns the store's secret. */
  async shareSecret(secret: string): Promise<string> {
    const reply = await this.#attempt(() => this.connection.run(SHARE_SECRET, this.#names, [secret]));
    const [stored, isReplaced] = reply as [string, number];
    if (isReplaced) this.#onProblem(SHORT_SECRET);
    return stored;
  }

  close(): void {
    this.connection.close();
  }

  async #change(script: RedisScript, { action, nowMs }: Change, keyArgs: readonly string[]): Promise<unknown> {
    if (keyArgs.length === 0) return 0;
    const args = [String(Math.floor(nowMs)), action, operatorName(), ...keyArgs];
    return await this.#attempt(async () => {
      const reply = await this.connection.run(script, this.#names, args);
      if (this.connection.settings.mode.kind !== 'standalone') await this.#waitForReplica();
      return reply;
    });
  }

  /** Does not throw, because the change has been made. */
  async #waitForReplica(): Promise<void> {
    const wait = ['WAIT', '1', String(REPLICA_WAIT_MS)];
    const replicas = await this.connection.send(this.#revisionName, wait).catch(() => 0);
    if (Number(replicas) >= 1) return;
    const seconds = REPLICA_WAIT_MS / 1000;
    this.#onProblem(`no replica of Redis has confirmed the change within ${seconds} s: a failover may undo it`);
  }

  async #attempt<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (cause) {
      if (cause instanceof KeyStoreError) throw cause;
      throw new KeyStoreError(`the keys in ${this.location} cannot be used: ${errorMessage(cause)}`, { cause });
    }
  }
}

/** Values in the reply of a script. */
type Values = readonly (string | null)[];

interface Change {
  readonly action: AuditAction;
  readonly nowMs: number;
}

/** From a flat list [name, value, …]. */
function toObject(fields: readonly string[]): Record<string, string> {
  const names = fields.filter((_, i) => i % 2 === 0);
  return Object.fromEntries(names.map((name, i) => [name, fields[2 * i + 1] ?? '']));
}

/** The arguments of the script ADD for a key. */
function addArguments(key: StoredKey): [string, string, string] {
  const { revoked_at: revokedAt, last_used_at: _, ...row } = toKeyRow(key);
  return [key.record.id, JSON.stringify(row), String(revokedAt ?? '')];
}

/** From the id, row, revocation and last use of a key. */
function toRow([id, text, revokedAt, usedAt]: Values): KeyRow {
  return { ...parseRow(text), id: id ?? null, revoked_at: numberOrNull(revokedAt), last_used_at: numberOrNull(usedAt) };
}

/** An invalid text becomes a row without columns, which `parseKeyRow` refuses. */
function parseRow(text: string | null | undefined): KeyRow {
  try {
    return JSON.parse(text ?? '{}') as KeyRow;
  } catch {
    return {};
  }
}

function numberOrNull(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text);
}

/** The start of all scripts, which get the same KEYS. Redis runs one script at a time. */
const NAMES = `
local records, revoked, used, revisions, revision, changes = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local secret = KEYS[7]
`;

/** Revisions are times in microseconds, so a server that has lost some does not use them again. */
const NEXT_REVISION = `
local function nextRevision()
  local clock = redis.call('TIME')
  local last = tonumber(redis.call('GET', revision)) or 0
  return string.format('%.0f', math.max(last + 1, clock[1] * 1000000 + clock[2]))
end
`;

/**
 * The first part of scripts that change keys. ARGV[1] to ARGV[3] are the time, action and operator
 * of the audit log. `change` writes a field of a key, gives the key the next revision, and adds an
 * entry to the log. The entry comes first: if the log cannot be written, nothing is changed.
 */
const CHANGE = `${NAMES}${NEXT_REVISION}
local at, action, who = ARGV[1], ARGV[2], ARGV[3]
local function labelOf(row)
  local isValid, fields = pcall(cjson.decode, row)
  local label = isValid and type(fields) == 'table' and fields.label
  return type(label) == 'string' and label or ''
end
local function change(hash, id, value, row)
  redis.call('XADD', changes, 'MAXLEN', '~', ${MAX_AUDIT_ENTRIES}, '*',
    'at', at, 'action', action, 'key_id', id, 'label', labelOf(row), 'who', who)
  redis.call('HSET', hash, id, value)
  local number = nextRevision()
  redis.call('SET', revision, number)
  redis.call('ZADD', revisions, number, id)
end
`;

/**
 * ARGV[4] on: the id, row and revocation (or '') of each key. Returns how many were added: none if the
 * first key shall be created and there are keys already.
 */
const ADD = defineScript(`${CHANGE}
if action == 'create first' and redis.call('EXISTS', records) == 1 then return 0 end
local added = 0
for i = 4, #ARGV, 3 do
  if redis.call('HEXISTS', records, ARGV[i]) == 0 then
    change(records, ARGV[i], ARGV[i + 1], ARGV[i + 1])
    if ARGV[i + 2] ~= '' then redis.call('HSET', revoked, ARGV[i], ARGV[i + 2]) end
    added = added + 1
  end
end
return added
`);

/** ARGV[4] on: the id and time of each key. Returns how many keys were not yet revoked. */
const REVOKE = defineScript(`${CHANGE}
local count = 0
for i = 4, #ARGV, 2 do
  local row = redis.call('HGET', records, ARGV[i])
  if row and redis.call('HEXISTS', revoked, ARGV[i]) == 0 then
    change(revoked, ARGV[i], ARGV[i + 1], row)
    count = count + 1
  end
end
return count
`);

/** ARGV: the id and the time of each used key. */
const USE = defineScript(`${NAMES}
for i = 1, #ARGV, 2 do
  local isKnown = redis.call('HEXISTS', records, ARGV[i]) == 1
  local last = tonumber(redis.call('HGET', used, ARGV[i]) or 0)
  if isKnown and tonumber(ARGV[i + 1]) > last then redis.call('HSET', used, ARGV[i], ARGV[i + 1]) end
end
`);

/**
 * ARGV: a secret, for a store that has none or one that is too short. Returns the store's secret, and 1
 * if it has replaced a short one. A new secret is a change, which all machines read.
 */
const SHARE_SECRET = defineScript(`${NAMES}${NEXT_REVISION}
local stored = redis.call('GET', secret)
if stored and #stored >= ${SECRET_CHARACTERS} then return {stored, 0} end
redis.call('SET', secret, ARGV[1])
if redis.call('EXISTS', revision) == 1 then redis.call('SET', revision, nextRevision()) end
return {ARGV[1], stored and 1 or 0}
`);

/**
 * ARGV: a revision. Returns the store's revision, number of keys and secret; then, for every key with
 * a later revision, its id, row, revocation and last use.
 */
const READ = defineScript(`${NAMES}
local reply = {redis.call('GET', revision), redis.call('ZCARD', revisions), redis.call('GET', secret)}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', revisions, '(' .. ARGV[1], '+inf')) do
  reply[#reply + 1] = id
  for _, hash in ipairs({records, revoked, used}) do reply[#reply + 1] = redis.call('HGET', hash, id) end
end
return reply
`);

const VALUES_PER_KEY = 4;
