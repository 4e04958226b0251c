/** Puts the settings about Redis together, and reads the files that they name. */

import { type RedisSettings, redisRefusal } from '../../access/redis/redis-settings.ts';
import { errorReason } from '../../errors/error-message.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { readTextFile } from '../../files/regular-file.ts';
import type { Settings } from './settings.ts';

const MAX_PASSWORD_BYTES = 4096;
const MAX_CA_BYTES = 1024 * 1024;

type RedisFlags = Pick<
  Settings,
  'redis' | 'redisMode' | 'redisPassword' | 'redisPasswordFile' | 'redisCa' | 'redisPrefix'
>;

/** Returns undefined if no Redis is given. Throws UsageError if the settings do not fit together. */
export function redisSettings(settings: RedisFlags): RedisSettings | undefined {
  const { redis: nodes, redisMode: mode, redisPassword, redisPasswordFile, redisCa, redisPrefix } = settings;
  if (nodes === undefined) {
    if (mode.kind !== 'standalone') throw new UsageError('--redis-mode needs --redis with at least one URL.');
    return undefined;
  }
  const refusal = redisRefusal({ mode, nodes });
  if (refusal !== undefined) throw new UsageError(`--redis: ${refusal}.`);
  if (redisCa !== undefined && !nodes.every(({ isTls }) => isTls)) {
    throw new UsageError('--redis-ca needs rediss:// URLs: redis:// does not use TLS.');
  }
  const password = redisPassword ?? readFile('--redis-password-file', redisPasswordFile, MAX_PASSWORD_BYTES)?.trim();
  if (password === '') throw new UsageError(`--redis-password-file: the file ${redisPasswordFile} is empty.`);
  return { mode, nodes, password, ca: readFile('--redis-ca', redisCa, MAX_CA_BYTES), prefix: redisPrefix };
}

function readFile(flag: string, path: string | undefined, maxBytes: number): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readTextFile(path, maxBytes);
  } catch (error) {
    throw new UsageError(`${flag}: the file ${path} cannot be read: ${errorReason(error)}.`, { cause: error });
  }
}
