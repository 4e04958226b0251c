/**
 * In-memory copy of the keys, so that a call needs no database query. Every created or revoked key
 * gets the next revision, so a refresh reads only rows above the revision of the last refresh.
 */
import { timingSafeEqual } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { KeyRecord } from './key-record.ts';
import { type KeyRow, parseKeyRow, type StoredKey } from './key-row.ts';
import { DamageError } from './key-store-errors.ts';
import { hashKey, isWellFormedKey } from './key-text.ts';

/** Digits of a hash that pick its bucket. Within a bucket, hashes are compared in constant time. */
const BUCKET_DIGITS = 8;
const NOTHING_SEEN = -1; // less than every revision

interface Entry {
  /** ASCII bytes of the hexadecimal hash. */
  readonly hash: Buffer;
  readonly record: KeyRecord;
}

export class KeysInMemory {
  readonly #revisionQuery: StatementSync;
  readonly #newerRowsQuery: StatementSync;
  #seenRevision = NOTHING_SEEN;
  readonly #buckets = new Map<string, readonly Entry[]>();
  /**
   * Records by key text, so that an existing key is hashed only once. Lookup time reveals nothing
   * about keys, because Map uses hashes with a secret seed.
   */
  readonly #byText = new Map<string, KeyRecord>();

  constructor(db: DatabaseSync) {
    this.#revisionQuery = db.prepare('SELECT revision FROM key_revision');
    this.#newerRowsQuery = db.prepare('SELECT * FROM keys WHERE revision > ?');
  }

  find(keyText: string): KeyRecord | undefined {
    const foundBefore = this.#byText.get(keyText);
    if (foundBefore !== undefined) return foundBefore;
    if (!isWellFormedKey(keyText)) return undefined;
    const record = this.#findHashed(hashKey(keyText));
    if (record !== undefined) this.#byText.set(keyText, record);
    return record;
  }

  /** Returns the error of the first invalid row. Invalid rows can only revoke their keys. */
  refresh(): DamageError | undefined {
    const revision = this.#revisionQuery.get()?.revision;
    if (typeof revision !== 'number') throw new DamageError('table key_revision is empty');
    if (revision === this.#seenRevision) return undefined;
    const isRestored = revision < this.#seenRevision; // from an older backup
    const rows = this.#newerRowsQuery.all(isRestored ? NOTHING_SEEN : this.#seenRevision);
    this.#seenRevision = revision;
    if (isRestored) this.#buckets.clear();
    this.#byText.clear();
    return this.#apply(rows);
  }

  #apply(rows: readonly KeyRow[]): DamageError | undefined {
    let problem: DamageError | undefined;
    for (const row of rows) {
      try {
        this.#put(parseKeyRow(row));
      } catch (error) {
        if (!(error instanceof DamageError)) throw error;
        problem ??= error;
        if (row.revoked_at !== null) this.#remove(String(row.id));
      }
    }
    return problem;
  }

  #put({ hash, record }: StoredKey): void {
    const name = bucketName(hash);
    const others = (this.#buckets.get(name) ?? []).filter((entry) => entry.record.id !== record.id);
    this.#buckets.set(name, [...others, { hash: Buffer.from(hash), record }]);
  }

  #remove(id: string): void {
    for (const [name, bucket] of this.#buckets) {
      const others = bucket.filter((entry) => entry.record.id !== id);
      if (others.length < bucket.length) this.#buckets.set(name, others);
    }
  }

  #findHashed(hash: string): KeyRecord | undefined {
    const bucket = this.#buckets.get(bucketName(hash));
    if (bucket === undefined) return undefined;
    const bytes = Buffer.from(hash);
    return bucket.find((entry) => timingSafeEqual(entry.hash, bytes))?.record;
  }
}

function bucketName(hash: string): string {
  return hash.slice(0, BUCKET_DIGITS);
}
