/** The file of the key store: earlier schema versions and damaged files. */
import assert from 'node:assert/strict';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { parseCidr } from '../../src/address.ts';
import { KeyStoreError } from '../../src/keys/key-store.ts';
import { createKeyText, hashKey } from '../../src/keys/key-text.ts';
import { openSqliteKeys } from '../../src/keys/sqlite-keys.ts';

const NOW = Date.UTC(2030, 0, 1);

/** The schema of version 0.1.0. */
const VERSION_1 = `
  CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    max_records INTEGER NOT NULL,
    per_minute TEXT,
    origins TEXT NOT NULL,
    cidrs TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
  ) STRICT;
  CREATE TABLE key_revision (revision INTEGER NOT NULL) STRICT;
  INSERT INTO key_revision VALUES (1);
  PRAGMA user_version = 1;
  PRAGMA journal_mode = WAL;
`;

/** The schema after version 0.1.0, before quotas and the audit log. */
const VERSION_2 = `
  ${VERSION_1}
  ALTER TABLE keys ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX keys_by_revision ON keys (revision);
  PRAGMA user_version = 2;
`;

/** The schema before batches. */
const VERSION_3 = `
  ${VERSION_2}
  ALTER TABLE keys ADD COLUMN per_day INTEGER;
  CREATE TABLE quota_counts (key_id TEXT PRIMARY KEY, day INTEGER NOT NULL, calls INTEGER NOT NULL) STRICT;
  CREATE TABLE key_changes (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    key_id TEXT NOT NULL,
    label TEXT NOT NULL,
    who TEXT NOT NULL
  ) STRICT;
  PRAGMA user_version = 3;
`;

function storePath(t: TestContext): string {
  return join(temporaryFolder(t), 'keys.sqlite');
}

/** A closed store with enough keys to fill several pages. */
function aClosedStore(t: TestContext): string {
  const file = storePath(t);
  const store = openSqliteKeys(file);
  for (let i = 0; i < 100; i++) store.create({ label: `key number ${i}` }, NOW);
  store.close();
  return file;
}

function verify(file: string): void {
  const store = openSqliteKeys(file);
  try {
    store.verify();
  } finally {
    store.close();
  }
}

for (const [version, schema] of [VERSION_1, VERSION_2, VERSION_3].entries()) {
  test(`a store of schema version ${version + 1} keeps its keys, and gets revisions, quotas, an audit log and batches`, (t) => {
    const file = storePath(t);
    const [good, revoked] = [createKeyText(), createKeyText()];
    const old = new DatabaseSync(file);
    old.exec(schema);
    const columns = 'id, hash, label, max_records, per_minute, origins, cidrs, created_at, expires_at, revoked_at';
    const insert = old.prepare(`INSERT INTO keys (${columns}, last_used_at) VALUES (?, ?, ?, 7, ?, ?, ?, ?, ?, ?, ?)`);
    insert.run('k1', hashKey(good), 'good', '600', '["https://a.test"]', '["10.0.0.0/8"]', 1, 2, null, 4);
    insert.run('k2', hashKey(revoked), 'revoked', null, '[]', '[]', 1, null, 3, null);

    const store = openSqliteKeys(file);
    t.after(() => store.close());
    assert.deepEqual(store.find(good), {
      id: 'k1',
      label: 'good',
      maxRecords: 7,
      perMinute: 600,
      perDay: undefined,
      batch: false,
      allowedOrigins: ['https://a.test'],
      allowedCidrs: [parseCidr('10.0.0.0/8')],
      createdAt: 1,
      expiresAt: 2,
      revokedAt: undefined,
      lastUsedAt: 4,
    });
    assert.equal(store.find(revoked)?.revokedAt, 3);
    store.verify();
    // a running service of the old version can still read
    assert.equal(old.prepare('SELECT * FROM keys').all().length, 2);
    old.close();
    const other = openSqliteKeys(file);
    const limited = other.create({ label: 'new', perDay: 500, batch: true }, NOW);
    other.revoke('k1', NOW + 1);
    other.close();
    assert.equal(store.find(good)?.revokedAt, NOW + 1);
    assert.deepEqual(store.find(limited.key), limited.record);
    assert.deepEqual(store.quotaCounts(), [{ keyId: limited.record.id, day: 0, calls: 0 }]);
    const changes = store.auditLog().map(({ action, label }) => `${action} ${label}`);
    assert.deepEqual(changes, ['create new', 'revoke good']);
    verify(file);
  });
}

