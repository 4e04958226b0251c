/** The sentinels of Redis: whether each answers, and whether they could elect a new master. */
import type { RedisSettings } from '../../access/redis/redis-settings.ts';
import { redisAddress } from '../../access/redis/redis-settings.ts';
import { errorMessage } from '../../errors/error-message.ts';
import { ok, type Verdict, warning } from './finding.ts';

/** Shorter than one attempt of the connection, so that the reason is the one of the socket. */
const CONNECT_WITHIN_MS = 1500;

/** `master` is the name of the master that they watch. */
export async function checkSentinels(settings: RedisSettings, master: string): Promise<Verdict[]> {
  const [first] = settings.nodes;
  const alone = settings.nodes.map((node): RedisSettings => {
    // the library gives all sentinels the password of the first URL, and no user
    const sentinel = { ...node, database: 0, username: undefined, password: first?.password };
    return { ...settings, mode: { kind: 'standalone' }, nodes: [sentinel], password: undefined };
  });
  return await Promise.all(alone.map((each) => askSentinel(each, master)));
}

async function askSentinel(settings: RedisSettings, master: string): Promise<Verdict> {
  const { RedisConnection } = await import('../../access/redis/redis-connection.ts');
  const connection = new RedisConnection(settings);
  const name = `sentinel ${redisAddress(settings)}`;
  try {
    await connection.ready(CONNECT_WITHIN_MS);
    // rejects without a quorum
    const reply = await connection.send('', ['SENTINEL', 'CKQUORUM', master]);
    return ok(`${name}: ${String(reply)}`);
  } catch (error) {
    const advice = 'Bring the sentinels back: without a majority of them, no replica replaces a failed master.';
    return warning(`${name}: ${errorMessage(error)}`, advice);
  } finally {
    connection.close();
  }
}
