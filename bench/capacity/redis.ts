/** A Redis of its own, and the processor time that the commands of a replica take in it. */
import { spawn } from 'node:child_process';
import { TAKE_CALLS } from 'toponym-access/limits/redis-counter';
import { RedisConnection } from 'toponym-access/redis/redis-connection';
import { parseRedisUrl, type RedisNode } from 'toponym-access/redis/redis-settings';
import { freePort } from '../../test/support/free-port.ts';
import { cpuUs } from '../process-usage.ts';
import { stopProcess } from '../service.ts';

/** Commands on their way in each connection, as those of the threads of a busy service. */
const PIPELINED = 16;
const CONNECTIONS = 8;
const ADDRESSES = 100_000;
const CONNECT_MS = 10_000;

export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export async function startRedis(program: string): Promise<RedisServer> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(program, args, { stdio: 'ignore' });
  return { url: `redis://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => stopProcess(child) };
}

export interface RedisCosts {
  readonly limitUs: number;
  readonly keyCheckUs: number;
  readonly addressBytes: number;
  /** Limits that one server has decided per second. */
  readonly limitsPerSecond: number;
}

export async function measureRedis({ url, pid }: RedisServer, seconds: number): Promise<RedisCosts> {
  const nodes = [parseRedisUrl(url) as RedisNode];
  const settings = {
    mode: { kind: 'standalone' },
    nodes,
    password: undefined,
    ca: undefined,
    prefix: 'bench',
  } as const;
  const connections = Array.from({ length: CONNECTIONS }, () => new RedisConnection(settings));
  await Promise.all(connections.map((connection) => connection.ready(CONNECT_MS)));
  const memory = async () => {
    const info = String(await connections[0]?.send('', ['INFO', 'memory']));
    return Number(/^used_memory:(\d+)/m.exec(info)?.[1]);
  };
  let sent = 0;
  const nextName = () => `bench:{limits}:${(sent++ % ADDRESSES).toString(16).padStart(40, '0')}`;
  const limit = (connection: RedisConnection) => connection.run(TAKE_CALLS, [nextName()], ['60', '1']);
  const keyCheck = (connection: RedisConnection) => connection.send('bench:revision', ['GET', 'bench:revision']);
  try {
    const before = await memory();
    const limits = await measureCommand({ connections, pid, seconds, command: limit, pipelined: PIPELINED });
    const addressBytes = ((await memory()) - before) / Math.min(sent, ADDRESSES);
    // a thread asks once per tick, and the next time after the reply
    const checks = await measureCommand({ connections, pid, seconds, command: keyCheck, pipelined: 1 });
    return { limitUs: limits.cpuUs, limitsPerSecond: limits.perSecond, keyCheckUs: checks.cpuUs, addressBytes };
  } finally {
    for (const connection of connections) connection.close();
  }
}

interface CommandLoad {
  readonly connections: readonly RedisConnection[];
  readonly pid: number;
  readonly seconds: number;
  readonly command: (connection: RedisConnection) => Promise<unknown>;
  readonly pipelined: number;
}

async function measureCommand({ connections, pid, seconds, command, pipelined }: CommandLoad) {
  const startedUs = cpuUs(pid);
  const startedMs = performance.now();
  let count = 0;
  const sendUntilEnd = async (connection: RedisConnection) => {
    while (performance.now() - startedMs < seconds * 1000) {
      await Promise.all(Array.from({ length: pipelined }, () => command(connection)));
      count += pipelined;
    }
  };
  await Promise.all(connections.map(sendUntilEnd));
  const elapsedUs = (performance.now() - startedMs) * 1000;
  const usedUs = cpuUs(pid) - startedUs;
  return { cpuUs: usedUs / count, perSecond: (count / elapsedUs) * 1e6 };
}
