import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRedisMode, parseRedisUrl, redisAddress, redisRefusal } from '../../src/redis/redis-settings.ts';
import { someSettings } from './some-settings.ts';

test('a URL names host, port, user, password, database and TLS', () => {
  assert.deepEqual(parseRedisUrl('rediss://me:p%40ss@[::1]:6380/3'), {
    host: '::1',
    port: 6380,
    isTls: true,
    username: 'me',
    password: 'p@ss',
    database: 3,
  });
  const plain = { isTls: false, username: undefined, password: undefined, database: 0 };
  assert.deepEqual(parseRedisUrl('redis://cache'), { host: 'cache', port: 6379, ...plain });
});

test('what is not a URL of Redis is refused', () => {
  for (const text of [
    '',
    'cache:6379',
    'http://cache',
    'redis://',
    'redis://cache/x',
    'redis://cache?a=1',
    'redis://a#b',
    'redis://:100%sure@cache',
    'redis://50%@cache',
  ]) {
    assert.equal(parseRedisUrl(text), undefined, text);
  }
});

test('the mode is standalone, cluster, or sentinel with a name', () => {
  assert.deepEqual(parseRedisMode('cluster'), { kind: 'cluster' });
  assert.deepEqual(parseRedisMode('sentinel:places'), { kind: 'sentinel', name: 'places' });
  for (const text of ['', 'Cluster', 'sentinel', 'sentinel:', 'sentinel:a b']) {
    assert.equal(parseRedisMode(text), undefined, text);
  }
});

test('settings that cannot work together are refused with a reason', () => {
  const refusal = (urls: string, mode?: string) => redisRefusal(someSettings(urls, mode));
  assert.equal(refusal('redis://a'), undefined);
  assert.equal(refusal('redis://a,redis://b', 'cluster'), undefined);
  assert.match(refusal('redis://a,redis://b') ?? '', /--redis-mode cluster/);
  assert.match(refusal('redis://a/1', 'cluster') ?? '', /only database 0/);
  assert.match(refusal('redis://a,rediss://b', 'cluster') ?? '', /mixed/);
  assert.equal(refusal('redis://me:1@a,redis://me:1@b', 'cluster'), undefined);
  for (const urls of ['redis://me@a,redis://you@b', 'redis://:1@a,redis://:2@b', 'redis://a,redis://:2@b']) {
    assert.match(refusal(urls, 'sentinel:places') ?? '', /same user and password/);
  }
});

test('messages name the servers without user and password', () => {
  const settings = someSettings('redis://me:secret@a:1,redis://me:secret@[::1]:2', 'cluster');
  assert.equal(redisAddress(settings), 'a:1, [::1]:2');
});
