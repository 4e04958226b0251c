/** What every key store does, in SQLite and in Redis. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parseCidr } from '../../src/address.ts';
import { type Awaitable, type KeyStore, type KeyUses, operatorName } from '../../src/keys/key-store.ts';
import { createKeyText } from '../../src/keys/key-text.ts';

const NOW = Date.UTC(2030, 0, 1);

interface TestedStore extends KeyStore {
  writeUses(uses: KeyUses): Awaitable<unknown>;
}

interface OpenedStore {
  readonly store: TestedStore;
  /** All that the store has written. */
  dump(): Awaitable<string>;
}

/** `open` returns an empty store. */
export function testKeyStore(
  open: (context: TestContext) => Awaitable<OpenedStore>,
  { skip = false }: { readonly skip?: boolean | string } = {},
): void {
  test('a key is stored as its hash, and found by its text with all its fields', { skip }, async (context) => {
    const { store, dump } = await open(context);
    const fields = {
      label: 'a "label" with ünïcode',
      maxRecords: 5,
      perMinute: 600,
      perDay: 1_000_000_000,
      batch: true,
      allowedOrigins: ['https://a.test'],
      allowedCidrs: ['10.0.0.0/8'],
      expiresAt: NOW + 1000,
    };
    const { record, key } = await store.create(fields, NOW);
    const times = { createdAt: NOW, revokedAt: undefined, lastUsedAt: undefined };
    const allowedCidrs = fields.allowedCidrs.map(parseCidr);
    assert.deepEqual(record, { id: record.id, ...fields, allowedCidrs, ...times });
    assert.deepEqual(await store.find(key), record);
    assert.deepEqual(await store.list(), [record]);
    assert.equal(await store.find(createKeyText()), undefined);
    assert.equal(await store.find('nonsense'), undefined);
    const written = await dump();
    assert.ok(written.includes(record.id) && !written.includes(key), written);
  });

  test('a revocation keeps its first time, and an unknown id is reported', { skip }, async (context) => {
    const { store } = await open(context);
    const { record, key } = await store.create({ label: 'a' }, NOW);
    assert.equal((await store.revoke(record.id, NOW + 5))?.revokedAt, NOW + 5);
    assert.equal((await store.revoke(record.id, NOW + 9))?.revokedAt, NOW + 5);
    assert.equal((await store.find(key))?.revokedAt, NOW + 5);
    assert.equal(await store.revoke('k000000000000', NOW), undefined);
  });

  test('times of use never go back', { skip }, async (context) => {
    const { store } = await open(context);
    const { record } = await store.create({ label: 'a' }, NOW);
    for (const usedAt of [NOW + 50, NOW + 20]) await store.writeUses(new Map([[record.id, usedAt]]));
    await store.writeUses(new Map([['k000000000000', NOW]]));
    assert.deepEqual(await store.list(), [{ ...record, lastUsedAt: NOW + 50 }]);
  });

  test('a first key whose text cannot be saved is neither stored nor recorded', { skip }, async (context) => {
    const { store } = await open(context);
    const fail = () => {
      throw new Error('disk full');
    };
    await assert.rejects(async () => await store.createFirst({ label: 'first key' }, NOW, fail), /disk full/);
    assert.equal(await store.isEmpty(), true);
    assert.deepEqual(await store.auditLog(), []);
  });

  test('every change is recorded once, with time, key, label and operator, never the key', {
    skip,
  }, async (context) => {
    const { store } = await open(context);
    const who = operatorName();
    const key = await store.createFirst({ label: 'first key' }, NOW, () => {});
    assert.equal(await store.createFirst({ label: 'second first key' }, NOW, () => {}), undefined);
    const [first] = await store.list();
    const { record } = await store.create({ label: 'a "label" with ünïcode' }, NOW + 1.5);
    await store.revoke(record.id, NOW + 2);
    await store.revoke(record.id, NOW + 3);
    await store.revoke('k000000000000', NOW + 4);
    await store.writeUses(new Map([[record.id, NOW + 5]]));
    const log = await store.auditLog();
    assert.deepEqual(log, [
      { at: NOW, action: 'create first', keyId: first?.id, label: 'first key', who },
      { at: NOW + 1, action: 'create', keyId: record.id, label: record.label, who },
      { at: NOW + 2, action: 'revoke', keyId: record.id, label: record.label, who },
    ]);
    assert.ok(!JSON.stringify(log).includes(key ?? ''));
  });

  test('a copy adds keys, revokes those that are here, and records only that', { skip }, async (context) => {
    const { store } = await open(context);
    const aKey = (id: string, fields: object = {}) => {
      const limits = { maxRecords: 20, perMinute: undefined, perDay: undefined, batch: false, expiresAt: undefined };
      const allowed = { allowedOrigins: [], allowedCidrs: [] };
      const record = {
        id,
        label: id,
        ...limits,
        ...allowed,
        createdAt: NOW,
        revokedAt: undefined,
        lastUsedAt: undefined,
      };
      return { hash: (id === 'a' ? 'a' : 'b').repeat(64), record: { ...record, ...fields } };
    };
    const [a, b] = [aKey('a', { lastUsedAt: NOW + 1 }), aKey('b', { revokedAt: NOW + 2 })];
    const revokedA = aKey('a', { lastUsedAt: NOW + 1, revokedAt: NOW + 7 });
    assert.deepEqual(await store.copyFrom([a, b], NOW + 5), { added: 2, revoked: 0 });
    assert.deepEqual(await store.copyFrom([a, b], NOW + 6), { added: 0, revoked: 0 });
    assert.deepEqual(await store.stored(), [a, b]);
    assert.deepEqual(await store.copyFrom([revokedA, b], NOW + 8), { added: 0, revoked: 1 });
    assert.deepEqual(await store.stored(), [revokedA, b]);
    assert.deepEqual(
      (await store.auditLog()).map(({ at, action, label }) => [at, action, label]),
      [
        [NOW + 5, 'copy', 'a'],
        [NOW + 5, 'copy', 'b'],
        [NOW + 8, 'revoke', 'a'],
      ],
    );
  });
}
