/** Changes of keys for display: JSON for programs, a table for people. */
import type { AuditEntry } from '../../access/keys/audit-entry.ts';
import type { StyledText } from './styled-text.ts';
import { textTable } from './text-table.ts';

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
