/** The audit log of a key store: who created, copied and revoked which key, never its text. */
import { hostname, userInfo } from 'node:os';
import { DamageError } from './key-store-errors.ts';

/** The oldest entries beyond these are deleted. */
export const MAX_AUDIT_ENTRIES = 10_000;

const ACTIONS = ['create', 'create first', 'revoke', 'copy'] as const;
export type AuditAction = (typeof ACTIONS)[number];

export interface AuditEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly action: AuditAction;
  readonly keyId: string;
  readonly label: string;
  /** From `operatorName`. */
  readonly who: string;
}

/** The user and machine of this process, such as `root@web1`. */
export function operatorName(readUser: () => { readonly username: string } = userInfo): string {
  return `${userName(readUser)}@${hostname()}`;
}

/** Checks every field, because stores have no checksums. Throws DamageError if one is invalid. */
export function parseAuditEntry(fields: Readonly<Record<string, unknown>>): AuditEntry {
  const { action, key_id: keyId, label, who } = fields;
  const at = Number(fields.at);
  const knownAction = ACTIONS.find((known) => known === action);
  const areTexts = typeof keyId === 'string' && typeof label === 'string' && typeof who === 'string';
  if (knownAction === undefined || !areTexts || Number.isNaN(new Date(at).getTime())) {
    throw new DamageError(`an entry of the audit log cannot be read: ${JSON.stringify(fields)}`);
  }
  return { at, action: knownAction, keyId, label, who };
}

/** A container's user may have a number only. */
function userName(readUser: () => { readonly username: string }): string {
  try {
    return readUser().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
