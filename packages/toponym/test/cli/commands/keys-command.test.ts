import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { operatorName } from 'toponym-access/keys/key-store';
import { openSqliteKeys } from 'toponym-access/keys/sqlite-keys';
import { runCommand } from '../../../../../test/support/command.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';

function inEmptyFolder(context: TestContext) {
  const cwd = temporaryFolder(context);
  return { cwd, state: join(cwd, 'state'), keys: (...args: string[]) => runCommand(['keys', ...args], { cwd }) };
}

test('audit lists who changed which key, for people and as JSON, and never the key', async (context) => {
  const { state, keys } = inEmptyFolder(context);
  assert.equal((await keys('audit', '--json')).stdout, '[]\n');
  assert.ok((await keys('audit')).stdout.includes(`There is no key store in ${state}`));
  const { id, key, createdAt } = JSON.parse((await keys('create', '--label', 'Web shop', '--json')).stdout);
  const { revokedAt } = JSON.parse((await keys('revoke', id, '--json')).stdout);
  const json = await keys('audit', '--json');
  const who = operatorName();
  assert.deepEqual(JSON.parse(json.stdout), [
    { at: createdAt, action: 'create', keyId: id, label: 'Web shop', who },
    { at: revokedAt, action: 'revoke', keyId: id, label: 'Web shop', who },
  ]);
  const { stdout } = await keys('audit');
  assert.ok(stdout.startsWith(`Changes of keys in ${state}\n\nTIME `), stdout);
  assert.match(stdout, new RegExp(`^[-0-9]{10} [:0-9]{8}  revoke  ${id}  Web shop  ${who}$`, 'm'));
  assert.ok(!`${json.stdout}${stdout}`.includes(key));
});

test('list, revoke and backup without a key store name the state folder and create nothing', async (context) => {
  const { cwd, state, keys } = inEmptyFolder(context);
  const listed = await keys('list');
  assert.equal(listed.code, 0);
  assert.ok(listed.stdout.includes(state), listed.stdout);
  const json = await keys('list', '--json');
  assert.equal(json.stdout, '[]\n');
  assert.ok(json.stderr.includes(state), json.stderr);
  for (const args of [
    ['revoke', 'k1'],
    ['backup', 'copy.sqlite'],
  ]) {
    const { code, stderr } = await keys(...args);
    assert.equal(code, 1);
    assert.equal(
      stderr,
      `toponym: there is no key store in ${state}: name the state folder of the service with --state.\n`,
    );
  }
  assert.deepEqual(readdirSync(cwd), []);
  writeFileSync(state, '');
  assert.equal((await keys('list')).stdout, listed.stdout);
  const created = await keys('create', '--label', 'x');
  assert.equal(
    created.stderr,
    `toponym: The state folder ${state} cannot be written (${state} is not a folder); choose another with --state.\n`,
  );
});

test('a key is created in a new state folder, which is named, listed without the key itself, and revoked', async (context) => {
  const { state, keys } = inEmptyFolder(context);
  const limits = '--max-records 5 --per-minute unlimited --expires 2099-12-31 --origin https://example.com';
  const result = await keys('create', '--label', 'Web shop', ...limits.split(' '), '--json');
  assert.ok(result.stderr.startsWith(`Created the state folder ${state}. Only a service started with --state `));
  const { key, createdAt, ...created } = JSON.parse(result.stdout);
  assert.match(key, /^tpk_[0-9A-Za-z]{36}$/);
  assert.deepEqual(created, {
    id: created.id,
    label: 'Web shop',
    maxRecords: 5,
    perMinute: 'unlimited',
    perDay: null,
    batch: false,
    allowedOrigins: ['https://example.com'],
    allowedCidrs: [],
    expiresAt: '2099-12-31T00:00:00.000Z',
    revokedAt: null,
    lastUsedAt: null,
  });
  const listed = await keys('list', '--json');
  assert.deepEqual(JSON.parse(listed.stdout), [{ ...created, createdAt }]);
  assert.ok(!listed.stdout.includes(key));
  const revoked = JSON.parse((await keys('revoke', created.id, '--json')).stdout);
  assert.notEqual(revoked.revokedAt, null);
  const second = await keys('create', '--label', 'b');
  assert.deepEqual([second.stderr, second.stdout.includes(state)], ['', true]);
  assert.deepEqual(readdirSync(state), ['keys.sqlite']);
});