test('a store of a later schema version is refused and not changed', (t) => {
  const file = aClosedStore(t);
  const db = new DatabaseSync(file);
  db.exec('PRAGMA user_version = 5');
  db.close();
  assert.throws(() => verify(file), {
    name: 'KeyStoreError',
    message: `key store ${file} cannot be used: its schema version is 5; this program reads versions up to 4`,
  });
});

const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  'an overwritten header': (file) => overwrite(file, 0, 100),
  'a file that is not a database': (file) => writeFileSync(file, 'no database, but long enough. '.repeat(100)),
  'an empty file': (file) => truncateSync(file, 0),
  'a file truncated to half': (file) => truncateSync(file, Math.floor(statSync(file).size / 2 / 4096) * 4096),
  'an overwritten page in the middle': (file) => overwrite(file, statSync(file).size - 2 * 4096, 4096),
  'a changed hash': changeHash,
  'origins that are not JSON': (file) => change(file, `UPDATE keys SET origins = 'https://a.test'`),
  'malformed addresses': (file) => change(file, `UPDATE keys SET cidrs = '["somewhere"]'`),
  'a number of records out of range': (file) => change(file, 'UPDATE keys SET max_records = 2000'),
  'a limit that is not a number': (file) => change(file, `UPDATE keys SET per_minute = 'many'`),
  'a quota out of range': (file) => change(file, 'UPDATE keys SET per_day = 0'),
  'a batch allowance out of range': (file) => change(file, 'UPDATE keys SET batch = 2'),
  'calls of a day out of range': (file) => {
    change(file, 'UPDATE keys SET per_day = 5');
    execute(file, `INSERT INTO quota_counts SELECT id, 1, -1 FROM keys WHERE per_day = 5`);
  },
  'a time of creation out of range': (file) => change(file, 'UPDATE keys SET created_at = 8640000000000001'),
  'an expiry out of range': (file) => change(file, 'UPDATE keys SET expires_at = 8640000000000001'),
  'a time of revocation out of range': (file) => change(file, 'UPDATE keys SET revoked_at = 9007199254740991'),
  'a time of last use out of range': (file) => change(file, 'UPDATE keys SET last_used_at = 8640000000000001'),
  'a missing revision': (file) => execute(file, 'DELETE FROM key_revision'),
  'a second revision': (file) => execute(file, 'INSERT INTO key_revision VALUES (5)'),
  'a negative revision': (file) => execute(file, 'UPDATE key_revision SET revision = -1'),
};

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(`${name} is detected and reported with a remedy`, (t) => {
    const file = aClosedStore(t);
    verify(file);
    damage(file);
    const bytes = readFileSync(file);
    assert.throws(
      () => verify(file),
      (error) =>
        error instanceof KeyStoreError &&
        error.message.startsWith(`key store ${file} is damaged: `) &&
        error.message.endsWith('. Restore it from a backup, or move it away to start with new keys.'),
    );
    assert.ok(readFileSync(file).equals(bytes), 'the damaged store is not changed');
  });
}

function overwrite(file: string, offset: number, length: number, text = 'U'): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(length, text), 0, length, offset);
  closeSync(handle);
}

/** Changes one digit of a hash in the table, so that the table and its index differ. */
function changeHash(file: string): void {
  // the audit log has the label too, but without a hash before it
  const offset = readFileSync(file, 'latin1').search(/[0-9a-f]{64}key number 50/);
  const digit = readFileSync(file).toString('latin1', offset, offset + 1);
  assert.match(digit, /[0-9a-f]/);
  overwrite(file, offset, 1, digit === '0' ? '1' : '0');
}

function change(file: string, sql: string): void {
  execute(file, `${sql} WHERE label = 'key number 50'`);
}

function execute(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

test('a link to a missing store is refused and not changed', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'volume'));
  for (const target of ['volume/keys.sqlite', 'missing/keys.sqlite', 'keys.sqlite']) {
    const file = join(folder, 'keys.sqlite');
    symlinkSync(target, file);
    assert.throws(
      () => openSqliteKeys(file),
      (error: Error) => {
        assert.ok(error instanceof KeyStoreError);
        assert.match(error.message, /keys\.sqlite cannot be used: the link points to a file that does not exist \(/);
        return true;
      },
    );
    assert.deepEqual(readdirSync(folder).sort(), ['keys.sqlite', 'volume']);
    assert.deepEqual(readdirSync(join(folder, 'volume')), []);
    assert.equal(readlinkSync(file), target);
    unlinkSync(file);
  }
});
