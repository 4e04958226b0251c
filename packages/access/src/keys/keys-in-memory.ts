/**
 * In-memory copy of the keys, so that a call needs no query of the store. Every created or revoked
 * key gets the next revision, so a refresh reads only keys above the revision of the last refresh.
 * Revocations are final: those that a store has lost, because it was set back to a snapshot, stay here.
 */
import { timingSafeEqual } from 'node:crypto';
import type { KeyRecord } from './key-record.ts';
import { DamageError, type KeyRow, parseKeyRow } from './key-store.ts';
import { hashKey, isWellFormedKey } from './key-text.ts';

/** Digits of a hash that pick its bucket. Within a bucket, hashes are compared in constant time. */
const BUCKET_DIGITS = 8;
/** Less than every revision. */
export const NOTHING_SEEN = -1;

/** Keys read from a store. */
export interface KeyChanges {
  /** The store's revision when the keys were read. */
  readonly revision: number;
  /** Whether `rows` has all keys, and not only the changed ones. */
  readonly isComplete: boolean;
  readonly rows: readonly KeyRow[];
  /** Shared by all machines that use the store; undefined if the store has none. */
  readonly secret?: string | undefined;
}

interface Entry {
  /** ASCII bytes of the hexadecimal hash. */
  readonly hash: Buffer;
  readonly record: KeyRecord;
}

export class KeysInMemory {
  #seenRevision = NOTHING_SEEN;
  /** By key id. */
  readonly #rows = new Map<string, KeyRow>();
  readonly #buckets = new Map<string, readonly Entry[]>();
  /**
   * Records by key text, so that an existing key is hashed only once. Lookup time reveals nothing
   * about keys, because Map uses hashes with a secret seed.
   */
  readonly #byText = new Map<string, KeyRecord>();
  /** Rows of all keys that were revoked at any time, and of those whose revocation the store has lost. */
  readonly #revoked = new Map<string, KeyRow>();
  readonly #lost = new Map<string, KeyRow>();

  get seenRevision(): number {
    return this.#seenRevision;
  }

  /** All keys by id, as the store has them, and lost revocations. */
  get rows(): ReadonlyMap<string, KeyRow> {
    return this.#rows;
  }

  /** The rows of revoked keys that the store has without their revocation, or not at all. */
  get lostRevocations(): readonly KeyRow[] {
    return [...this.#lost.values()];
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
  apply({ revision, isComplete, rows }: KeyChanges): DamageError | undefined {
    this.#seenRevision = revision;
    this.#byText.clear();
    if (isComplete) {
      this.#rows.clear();
      this.#buckets.clear();
      this.#lost.clear();
    }
    let problem: DamageError | undefined;
    for (const row of rows) {
      const error = this.#put(this.#withRevocation(row));
      problem ??= error;
    }
    if (isComplete) {
      for (const [id, row] of this.#revoked) {
        if (this.#rows.has(id)) continue;
        this.#lost.set(id, row);
        this.#put(row);
      }
    }
    return problem;
  }

  /** The row with the first revocation of its key that was seen. */
  #withRevocation(row: KeyRow): KeyRow {
    const id = String(row.id);
    const revoked = this.#revoked.get(id);
    if (typeof row.revoked_at === 'number') {
      this.#lost.delete(id);
      if (revoked === undefined) this.#revoked.set(id, row);
    } else if (revoked !== undefined) {
      this.#lost.set(id, revoked);
    }
    return revoked === undefined ? row : { ...row, revoked_at: revoked.revoked_at ?? null };
  }

  #put(row: KeyRow): DamageError | undefined {
    const id = String(row.id);
    this.#rows.set(id, row);
    try {
      const { hash, record } = parseKeyRow(row);
      const name = bucketName(hash);
      const others = (this.#buckets.get(name) ?? []).filter((entry) => entry.record.id !== id);
      this.#buckets.set(name, [...others, { hash: Buffer.from(hash), record }]);
      return undefined;
    } catch (error) {
      if (!(error instanceof DamageError)) throw error;
      if (row.revoked_at !== null) this.#remove(id);
      return error;
    }
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
