import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKey } from '../../src/keys/key-record.ts';
import { toKeyRow } from '../../src/keys/key-store.ts';
import { KeysInMemory } from '../../src/keys/keys-in-memory.ts';

const NOW = Date.UTC(2030, 0, 1);

test('a revocation is final, also for a store that has lost it together with its key', () => {
  const [a, b] = [createKey({ label: 'a' }, NOW), createKey({ label: 'b' }, NOW)];
  const rows = [toKeyRow(a), toKeyRow(b)];
  const revoked = rows.map((row) => ({ ...row, revoked_at: NOW + 5 }));
  const keys = new KeysInMemory();
  const apply = (stored: typeof rows, isComplete = true) => keys.apply({ revision: 1, isComplete, rows: stored });
  const revokedAt = () => [a, b].map(({ key }) => keys.find(key)?.revokedAt);
  const lost = () => keys.lostRevocations.map(({ label }) => label);

  apply(rows);
  assert.deepEqual([revokedAt(), lost()], [[undefined, undefined], []]);
  apply([{ ...toKeyRow(a), revoked_at: NOW + 5 }], false);
  assert.deepEqual([revokedAt(), lost()], [[NOW + 5, undefined], []]);
  apply(rows);
  assert.deepEqual([revokedAt(), lost()], [[NOW + 5, undefined], ['a']], 'set back to before the revocation');
  apply(revoked, false);
  assert.deepEqual([revokedAt(), lost()], [[NOW + 5, NOW + 5], []], 'the store has it again');
  apply([toKeyRow(b)]);
  assert.deepEqual(
    [revokedAt(), lost().sort()],
    [
      [NOW + 5, NOW + 5],
      ['a', 'b'],
    ],
    'one key is missing',
  );
  assert.deepEqual(
    [...keys.rows.values()].map(({ revoked_at }) => revoked_at),
    [NOW + 5, NOW + 5],
  );
});