test('list shows the state folder, and the limits, origins, addresses and expiry of each key', async (context) => {
  const { cwd, state, keys } = inEmptyFolder(context);
  const origins = ['--origin', 'https://a.test', 'https://b.test'];
  await keys('create', '--label', 'a', ...origins, '--cidr', '10.0.0.0/8', '--expires', '2099-12-31');
  await keys('create', '--label', 'b');
  const limited = JSON.parse(
    (await keys('create', '--label', 'c', '--per-day', '1000000000', '--batch', '--json')).stdout,
  );
  assert.deepEqual([limited.perDay, limited.batch], [1_000_000_000, true]);
  const { stdout } = await keys('list');
  assert.ok(stdout.startsWith(`Keys in ${state}\n`), stdout);
  assert.match(stdout, /ORIGINS +ADDRESSES/);
  assert.match(stdout, / a +20 .* 2099-12-31 00:00 .* https:\/\/a\.test, https:\/\/b\.test +10\.0\.0\.0\/8\n/);
  assert.match(stdout, / b +20 .* any +any\n/);
  assert.match(stdout, /PER MINUTE +PER DAY +BATCH +CREATED/);
  assert.match(stdout, / b +20 +60 +- +- +20/);
  assert.match(stdout, / c +20 +60 +1000000000 +yes +20/);
  writeFileSync(join(cwd, 'toponym.json'), '{"callsPerMinute": 90}');
  assert.match((await keys('list')).stdout, / c +20 +90 +1000000000 +yes +20/);
});

test('an invalid value of create is refused with the name of its flag', async (context) => {
  const { cwd, keys } = inEmptyFolder(context);
  for (const [flag, value] of [
    ['--max-records', '21'],
    ['--max-records', 'many'],
    ['--per-minute', '0'],
    ['--per-day', '0'],
    ['--per-day', '1000000001'],
    ['--per-day', 'unlimited'],
    ['--per-day', '-5'],
    ['--expires', 'tomorrow'],
    ['--expires', '2020-01-01'],
    ['--expires', '2030-02-31'],
    ['--origin', 'https://*.example.com'],
    ['--origin', 'example.com'],
    ['--cidr', '10.0.0.0/40'],
    ['--label', ' '],
  ] as const) {
    const { code, stderr } = await keys('create', '--label', 'x', flag, value);
    assert.equal(code, 2, `${flag} ${value}`);
    assert.ok(stderr.startsWith(`toponym: ${flag}: must `) && stderr.endsWith('.\n'), stderr);
    assert.equal(stderr.split('\n').length, 2);
  }
  const range = 'must be an integer from 1 to 10000 or "unlimited", got "-5".';
  const { stderr } = await keys('create', '--label', 'x', '--per-minute', '-5');
  assert.equal(stderr, `toponym: --per-minute: ${range}\n`);
  assert.deepEqual(readdirSync(cwd), [], 'a refused key leaves no state folder behind');
});

test('an unknown key is an error that names the id, but not a key that was given in its place', async (context) => {
  const { state, keys } = inEmptyFolder(context);
  const { key } = JSON.parse((await keys('create', '--label', 'a', '--json')).stdout);
  for (const [given, shown] of [
    ['nobody', 'nobody'],
    [key, 'tpk_***'],
  ]) {
    const { code, stderr } = await keys('revoke', given);
    const message = `toponym: there is no key with the id "${shown}" in ${state}; npx toponym keys list shows the ids.\n`;
    assert.deepEqual([code, stderr], [1, message]);
  }
  const unknown = await keys(key);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /^toponym: unknown command "tpk_\*\*\*"\n/);
});

