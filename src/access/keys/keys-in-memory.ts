/**
 * In-memory copy of the keys, so that a call needs no query of the store. Every created or revoked
 * key gets the next revision, so a refresh reads only keys above the revision of the last refresh.
 */
import { timingSafeEqual } from 'node:crypto';
import type { KeyRecord } from './key-record.ts';
import { type KeyRow, parseKeyRow, type StoredKey } from './key-row.ts';
import { DamageError } from './key-store-errors.ts';
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

export function idsOf(keys: KeyChanges | undefined): Set<string> {
  return new Set(keys?.rows.map(({ id }) => String(id)));
}

/** The rows of keys that are revoked in `before`, but not in `after`. */
export function lostRevocations(before: KeyChanges | undefined, after: KeyChanges): KeyRow[] {
  const stillRevoked = new Set(after.rows.filter(isRevoked).map(({ id }) => id));
  return (before?.rows ?? []).filter((row) => isRevoked(row) && !stillRevoked.has(row.id ?? null));
}

function isRevoked({ revoked_at: revokedAt }: KeyRow): boolean {
  return typeof revokedAt === 'number';
}

interface Entry {
  /** ASCII bytes of the hexadecimal hash. */
  readonly hash: Buffer;
  readonly record: KeyRecord;
}

export class KeysInMemory {
  #seenRevision = NOTHING_SEEN;
  readonly #buckets = new Map<string, readonly Entry[]>();
  /**
   * Records by key text, so that an existing key is hashed only once. Lookup time reveals nothing
   * about keys, because Map uses hashes with a secret seed.
   */
  readonly #byText = new Map<string, KeyRecord>();
  /** Times of all revocations seen, by key id. They are final: a store set back to a snapshot has lost some. */
  readonly #revocations = new Map<string, number>();
  readonly #lostRevocations = new Map<string, number>();

  /** Times of revocations that the store had, and has no more, by key id. */
  get lostRevocations(): ReadonlyMap<string, number> {
    return this.#lostRevocations;
  }

  get seenRevision(): number {
    return this.#seenRevision;
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
    if (isComplete) {
      this.#buckets.clear();
      this.#lostRevocations.clear();
    }
    this.#byText.clear();
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

  #put({ hash, record: stored }: StoredKey): void {
    const revokedAt = this.#revocations.get(stored.id) ?? stored.revokedAt;
    if (revokedAt !== undefined) this.#revocations.set(stored.id, revokedAt);
    if (revokedAt === undefined || stored.revokedAt !== undefined) this.#lostRevocations.delete(stored.id);
    else this.#lostRevocations.set(stored.id, revokedAt);
    const record = { ...stored, revokedAt };
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
