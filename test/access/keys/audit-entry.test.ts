import assert from 'node:assert/strict';
import { hostname, userInfo } from 'node:os';
import { test } from 'node:test';
import { operatorName, parseAuditEntry } from '../../../src/access/keys/audit-entry.ts';

test('the operator is named by user and host, or by the number of a user without a name', () => {
  assert.equal(operatorName(), `${userInfo().username}@${hostname()}`);
  const nameless = () => {
    throw new Error('ENOENT');
  };
  assert.equal(operatorName(nameless), `uid ${process.getuid?.()}@${hostname()}`);
});

test('an entry is read with all its fields, and an invalid one is refused', () => {
  const row = { at: 5, action: 'create first', key_id: 'k1', label: 'a', who: 'me@here' };
  const entry = { at: 5, action: 'create first', keyId: 'k1', label: 'a', who: 'me@here' };
  assert.deepEqual(parseAuditEntry(row), entry);
  assert.deepEqual(parseAuditEntry({ ...row, at: '5' }), entry, 'Redis has texts only');
  for (const change of [
    { at: 8.64e15 + 1 },
    { at: 'x' },
    { action: 'drop' },
    { key_id: 1 },
    { label: null },
    { who: 0 },
  ]) {
    assert.throws(() => parseAuditEntry({ ...row, ...change }), {
      name: 'DamageError',
      message: /^an entry of the audit log cannot be read: /,
    });
  }
});
