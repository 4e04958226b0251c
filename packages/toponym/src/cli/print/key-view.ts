/** Keys and their changes for display: JSON for programs, tables for people, never the key itself. */
import type { KeyRecord } from 'toponym-access/keys/key-record';
import type { AuditEntry } from 'toponym-access/keys/key-store';
import type { StyledText } from './styled-text.ts';
import { textTable } from './text-table.ts';

export function presentKey(record: KeyRecord, defaultPerMinute: number) {
  return {
    id: record.id,
    label: record.label,
    maxRecords: record.maxRecords,
    perMinute: record.perMinute ?? defaultPerMinute,
    perDay: record.perDay ?? null,
    batch: record.batch,
    allowedOrigins: record.allowedOrigins,
    allowedCidrs: record.allowedCidrs.map(({ text }) => text),
    createdAt: isoTime(record.createdAt),
    expiresAt: isoTime(record.expiresAt),
    revokedAt: isoTime(record.revokedAt),
    lastUsedAt: isoTime(record.lastUsedAt),
  };
}

export function keyTable(records: readonly KeyRecord[], defaultPerMinute: number): StyledText {
  return textTable(records, [
    { title: 'ID', value: (key) => key.id },
    { title: 'LABEL', value: (key) => key.label, isName: true },
    { title: 'MAX RECORDS', value: (key) => String(key.maxRecords), align: 'right' },
    { title: 'PER MINUTE', value: (key) => String(key.perMinute ?? defaultPerMinute), align: 'right' },
    { title: 'PER DAY', value: (key) => String(key.perDay ?? '-'), align: 'right', emptyValue: '-' },
    { title: 'BATCH', value: (key) => (key.batch ? 'yes' : '-'), emptyValue: '-' },
    { title: 'CREATED', value: (key) => formatMinute(key.createdAt) },
    { title: 'LAST USED', value: (key) => formatMinute(key.lastUsedAt), emptyValue: '-' },
    { title: 'EXPIRES', value: (key) => formatMinute(key.expiresAt), emptyValue: '-' },
    { title: 'REVOKED', value: (key) => formatMinute(key.revokedAt), emptyValue: '-' },
    { title: 'ORIGINS', value: (key) => formatAllowed(key.allowedOrigins), emptyValue: 'any' },
    { title: 'ADDRESSES', value: (key) => formatAllowed(key.allowedCidrs.map(({ text }) => text)), emptyValue: 'any' },
  ]);
}

export function presentAuditEntry({ at, action, keyId, label, who }: AuditEntry) {
  return { at: new Date(at).toISOString(), action, keyId, label, who };
}

export function auditTable(entries: readonly AuditEntry[]): StyledText {
  return textTable(entries, [
    { title: 'TIME', value: ({ at }) => new Date(at).toISOString().slice(0, 19).replace('T', ' ') },
    { title: 'ACTION', value: ({ action }) => action },
    { title: 'KEY', value: ({ keyId }) => keyId },
    { title: 'LABEL', value: ({ label }) => label, isName: true },
    { title: 'WHO', value: ({ who }) => who },
  ]);
}

function formatAllowed(allowed: readonly string[]): string {
  return allowed.length === 0 ? 'any' : allowed.join(', ');
}

function isoTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

function formatMinute(ms: number | undefined): string {
  return isoTime(ms)?.slice(0, 16).replace('T', ' ') ?? '-';
}
