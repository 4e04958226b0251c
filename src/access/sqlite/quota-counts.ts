/** The calls of today in the key store, so that a restart does not reset the quotas of keys. */
import type { DatabaseSync } from 'node:sqlite';
import { MAX_PER_DAY } from '../keys/key-record.ts';
import { DamageError } from '../keys/key-store-errors.ts';
import type { DayCount } from '../limits/quota-table.ts';

/** Latest day that a Date can hold. */
const MAX_DAY = 100_000_000;

/** The last count of every key that has a quota. An unused key has 0 calls on day 0. */
export function readQuotaCounts(db: DatabaseSync): DayCount[] {
  const rows = db
    .prepare(
      `SELECT keys.id, ifnull(day, 0) AS day, ifnull(calls, 0) AS calls
       FROM keys LEFT JOIN quota_counts ON key_id = keys.id WHERE per_day IS NOT NULL`,
    )
    .all();
  return rows.map(({ id, day, calls }) => {
    const isValid = Math.abs(Number(day)) <= MAX_DAY && Number(calls) >= 0 && Number(calls) <= MAX_PER_DAY;
    if (!isValid) throw new DamageError(`the calls of key ${String(id)} cannot be read`);
    return { keyId: String(id), day: Number(day), calls: Number(calls) };
  });
}

/** Writes changed counts. Another service may have counted more calls of the same day. */
export function writeQuotaCounts(db: DatabaseSync, countOf: (keyId: string) => DayCount | undefined): void {
  const write = db.prepare(
    'INSERT INTO quota_counts (key_id, day, calls) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET day = ?2, calls = ?3',
  );
  for (const { keyId, day, calls } of readQuotaCounts(db)) {
    const count = countOf(keyId);
    if (count === undefined || (count.day === day && count.calls <= calls)) continue;
    write.run(keyId, count.day, count.calls);
  }
}
