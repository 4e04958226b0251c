import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAddress, parseCidr } from '../../src/address.ts';
import {
  checkKeyFields,
  judgeKey,
  KeyFieldError,
  type KeyRecord,
  type NewKeyFields,
  OWN_ORIGIN,
} from '../../src/keys/key-record.ts';

const NOW = 1_000_000;

function aKey(fields: Partial<KeyRecord> = {}): KeyRecord {
  return {
    id: 'k1',
    label: 'test',
    maxRecords: 20,
    perMinute: undefined,
    perDay: undefined,
    batch: false,
    allowedOrigins: [],
    allowedCidrs: [],
    createdAt: 0,
    expiresAt: undefined,
    revokedAt: undefined,
    lastUsedAt: undefined,
    ...fields,
  };
}

function use(fields: { origin?: string; host?: string; address?: string } = {}) {
  const address = parseAddress(fields.address ?? '192.0.2.1');
  assert.ok(address);
  return { nowMs: NOW, origin: fields.origin, host: fields.host, address };
}

test('a key without restrictions works from anywhere', () => {
  assert.equal(judgeKey(aKey(), use()), 'ok');
  assert.equal(judgeKey(undefined, use()), 'unknown');
});

test('a key works until it expires', () => {
  assert.equal(judgeKey(aKey({ expiresAt: NOW + 1 }), use()), 'ok');
  assert.equal(judgeKey(aKey({ expiresAt: NOW }), use()), 'expired');
});

test('a revoked key is refused even if the local clock is behind', () => {
  assert.equal(judgeKey(aKey({ revokedAt: NOW + 5000 }), use()), 'revoked');
  assert.equal(judgeKey(aKey({ revokedAt: NOW - 1, expiresAt: NOW - 1 }), use()), 'revoked');
});

test('a key restricted to origins works only from those', () => {
  const key = aKey({ allowedOrigins: ['https://example.com'] });
  assert.equal(judgeKey(key, use({ origin: 'https://example.com' })), 'ok');
  assert.equal(judgeKey(key, use({ origin: 'https://EXAMPLE.com' })), 'ok');
  for (const origin of ['https://example.com.evil.test', 'http://example.com', 'https://sub.example.com', 'null']) {
    assert.equal(judgeKey(key, use({ origin })), 'origin_not_allowed', origin);
  }
  assert.equal(judgeKey(key, use()), 'origin_not_allowed');
});

test('a key can be restricted to the origin of the service itself', () => {
  const key = aKey({ allowedOrigins: [OWN_ORIGIN] });
  assert.equal(judgeKey(key, use({ origin: 'http://A.test:8443', host: 'a.test:8443' })), 'ok');
  for (const call of [{ origin: 'http://b.test', host: 'a.test' }, { origin: OWN_ORIGIN, host: 'a' }, { host: 'a' }]) {
    assert.equal(judgeKey(key, use(call)), 'origin_not_allowed');
  }
  assert.throws(() => checkKeyFields({ label: 'x', allowedOrigins: [OWN_ORIGIN] }, NOW), KeyFieldError);
});

test('a key restricted to addresses works only from those', () => {
  const allowedCidrs = ['192.0.2.0/24', '2001:db8::/32'].map((block) => parseCidr(block)!);
  const key = aKey({ allowedCidrs });
  assert.equal(judgeKey(key, use({ address: '192.0.2.200' })), 'ok');
  assert.equal(judgeKey(key, use({ address: '2001:db8:ffff::1' })), 'ok');
  assert.equal(judgeKey(key, use({ address: '192.0.3.1' })), 'address_not_allowed');
});

test('new keys get default fields, and origins in the form that browsers send', () => {
  assert.deepEqual(
    checkKeyFields({ label: ' web ', allowedOrigins: ['HTTPS://Example.com:443/', 'http://localhost:3000'] }, NOW),
    {
      label: 'web',
      maxRecords: 20,
      perMinute: undefined,
      perDay: undefined,
      batch: false,
      allowedOrigins: ['https://example.com', 'http://localhost:3000'],
      allowedCidrs: [],
      expiresAt: undefined,
    },
  );
});

test('invalid fields are refused by name', () => {
  const cases: [Partial<NewKeyFields>, RegExp][] = [
    [{ label: ' ' }, /^must have 1 to 200 characters, got 0$/],
    [{ label: 'red\x1b[31m' }, /^must not contain control characters/],
    [{ maxRecords: 0 }, /^must be an integer from 1 to 20, got 0$/],
    [{ maxRecords: 21 }, /got 21$/],
    [{ maxRecords: 1.5 }, /got 1.5$/],
    [{ perMinute: 0 }, /^must be an integer from 1 to 10000, got 0$/],
    [{ perMinute: 10_001 }, /got 10001$/],
    [{ perMinute: Number.NaN }, /got NaN$/],
    [{ perDay: 0 }, /^must be an integer from 1 to 1000000000, got 0$/],
    [{ perDay: 1_000_000_001 }, /got 1000000001$/],
    [{ perDay: 1.5 }, /got 1.5$/],
    [{ expiresAt: Number.NaN }, /^must be a date/],
    [{ expiresAt: -8.64e15 - 1 }, /^must be a date/],
    [{ expiresAt: 8.64e15 + 1 }, /^must be a date/],
    [{ expiresAt: NOW }, /^must be in the future, got 1970-01-01T00:16:40.000Z/],
    [{ allowedOrigins: ['example.com'] }, /^must be like https:\/\/example.com, got "example.com"$/],
    [{ allowedOrigins: ['https://example.com/path'] }, /^must be like/],
    [{ allowedOrigins: ['https://user@example.com'] }, /^must be like/],
    [{ allowedOrigins: ['https://*.example.com'] }, /got "https:\/\/\*\.example.com": wildcards are not supported$/],
    [{ allowedCidrs: ['10.0.0.0/99'] }, /got "10.0.0.0\/99"$/],
  ];
  for (const [fields, message] of cases) {
    assert.throws(
      () => checkKeyFields({ label: 'x', ...fields }, NOW),
      (error) =>
        error instanceof KeyFieldError && error.field === Object.keys(fields)[0] && message.test(error.message),
      JSON.stringify(fields),
    );
  }
});
