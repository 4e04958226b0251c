/** Redis has no memory left, is a read-only replica, or gets a password that the service does not know. */
import { type RedisServer, startRedis } from '../../test/support/redis.ts';
import { behaves, exactly } from '../checks.ts';
import { callFor, callUntilUsed, noErrors, startReplicas, withoutRedis } from '../redis/replicas.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { runCommand } from '../service.ts';

const LOAD = { full: { addresses: 100, callsPerSecond: 500 }, short: { addresses: 5, callsPerSecond: 200 } };
const FAULT_MS = { full: 5_000, short: 500 };

interface Fault {
  readonly name: string;
  readonly begin: (redis: RedisServer) => Promise<unknown>;
  readonly end: (redis: RedisServer) => Promise<unknown>;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'maxmemory is reached',
    begin: (redis) => redis.cli('CONFIG', 'SET', 'maxmemory', '1'),
    end: (redis) => redis.cli('CONFIG', 'SET', 'maxmemory', '0'),
  },
  {
    name: 'Redis is a read-only replica',
    begin: (redis) => redis.cli('REPLICAOF', '127.0.0.1', '1'),
    end: (redis) => redis.cli('REPLICAOF', 'NO', 'ONE'),
  },
  {
    name: 'the password is wrong',
    begin: async (redis) => {
      await redis.cli('CONFIG', 'SET', 'requirepass', 'secret');
      redis.cliOptions = ['--no-auth-warning', '-a', 'secret'];
      await redis.cli('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    },
    end: async (redis) => {
      await redis.cli('CONFIG', 'SET', 'requirepass', '');
      redis.cliOptions = [];
    },
  },
];

export const redisCannotWrite: Scenario = {
  name: 'redis-cannot-write',
  promise:
    'While Redis is full, read-only or refuses the password, clients see no error, each replica holds the limit, and Redis is used again afterwards.',
  run: runFaults,
};

async function runFaults(run: FaultRun) {
  const missing = withoutRedis();
  if (missing !== undefined) return missing;
  const redis = await startRedis(run);
  const replicas = await startReplicas(run, ['--redis', redis.url], LOAD[run.scale]);
  const { calls, services } = replicas;
  await callFor(calls, FAULT_MS[run.scale]);
  for (const fault of FAULTS) {
    await fault.begin(redis);
    await callUntilUsed(replicas, false);
    await callFor(calls, FAULT_MS[run.scale]);
    await fault.end(redis);
    await callUntilUsed(replicas, true);
    run.print(`${fault.name}: Redis is used again`);
  }
  await redis.cli('CONFIG', 'SET', 'requirepass', 'secret');
  redis.cliOptions = ['--no-auth-warning', '-a', 'secret'];
  const list = await runCommand(run, ['keys', 'list', '--redis', redis.url]);
  // beside other tests the faults may last longer, and each replica may log one line in 30 seconds
  const maxLogLines = run.scale === 'full' ? FAULTS.length : Number.POSITIVE_INFINITY;
  const logLines = services.map((service) => service.log().split('Redis cannot be used').length - 1);
  return [
    noErrors(run.scale, calls),
    exactly('addresses with a window of more than 60 calls accepted by one replica', calls.overLimitOfOneReplica(), 0),
    behaves(
      '`toponym keys` without the password',
      'exit code 1 and the reason',
      list.code === 1 && /NOAUTH/.test(list.stderr) ? undefined : `${list.code}: ${list.stderr}`,
    ),
    behaves(
      'log lines of each replica about three faults',
      'at least one, at most three',
      logLines.every((lines) => lines >= 1 && lines <= maxLogLines) ? undefined : logLines.join(' and '),
    ),
  ];
}
