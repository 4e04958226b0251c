/** Checks of the API keys. The texts of keys are not stored. */

import type { KeyRecord } from '../../access/keys/key-record.ts';
import { inspectKeys } from '../../access/keys/sqlite-keys.ts';
import { commandName } from '../../program.ts';
import { hasSqliteKeys } from '../commands/open-key-store.ts';
import { DAY_MS, type DoctorContext, formatDay, judge, ok, type Verdict, warning } from './check.ts';

const EXPIRY_WARNING_DAYS = 14;

export function* checkKeys({ settings, state, now }: DoctorContext): Generator<Verdict> {
  if (settings.redis !== undefined) return; // the check of Redis has them
  if (!hasSqliteKeys(state)) return yield ok('none yet: the first start creates one');
  yield* judgeKeys(inspectKeys(state.keysPath), state.keysPath, now);
}

/** `location` is where the keys are. */
export function* judgeKeys(records: readonly KeyRecord[], location: string, now: Date): Generator<Verdict> {
  if (records.length === 0) return yield ok(`${location}: no keys yet, the first start creates one`);
  const stateOf = ({ revokedAt, expiresAt = Number.POSITIVE_INFINITY }: KeyRecord) =>
    revokedAt !== undefined ? 'revoked' : expiresAt <= now.getTime() ? 'expired' : 'valid';
  const { valid = [], expired = [], revoked = [] } = Object.groupBy(records, stateOf);
  const unused = valid.filter(({ lastUsedAt }) => lastUsedAt === undefined);
  const message = `${location}: ${valid.length} valid ${valid.length === 1 ? 'key' : 'keys'} (${unused.length} never used), ${expired.length} expired, ${revoked.length} revoked`;
  const command = `${commandName()} keys create --label NAME`;
  const isProblem = valid.length === 0;
  yield judge({ isProblem }, isProblem ? `${message}. Every call is refused` : message, `Create a key: ${command}`);
  for (const { id, label, expiresAt = Number.POSITIVE_INFINITY } of valid) {
    if (expiresAt >= now.getTime() + EXPIRY_WARNING_DAYS * DAY_MS) continue;
    const advice = `Create a new key and give it to the users of the old one: ${command}`;
    yield warning(`key ${id} (${label}) ends on ${formatDay(new Date(expiresAt))}`, advice);
  }
}
