/** The API keys: whether the store can be used, and which keys work. Their texts are not stored. */

import type { KeyRecord } from '../../access/keys/key-record.ts';
import { KeyStoreError } from '../../access/keys/key-store.ts';
import { inspectKeys } from '../../access/keys/sqlite-keys.ts';
import { commandName } from '../../command-name.ts';
import { hasSqliteKeys } from '../commands/open-key-store.ts';
import { daysBetween, formatDay } from './age.ts';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';

const EXPIRY_WARNING_DAYS = 14;

export function checkKeys({ settings, state, now }: DoctorContext): Verdict[] {
  if (settings.redis !== undefined) return []; // the check of Redis has them
  if (!hasSqliteKeys(state)) return [ok('none yet: the first start creates one')];
  try {
    return judgeKeys(inspectKeys(state.keysPath), state.keysPath, now);
  } catch (error) {
    if (!(error instanceof KeyStoreError)) throw error;
    return [
      problem(error.message, 'Restore a backup of the keys, or give the file to the user of the service (chown).'),
    ];
  }
}

/** `location` is where the keys are. */
export function judgeKeys(records: readonly KeyRecord[], location: string, now: Date): Verdict[] {
  if (records.length === 0) return [ok(`${location}: no keys yet, the first start creates one`)];
  const revoked = records.filter(({ revokedAt }) => revokedAt !== undefined);
  const isExpired = ({ expiresAt }: KeyRecord) => expiresAt !== undefined && expiresAt <= now.getTime();
  const expired = records.filter((record) => isExpired(record) && !revoked.includes(record));
  const valid = records.filter((record) => !isExpired(record) && !revoked.includes(record));
  const unused = valid.filter(({ lastUsedAt }) => lastUsedAt === undefined);
  const counts = `${valid.length} valid ${valid.length === 1 ? 'key' : 'keys'} (${unused.length} never used), ${expired.length} expired, ${revoked.length} revoked`;
  const message = `${location}: ${counts}`;
  if (valid.length === 0) {
    return [problem(`${message}. Every call is refused`, `Create a key: ${commandName()} keys create --label NAME`)];
  }
  return [ok(message), ...valid.flatMap((record) => judgeExpiry(record, now))];
}

function judgeExpiry({ id, label, expiresAt }: KeyRecord, now: Date): Verdict[] {
  if (expiresAt === undefined) return [];
  const end = new Date(expiresAt);
  if (daysBetween(now, end) >= EXPIRY_WARNING_DAYS) return [];
  const advice = `Create a new key and give it to the users of the old one: ${commandName()} keys create --label NAME`;
  return [warning(`key ${id} (${label}) ends on ${formatDay(end)}`, advice)];
}
