/** The audit log in the SQLite file of the key store. */
import type { DatabaseSync } from 'node:sqlite';
import { type AuditEntry, MAX_AUDIT_ENTRIES, parseAuditEntry } from '../keys/audit-entry.ts';

/** Must run in the transaction of the change itself. */
export function addAuditEntry(db: DatabaseSync, { at, action, keyId, label, who }: AuditEntry): void {
  const insert = db.prepare('INSERT INTO key_changes (at, action, key_id, label, who) VALUES (?, ?, ?, ?, ?)');
  const { lastInsertRowid } = insert.run(at, action, keyId, label, who);
  db.prepare('DELETE FROM key_changes WHERE number <= ?').run(Number(lastInsertRowid) - MAX_AUDIT_ENTRIES);
}

/** Oldest first. Throws DamageError if an entry is invalid. */
export function readAuditLog(db: DatabaseSync): AuditEntry[] {
  return db.prepare('SELECT * FROM key_changes ORDER BY number').all().map(parseAuditEntry);
}
