/**
 * How many threads, replicas and servers of Redis a rate of calls needs, and what they cost. A model of
 * sums: everything that it knows is measured (`Measured`) or chosen (`Choices`), and it measures nothing.
 */

/** What `section.ts` measures on one machine. */
export interface Measured {
  /** Processor time of the service per call, with limits in Redis. */
  readonly cpuUsPerCall: number;
  /** Memory of a busy service without its threads, and of each thread. */
  readonly baseBytes: number;
  readonly threadBytes: number;
  readonly indexBytes: number;
  /** Of a response, with its headers. */
  readonly responseBytes: number;
  /** Processor time of Redis for the limit of one call, and for the question whether keys have changed. */
  readonly limitUs: number;
  readonly keyCheckUs: number;
  /** Memory of Redis per address that called within a minute. */
  readonly addressBytes: number;
}

export interface Machine {
  readonly name: string;
  readonly cores: number;
  readonly bytes: number;
  readonly dollarsPerHour: number;
}

export interface Choices {
  /** Share of a processor that is planned for; the rest is for peaks. */
  readonly utilisation: number;
  /** Types of machines for replicas, small ones first. */
  readonly machines: readonly Machine[];
  /** A larger type is taken above this number. */
  readonly maxReplicas: number;
  readonly redisMachine: Machine;
  /** A master and its copies. */
  readonly nodesPerShard: number;
  readonly callsPerAddressAndMinute: number;
  /** Addresses within a minute for which a replica has counters of their own. */
  readonly addressesPerReplica: number;
  /** Bytes on the wire per byte of a response. */
  readonly wireShare: number;
  readonly balancerDollarsPerGigabyte: number;
  /** Price of traffic to the internet, up to a number of gigabytes per month. */
  readonly trafficTiers: readonly { readonly upToGigabytes: number; readonly dollarsPerGigabyte: number }[];
}

export interface Capacity {
  readonly machine: Machine;
  readonly replicas: number;
  /** Of each replica. */
  readonly threads: number;
  readonly replicaBytes: number;
  /** Groups of replicas, each with a Redis of its own. */
  readonly cells: number;
  /** In each cell. */
  readonly shards: number;
  readonly bitsPerSecond: number;
  /** Downloads of one new index by all replicas. */
  readonly indexDownloadBytes: number;
  readonly dollarsPerHour: { readonly replicas: number; readonly redis: number; readonly traffic: number };
  /** How full each part is; 1 is the most that it can do. */
  readonly fullness: Readonly<Record<'processors' | 'memory' | 'addresses' | 'keys' | 'redisMemory', number>>;
}

/** `RedisLimits` divides the limits into so many groups, so more shards have nothing to do. */
const MAX_SHARDS = 32;
/** A cluster of Redis needs three masters. */
const MIN_CLUSTER = 3;
/** Redis copies memory while it writes a snapshot. */
const MAX_REDIS_FULLNESS = 0.5;
const HOURS_PER_MONTH = 730;

/** Throws an Error that names the input if one is impossible, or if no machine is large enough. */
export function planCapacity(callsPerSecond: number, measured: Measured, choices: Choices): Capacity {
  requirePositive({ callsPerSecond, ...measured });
  const { machines, redisMachine, trafficTiers, ...figures } = choices;
  requirePositive(figures);
  for (const { name, ...each } of [...machines, redisMachine]) requirePositive(each, `${name}: `);
  if (choices.utilisation > 1) throw new Error(`utilisation must be at most 1, got ${choices.utilisation}`);
  const addresses = (callsPerSecond * 60) / choices.callsPerAddressAndMinute;
  const replicas = planReplicas(callsPerSecond, addresses, measured, choices);
  const redis = planRedis(callsPerSecond, addresses, measured, choices);
  const bytesPerSecond = callsPerSecond * measured.responseBytes * choices.wireShare;
  const gigabytesPerHour = (bytesPerSecond * 3600) / 1e9;
  const { count, machine } = replicas;
  return {
    machine,
    replicas: count,
    threads: machine.cores,
    replicaBytes: replicas.bytes,
    cells: redis.cells,
    shards: redis.shards,
    bitsPerSecond: bytesPerSecond * 8,
    indexDownloadBytes: count * measured.indexBytes,
    dollarsPerHour: {
      replicas: count * machine.dollarsPerHour,
      redis: redis.cells * redis.shards * choices.nodesPerShard * redisMachine.dollarsPerHour,
      traffic: trafficDollars(gigabytesPerHour, trafficTiers) + gigabytesPerHour * choices.balancerDollarsPerGigabyte,
    },
    fullness: {
      processors: (callsPerSecond * measured.cpuUsPerCall) / (count * machine.cores * 1e6),
      memory: replicas.bytes / machine.bytes,
      addresses: addresses / count / choices.addressesPerReplica,
      keys: redis.keysFullness,
      redisMemory: redis.memoryFullness,
    },
  };
}

