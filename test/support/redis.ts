/** Real Redis servers for tests: one, a cluster of six, or a master and a replica with sentinels. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { waitUntil } from './deadline.ts';
import { freePort } from './free-port.ts';
import { outsideProgram } from './outside-programs.ts';
import type { RunningService } from './running-service.ts';

export const redisProgram = outsideProgram('redis-server');

const execute = promisify(execFile);
const redisCli = join(dirname(redisProgram.path), 'redis-cli');
const CLUSTER_NODE_TIMEOUT_MS = 1000;
const SENTINEL_DOWN_AFTER_MS = 1000;
/** A master sends its data to a new replica at once, instead of after 5 seconds. */
const NO_SYNC_DELAY = ['--repl-diskless-sync-delay', '0'];
export const SENTINEL_MASTER = 'places';
const DUMP_WITHIN_MS = 20_000;
const MAX_DUMP_BYTES = 1024 ** 3;
const DUMP_END = 'end of the dump';
const DUMP = `
local read = {
  string = function(name) return {redis.call('GET', name)} end,
  hash = function(name) return redis.call('HGETALL', name) end,
  list = function(name) return redis.call('LRANGE', name, 0, -1) end,
  set = function(name) return redis.call('SMEMBERS', name) end,
  zset = function(name) return redis.call('ZRANGE', name, 0, -1) end,
  stream = function(name) return redis.call('XRANGE', name, '-', '+') end,
}
local reply = {}
for _, name in ipairs(redis.call('KEYS', '*')) do
  reply[#reply + 1] = name
  reply[#reply + 1] = read[redis.call('TYPE', name).ok](name)
end
reply[#reply + 1] = '${DUMP_END}'
return reply
`;

/** With a `keySearch`, the content of each server is searched before the server is stopped. */
type Ending = Pick<TestContext, 'after'> & {
  readonly keySearch?: { readonly search: (output: string, text: string) => void };
};

/** Starts a server that keeps its data in memory. `options` are those of redis-server. */
export async function startRedis(context: Ending, ...options: string[]): Promise<RedisServer> {
  return await startStore(context, { host: '127.0.0.1', port: await freePort() }, options);
}

/**
 * The server that the tests of a file share. The function empties it, and starts it when it is first
 * called. Tests that stop, fill or configure a server start one of their own.
 */
export function sharedRedis(): () => Promise<RedisServer> {
  let started: Promise<RedisServer> | undefined;
  after(async () => await (await started)?.remove());
  return async () => {
    started ??= startRedis({ after: () => {} });
    const redis = await started;
    await redis.cli('FLUSHALL');
    return redis;
  };
}

async function startStore(context: Ending, address: Address, options: readonly string[]): Promise<RedisServer> {
  const server = await startAt(context, address, ['--save', '', ...options]);
  context.after(async () => {
    if (server.isRunning) context.keySearch?.search('redis', await server.dump());
  });
  return server;
}

