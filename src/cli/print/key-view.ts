/**
 * Keys as the command line shows them: JSON for programs, a table for people. Never with the text of the key.
 */
import type { KeyRecord } from '../../access/keys/key-record.ts';
import { DEFAULT_PER_MINUTE } from '../../access/limits/rate-limiter.ts';
import { textTable } from './text-table.ts';

export function presentKey(record: KeyRecord) {
  return {
    id: record.id,
    label: record.label,
    maxRecords: record.maxRecords,
    perMinute: record.perMinute ?? DEFAULT_PER_MINUTE,
    allowedOrigins: record.allowedOrigins,
    allowedCidrs: record.allowedCidrs,
    createdAt: timeOf(record.createdAt),
    expiresAt: timeOf(record.expiresAt),
    revokedAt: timeOf(record.revokedAt),
    lastUsedAt: timeOf(record.lastUsedAt),
  };
}

export function keyTable(records: readonly KeyRecord[]): string {
  return textTable(records, [
    { title: 'ID', value: (key) => key.id },
    { title: 'LABEL', value: (key) => key.label },
    { title: 'RECORDS', value: (key) => String(key.maxRecords), align: 'right' },
    { title: 'A MINUTE', value: (key) => String(key.perMinute ?? DEFAULT_PER_MINUTE), align: 'right' },
    { title: 'MADE', value: (key) => minuteOf(key.createdAt) },
    { title: 'LAST USED', value: (key) => minuteOf(key.lastUsedAt) },
    { title: 'EXPIRES', value: (key) => minuteOf(key.expiresAt) },
    { title: 'REVOKED', value: (key) => minuteOf(key.revokedAt) },
    { title: 'ORIGINS', value: (key) => listOf(key.allowedOrigins) },
    { title: 'ADDRESSES', value: (key) => listOf(key.allowedCidrs) },
  ]);
}

function listOf(allowed: readonly string[]): string {
  return allowed.length === 0 ? 'any' : allowed.join(',');
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

function minuteOf(ms: number | undefined): string {
  return timeOf(ms)?.slice(0, 16).replace('T', ' ') ?? '-';
}