/**
 * Calls per second of replicas of one thread on one machine, which also runs Redis and the clients: as many as the
 * threads can answer, or as the machine has processor time for (`machineUsPerCall` with Redis and clients).
 */
export function predictCalls(replicas: number, cores: number, cpuUsPerCall: number, machineUsPerCall: number): number {
  requirePositive({ replicas, cores, cpuUsPerCall, machineUsPerCall });
  return Math.min((replicas * 1e6) / cpuUsPerCall, (cores * 1e6) / machineUsPerCall);
}

/** One replica more than the calls need, because one may fail. */
function planReplicas(callsPerSecond: number, addresses: number, measured: Measured, choices: Choices) {
  const cores = (callsPerSecond * measured.cpuUsPerCall) / 1e6 / choices.utilisation;
  const plans = choices.machines.map((machine) => ({
    machine,
    count: Math.max(Math.ceil(cores / machine.cores), Math.ceil(addresses / choices.addressesPerReplica)) + 1,
    // while an index is replaced, both are in memory
    bytes: measured.baseBytes + measured.indexBytes + machine.cores * measured.threadBytes,
  }));
  const plan = plans.find(({ count }) => count <= choices.maxReplicas) ?? plans.at(-1);
  if (plan === undefined) throw new Error('machines: must name at least one type of machine');
  const { machine, bytes } = plan;
  if (bytes > machine.bytes)
    throw new Error(`${machine.name}: has ${machine.bytes} bytes, and a replica needs ${bytes}`);
  return plan;
}

/**
 * Limits are divided over the shards. The question whether keys have changed is always for the same
 * shard, so more shards do not help it, but cells do: keys may take half of that shard.
 */
function planRedis(callsPerSecond: number, addresses: number, measured: Measured, choices: Choices) {
  const { limitUs, keyCheckUs, addressBytes } = measured;
  const perShard = choices.utilisation * 1e6;
  const limitLoad = callsPerSecond * limitUs;
  const keyLoad = callsPerSecond * keyCheckUs; // a busy thread asks once for several calls, others for each
  const bytes = addresses * addressBytes;
  for (let cells = Math.ceil(keyLoad / (perShard / 2)); ; cells++) {
    const forLimits = limitLoad / cells / (perShard - keyLoad / cells);
    const forMemory = bytes / cells / (choices.redisMachine.bytes * MAX_REDIS_FULLNESS);
    const needed = Math.ceil(Math.max(forLimits, forMemory));
    if (needed > MAX_SHARDS) continue;
    const shards = needed === 1 ? 1 : Math.max(MIN_CLUSTER, needed);
    return {
      cells,
      shards,
      keysFullness: (keyLoad + limitLoad / shards) / cells / 1e6,
      memoryFullness: bytes / cells / shards / choices.redisMachine.bytes,
    };
  }
}

function trafficDollars(gigabytesPerHour: number, tiers: Choices['trafficTiers']): number {
  const perMonth = gigabytesPerHour * HOURS_PER_MONTH;
  let from = 0;
  let dollars = 0;
  for (const { upToGigabytes, dollarsPerGigabyte } of tiers) {
    dollars += Math.max(0, Math.min(perMonth, upToGigabytes) - from) * dollarsPerGigabyte;
    from = upToGigabytes;
  }
  if (perMonth > from) throw new Error(`trafficTiers: end at ${from} GB, and a month has ${Math.round(perMonth)} GB`);
  return dollars / HOURS_PER_MONTH;
}

function requirePositive(values: Readonly<Record<string, number>>, of = ''): void {
  for (const [name, value] of Object.entries(values)) {
    if (!(value > 0 && value < Number.POSITIVE_INFINITY)) throw new Error(`${of}${name} must be above 0, got ${value}`);
  }
}
