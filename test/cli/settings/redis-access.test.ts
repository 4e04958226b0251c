import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redisSettings } from '../../../src/cli/settings/redis-access.ts';
import { resolveSettings } from '../../../src/cli/settings/resolve-settings.ts';
import { UsageError } from '../../../src/errors/usage-error.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('settings of Redis that cannot work are refused with the reason, and without the password', (context) => {
  const refusals: [Record<string, string>, RegExp][] = [
    [{ redis: 'redis://me:secret@127.0.0.1' }, /a password on the command line can be read by every user/],
    [{ redis: 'http://127.0.0.1' }, /must be URLs such as redis:/],
    [{ redis: 'redis://a,redis://b' }, /one server has one URL/],
    [{ redisMode: 'cluster' }, /--redis-mode needs --redis/],
    [{ redis: 'redis://a', redisMode: 'ring' }, /must be standalone, cluster or sentinel:NAME, got "ring"/],
    [{ redis: 'redis://a', redisCa: 'ca.pem' }, /--redis-ca needs rediss:/],
    [{ redis: 'redis://a', redisPrefix: '{x}' }, /--redis-prefix: must be/],
    [{ redis: 'redis://a', redisPasswordFile: '/nowhere' }, /\/nowhere cannot be read/],
  ];
  const workingFolder = temporaryFolder(context);
  for (const [flags, reason] of refusals) {
    assert.throws(
      () => redisSettings(resolveSettings({ flags, env: {}, workingFolder })),
      (error) => error instanceof UsageError && reason.test(error.message) && !error.message.includes('secret'),
      String(reason),
    );
  }
});