test('backup writes a copy that only its owner can read and that works as a key store', async (context) => {
  const { cwd, state, keys } = inEmptyFolder(context);
  const created = JSON.parse((await keys('create', '--label', 'a', '--json')).stdout);
  const { stdout, code } = await keys('backup', 'copy.sqlite', '--json');
  const file = join(cwd, 'copy.sqlite');
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout), { file, keys: 1, bytes: statSync(file).size });
  assert.deepEqual(readdirSync(cwd).sort(), ['copy.sqlite', 'state']);
  if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
  const copy = openSqliteKeys(file);
  context.after(() => copy.close());
  assert.equal(copy.find(created.key)?.id, created.id);
  assert.match((await keys('backup', 'text.sqlite')).stdout, /text\.sqlite/);
  assert.ok(existsSync(state));
});

test('a backup is refused over a file, into no folder, and of a damaged store, and leaves nothing behind', async (context) => {
  const { cwd, state, keys } = inEmptyFolder(context);
  await keys('create', '--label', 'a');
  writeFileSync(join(cwd, 'old.sqlite'), 'precious');
  const assertRefused = async (file: string, code: number, message: RegExp) => {
    const result = await keys('backup', file);
    assert.equal(result.code, code);
    assert.match(result.stderr, message);
  };
  await assertRefused('old.sqlite', 2, /^toponym: .*old\.sqlite already exists.*\n$/);
  assert.equal(readFileSync(join(cwd, 'old.sqlite'), 'utf8'), 'precious');
  await assertRefused('missing/copy.sqlite', 1, /^toponym: the backup .*copy\.sqlite cannot be written: .*\n$/);
  writeFileSync(join(state, 'keys.sqlite'), '');
  await assertRefused('copy.sqlite', 1, /^toponym: key store .* is damaged: .*\n$/);
  assert.deepEqual(readdirSync(cwd).sort(), ['old.sqlite', 'state']);
});

test('every command reports a key store that is a broken link as an error, not as missing', async (context) => {
  const { state, keys } = inEmptyFolder(context);
  mkdirSync(state);
  symlinkSync('volume/keys.sqlite', join(state, 'keys.sqlite'));
  for (const args of [['list'], ['revoke', 'k1'], ['backup', 'copy.sqlite'], ['create', '--label', 'a']]) {
    const { code, stderr } = await keys(...args);
    assert.equal(code, 1, args.join(' '));
    assert.match(
      stderr,
      /^toponym: key store \S+ cannot be used: the link points to a file that does not exist \(.*\n$/,
    );
  }
  assert.deepEqual(readdirSync(state), ['keys.sqlite']);
});

test('a backup is refused under a name that SQLite uses for the key store', async (context) => {
  const { cwd, state, keys } = inEmptyFolder(context);
  await keys('create', '--label', 'a');
  symlinkSync('state', join(cwd, 'link'));
  for (const name of [
    'state/keys.sqlite-journal',
    'state/keys.sqlite-wal',
    'link/keys.sqlite-shm',
    'state/keys.sqlite.bak',
  ]) {
    const { code, stderr } = await keys('backup', name);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /^toponym: The backup file \S+ cannot be written: names that begin with keys\.sqlite .*\n$/);
  }
  assert.deepEqual(readdirSync(state), ['keys.sqlite']);
  assert.equal((await keys('backup', 'state/copy.sqlite')).code, 0);
  assert.equal((await keys('backup', 'keys.sqlite-journal')).code, 0);
});

test('revoking the first key deletes its text, and revoking another key does not', async (context) => {
  const { state, keys } = inEmptyFolder(context);
  const path = join(state, 'first-key.txt');
  const other = JSON.parse((await keys('create', '--label', 'other', '--json')).stdout);
  const first = JSON.parse((await keys('create', '--label', 'first key', '--json')).stdout);
  writeFileSync(path, `${first.key}\n`);
  assert.equal((await keys('revoke', other.id)).stderr, '');
  assert.ok(existsSync(path));
  const { code, stderr } = await keys('revoke', first.id);
  assert.deepEqual([code, stderr], [0, `Deleted ${path}, which held the text of this key.\n`]);
  assert.ok(!existsSync(path));
});
