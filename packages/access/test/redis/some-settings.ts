import { parseRedisMode, parseRedisUrl, type RedisSettings } from '../../src/redis/redis-settings.ts';

export function someSettings(urls: string, modeText = 'standalone'): RedisSettings {
  const mode = parseRedisMode(modeText);
  const nodes = urls.split(',').map(parseRedisUrl);
  if (mode === undefined || nodes.includes(undefined)) throw new Error(`bad settings: ${urls} ${modeText}`);
  return {
    mode,
    nodes: nodes.filter((node) => node !== undefined),
    password: undefined,
    ca: undefined,
    prefix: 'toponym',
  };
}