async function startAt(context: Ending, address: Address, options: readonly string[]): Promise<RedisServer> {
  const server = new RedisServer(address, options);
  context.after(() => server.remove());
  await server.start();
  return server;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Runs `action` again until it returns a value. On a busy machine, Redis may answer too late for it. */
export async function untilRedisDecides<T>(action: (round: number) => Promise<T | undefined>): Promise<T> {
  let result: T | undefined;
  let round = 0;
  await waitUntil('Redis decides', async () => {
    result = await action(round++);
    return result !== undefined;
  });
  return result as T;
}

/** Calls that services with `--metrics-port` have decided on their own, because Redis was late or gone. */
export async function decidedLocally(services: readonly Pick<RunningService, 'ready'>[]): Promise<number> {
  const metrics = await Promise.all(
    services.map(async ({ ready }) => await (await fetch(ready.metricsUrl ?? '')).text()),
  );
  const counts = metrics.map((page) => /^toponym_calls_limited_locally_total (\d+)$/m.exec(page)?.[1]);
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

export class RedisServer {
  readonly host: string;
  readonly port: number;
  /** The command-line options of redis-cli that every call needs, such as a password. */
  cliOptions: readonly string[] = [];
  readonly #options: readonly string[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'toponym-redis-'));
  #process: ChildProcess | undefined;

  constructor({ host, port }: Address, options: readonly string[]) {
    this.host = host;
    this.port = port;
    this.#options = options;
  }

  get #cliArguments(): string[] {
    return ['-h', this.host, '-p', String(this.port), ...this.cliOptions];
  }

  get isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  get #nftTable(): string {
    return `toponym_test_${this.port}`;
  }

  get url(): string {
    return `redis://${this.host}:${this.port}`;
  }

  async start(): Promise<void> {
    const places = ['--port', String(this.port), '--bind', this.host, '--dir', this.#folder];
    // options after a configuration file would be read as file names of sentinels
    this.#process = spawn(redisProgram.path, [...this.#options, ...places], { stdio: 'ignore' });
    await waitUntil(`Redis answers on port ${this.port}`, async () => {
      if (!this.isRunning) throw new Error(`Redis did not start on port ${this.port}`);
      return /PONG|NOAUTH/.test(await this.ask('PING'));
    });
  }

  /** The raw reply to a command without a login; empty if there is no connection. Costs no process. */
  async ask(command: string): Promise<string> {
    const socket = connect(this.port, this.host);
    socket.end(`${command}\r\n`); // Redis replies, and then closes the connection
    return await text(socket).catch(() => '');
  }

  /** Runs redis-cli and returns its output. */
  async cli(...words: string[]): Promise<string> {
    const { stdout } = await execute(redisCli, [...this.#cliArguments, ...words]);
    return stdout.trim();
  }

  async tryCli(...words: string[]): Promise<string> {
    return await this.cli(...words).catch((error: Error) => error.message);
  }

  /** A counter of the server, such as `total_reads_processed`. */
  async counter(name: string): Promise<number> {
    const value = new RegExp(`^${name}:(.*)$`, 'm').exec(await this.cli('INFO', 'everything'))?.[1];
    if (value === undefined) throw new Error(`Redis has no counter ${name}`);
    return Number.parseFloat(value);
  }

  /** Drops all packets from and to the server's address, which must be its own. Needs root and nft. */
  async cutOff(): Promise<void> {
    const chain = 'chain input { type filter hook input priority 0;';
    const rules = `ip saddr ${this.host} drop; ip daddr ${this.host} drop;`;
    await execute('nft', [`table inet ${this.#nftTable} { ${chain} ${rules} }; }`]);
  }

  /** Lets packets through again. */
  async reconnect(): Promise<void> {
    await execute('nft', ['delete', 'table', 'inet', this.#nftTable]);
  }

  /** All names and values that the server holds. */
  async dump(): Promise<string> {
    const dump = execute(redisCli, this.#cliArguments, {
      encoding: 'latin1',
      maxBuffer: MAX_DUMP_BYTES,
      timeout: DUMP_WITHIN_MS,
    });
    // a replica in a cluster answers only after READONLY; other servers refuse that command
    dump.child.stdin?.end(`READONLY\nEVAL_RO ${JSON.stringify(DUMP.replaceAll('\n', ' '))} 0\n`);
    const { stdout } = await dump;
    if (!stdout.includes(DUMP_END)) throw new Error(`Redis on port ${this.port} cannot be searched: ${stdout}`);
    return stdout;
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.kill(name);
  }

  /** Ends the server at once. */
  async kill(): Promise<void> {
    const server = this.#process;
    if (server === undefined || !this.isRunning) return;
    const exit = once(server, 'exit');
    server.kill('SIGKILL');
    await exit;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export interface RedisCluster {
  readonly servers: readonly RedisServer[];
  /** For --redis. */
  readonly urls: string;
  /** Resolves when every master has a replica that could take over. */
  untilComplete(): Promise<void>;
  /** The master that holds the Redis key `name`. */
  masterOf(name: string): Promise<RedisServer>;
}

/** Three masters, each with a replica. Every server has an address of its own. */
export async function startRedisCluster(context: Ending): Promise<RedisCluster> {
  const servers = await Promise.all(Array.from({ length: 6 }, (_, i) => startNode(context, i)));
  const [first] = servers;
  if (first === undefined) throw new Error('no server was started');
  const addresses = servers.map(({ host, port }) => `${host}:${port}`);
  await first.cli('--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes');
  await untilComplete(servers);
  return {
    servers,
    urls: servers.map(({ url }) => url).join(','),
    untilComplete: () => untilComplete(servers),
    async masterOf(name) {
      const port = await portOfMaster(servers, name);
      const master = servers.find((server) => server.port === port);
      if (master === undefined) throw new Error(`no server of the cluster has port ${port}`);
      return master;
    },
  };
}

async function startNode(context: Ending, i: number): Promise<RedisServer> {
  const address = { host: `127.77.${process.pid % 250}.${10 + i}`, port: await freePort() };
  const busPort = String(await freePort());
  const timeout = String(CLUSTER_NODE_TIMEOUT_MS);
  const cluster = ['--cluster-enabled', 'yes', '--cluster-port', busPort, '--cluster-node-timeout', timeout];
  // protected mode refuses all clients but 127.0.0.1
  const own = ['--cluster-announce-ip', address.host, '--bind-source-addr', address.host, '--protected-mode', 'no'];
  return await startStore(context, address, [...cluster, ...own, ...NO_SYNC_DELAY]);
}

async function untilComplete(servers: readonly RedisServer[]): Promise<void> {
  for (const server of servers) {
    await waitUntil('the cluster is complete', async () => {
      const isOk = (await server.ask('CLUSTER INFO')).includes('cluster_state:ok');
      const replication = await server.ask('INFO replication');
      return isOk && /^(master_link_status:up|slave0:.*state=online)/m.test(replication);
    });
  }
}

/** Asks a server that is up. `CLUSTER SLOTS` lists the master of each range first. */
async function portOfMaster(servers: readonly RedisServer[], name: string): Promise<number> {
  for (const server of servers) {
    const slot = Number(await server.tryCli('CLUSTER', 'KEYSLOT', name));
    const ranges = JSON.parse((await server.tryCli('--json', 'CLUSTER', 'SLOTS')) || 'null') as
      | [number, number, [string, number]][]
      | null;
    const range = ranges?.find(([from, to]) => from <= slot && slot <= to);
    if (range !== undefined) return range[2][1];
  }
  throw new Error('no server of the cluster answers');
}

export interface SentinelGroup {
  readonly master: RedisServer;
  readonly replica: RedisServer;
  /** URLs of the sentinels, for --redis. */
  readonly urls: string;
}

export async function startSentinels(context: Ending): Promise<SentinelGroup> {
  const master = await startRedis(context, ...NO_SYNC_DELAY);
  const replica = await startRedis(context, '--replicaof', `127.0.0.1 ${master.port}`, ...NO_SYNC_DELAY);
  await waitUntil('the replica follows', async () => (await replica.ask('ROLE')).includes('connected'));
  const sentinels = await Promise.all(Array.from({ length: 3 }, () => startSentinel(context, master.port)));
  for (const sentinel of sentinels) {
    await waitUntil('the sentinels know each other', async () => {
      const state = await sentinel.ask(`SENTINEL MASTER ${SENTINEL_MASTER}`);
      return /num-slaves\s+\$1\s+1\s/.test(state) && /num-other-sentinels\s+\$1\s+2\s/.test(state);
    });
  }
  return { master, replica, urls: sentinels.map(({ url }) => url).join(',') };
}

async function startSentinel(context: Ending, masterPort: number): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'toponym-sentinel-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'sentinel.conf'); // sentinels write to their configuration file
  const lines = [
    `sentinel monitor ${SENTINEL_MASTER} 127.0.0.1 ${masterPort} 2`,
    `sentinel down-after-milliseconds ${SENTINEL_MASTER} ${SENTINEL_DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${SENTINEL_MASTER} 3000`,
  ];
  writeFileSync(file, lines.join('\n'));
  return await startAt(context, { host: '127.0.0.1', port: await freePort() }, [file, '--sentinel']);
}
