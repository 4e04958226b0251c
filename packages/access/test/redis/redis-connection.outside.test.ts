import { test } from 'node:test';
import { waitUntil } from '../../../../test/support/deadline.ts';
import { redisProgram, startRedisCluster } from '../../../../test/support/redis.ts';
import { aConnection } from './a-redis.ts';
import { someSettings } from './some-settings.ts';

const { skip } = redisProgram;

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

test('a connection to a cluster that is closed while it reads the topology leaves nothing open', {
  skip,
}, async (context) => {
  const cluster = await startRedisCluster(context);
  const connection = await aConnection(context, someSettings(cluster.urls, 'cluster'));
  const connected = openSockets();
  const master = await cluster.masterOf('a');
  const others = cluster.servers.filter((server) => server !== master);
  await master.kill();
  await waitUntil('the connection to the master is closed', () => openSockets() < connected);
  // servers that do not answer keep the library reading
  for (const server of others) server.signal('SIGSTOP');
  let looks = 0;
  await waitUntil('the topology is read again', () => {
    looks = openSockets() >= connected ? looks + 1 : 0; // a failed attempt to connect opens a socket too
    return looks > 10;
  });
  connection.close();
  for (const server of others) server.signal('SIGCONT');
  await waitUntil('no connection is left', async () => {
    const lists = await Promise.all(others.map((server) => server.cli('CLIENT', 'LIST', 'TYPE', 'normal')));
    return lists.every((list) => list.split('\n').length === 1); // that of redis-cli
  });
});
