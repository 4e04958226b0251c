/**
 * Counts calls in Redis. The calls of a tick are counted together, by one script call per group of
 * counters. Each call then gets its decision, whether Redis has answered or not.
 *
 * A rate limit is the sliding log of sliding-log.ts as a Redis list of times; a quota is a hash of a UTC
 * day and its calls, as in quota-table.ts. Times and days are those of the server's clock, in microseconds.
 */
import { errorMessage } from 'toponym-files/errors/errors';
import { defineScript, type RedisConnection, type RedisNames, type RedisScript } from '../redis/redis-connection.ts';
import type { RedisGuard } from '../redis/redis-guard.ts';
import { DAY_MS } from './quota-table.ts';
import { type Allowance, WINDOW_MS } from './sliding-log.ts';

/** More calls would keep the server busy for milliseconds. */
const MAX_CALLS_PER_SCRIPT = 500;

interface RedisCounterOptions {
  readonly connection: RedisConnection;
  /** One of the two scripts below. */
  readonly script: RedisScript;
  /** One for each group of counters. It has braces: Redis Cluster takes the slot from the part in them. */
  readonly namePrefixes: readonly string[];
  /** Runs in every tick with calls, beside the scripts. Decisions wait for it. Must not reject. */
  readonly refreshKeys?: () => Promise<unknown>;
}

export interface CountedCall {
  /** Name of the call's counter, without the prefix of its group. */
  readonly name: string;
  readonly limit: number;
  /** What the script gets about the call. */
  readonly args: readonly string[];
  /**
   * Gets the decision of Redis; undefined if there is none. `gaveUpOnRedis`: Redis did not answer in
   * time, so that the call must not wait for Redis again.
   */
  readonly settle: (shared: Allowance | undefined, gaveUpOnRedis: boolean) => void;
  /** Called if `settle` throws. Must not throw. */
  readonly fail: (error: Error) => void;
}

interface Group {
  readonly prefix: string;
  readonly guard: RedisGuard;
  readonly waiting: CountedCall[];
}

export class RedisCounter {
  /** `roundTrips`: ticks whose calls were sent to Redis. `decidedLocally`: calls that Redis did not decide. */
  readonly counts = { roundTrips: 0, decidedLocally: 0 };
  readonly #options: RedisCounterOptions;
  readonly #groups: readonly Group[];
  #isScheduled = false;

  constructor(options: RedisCounterOptions) {
    this.#options = options;
    const { connection, namePrefixes } = options;
    this.#groups = namePrefixes.map((prefix) => {
      const name = `${prefix}probe`;
      return {
        prefix,
        waiting: [],
        guard: connection.guard(() => connection.send(name, ['SET', name, '1', 'PX', '1000'])),
      };
    });
  }

  /** Counts a call in a group, which is any number, and settles it in a later tick. */
  add(call: CountedCall, group = 0): void {
    this.#groups[group % this.#groups.length]?.waiting.push(call);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#countWaiting());
  }

  /** Makes all servers know the script, so that the first calls need not wait for that. */
  async prepare(): Promise<void> {
    const { connection, script } = this.#options;
    await Promise.all(
      this.#groups.map(({ prefix }) => connection.run(script, [`${prefix}prepare`], ['1', '1', '0', '0'])),
    );
  }

  #countWaiting(): void {
    this.#isScheduled = false;
    const keysRefreshed = this.#options.refreshKeys?.();
    let isRedisUsed = false;
    for (const group of this.#groups) {
      while (group.waiting.length > 0) {
        isRedisUsed ||= group.guard.isInUse;
        void this.#decide(group, group.waiting.splice(0, MAX_CALLS_PER_SCRIPT), keysRefreshed);
      }
    }
    if (isRedisUsed) this.counts.roundTrips++;
  }

  async #decide(
    group: Group,
    calls: readonly CountedCall[],
    keysRefreshed: Promise<unknown> | undefined,
  ): Promise<void> {
    const { isInUse } = group.guard;
    const [allowances] = await Promise.all([this.#count(group, calls), keysRefreshed]);
    const gaveUpOnRedis = isInUse && !group.guard.isInUse;
    for (const [i, { settle, fail }] of calls.entries()) {
      const shared = allowances?.[i];
      if (shared === undefined) this.counts.decidedLocally++;
      try {
        settle(shared, gaveUpOnRedis);
      } catch (error) {
        fail(error instanceof Error ? error : new Error(errorMessage(error), { cause: error }));
      }
    }
  }

  /** Returns undefined if Redis does not answer. Never rejects. */
  async #count({ prefix, guard }: Group, calls: readonly CountedCall[]) {
    const { connection, script } = this.#options;
    const limits = calls.map(({ limit }) => limit);
    const args = calls.flatMap((call) => call.args);
    const names = calls.map(({ name }) => prefix + name) as unknown as RedisNames;
    const reply = await guard.attempt(async () => parseTakeReply(await connection.run(script, names, args), limits));
    if (reply !== undefined && reply.problem !== '') guard.report(reply.problem);
    return reply?.allowances;
  }
}

/** Decisions of the scripts. */
const REFUSED = 0;
const ACCEPTED = 1;
const UNDECIDED = -1;
const NUMBERS_PER_CALL = 3;

/**
 * KEYS are the logs of the calls. ARGV has two numbers for each: the limit, and how many calls to count: all of
 * them or none. The reply is an error text, or '', and three
 * numbers for each call: the decision, the calls in the window, the time until one leaves it.
 * Without memory to write, calls beyond their limit are still refused; others stay undecided.
 */
export const TAKE_CALLS = defineScript(`
local window = ${WINDOW_MS * 1000}
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]

-- After the clock was set back, moves the times of a log back too, so that none is in the future.
local function moveBack(log, newest)
  local times = redis.call('LRANGE', log, 0, -1)
  for i = 1, #times do
    redis.call('LSET', log, i - 1, times[i] - (newest - now))
  end
end

-- The number of calls that have left the window. They are at the start of the list, and few, because
-- every accepted call removes them. So the search starts there: Redis takes long to find the middle
-- of a long list.
local function countOld(log, length)
  local function isOld(i) return tonumber(redis.call('LINDEX', log, i)) <= now - window end
  local low, high = 0, 1
  while high <= length and isOld(high - 1) do low, high = high, 2 * high end
  high = math.min(high - 1, length)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if isOld(middle) then low = middle + 1 else high = middle end
  end
  return low
end

local reply = {''}
for i, log in ipairs(KEYS) do
  local limit, calls = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local newest = tonumber(redis.call('LINDEX', log, -1) or 0)
  if newest > now then moveBack(log, newest) end
  local length = redis.call('LLEN', log)
  local old = countOld(log, length)
  local counted = length - old
  local decision
  local leaving = 1 -- calls that must leave the window before the reset
  if counted + calls > limit then
    decision = ${REFUSED}
    leaving = math.min(counted, counted + calls - limit)
  else
    local times = {}
    for n = 1, calls do times[n] = now end
    local pushed = redis.pcall('RPUSH', log, unpack(times))
    if type(pushed) == 'table' then
      decision = ${UNDECIDED}
      reply[1] = pushed.err
    else
      decision = ${ACCEPTED}
      if old > 0 then redis.call('LTRIM', log, old, -1) end
      redis.call('PEXPIRE', log, ${WINDOW_MS + 1000})
      old = 0
      counted = counted + calls
    end
  end
  local reset = 0
  if counted > 0 then reset = redis.call('LINDEX', log, old + leaving - 1) + window - now end
  reply[#reply + 1] = decision
  reply[#reply + 1] = counted
  reply[#reply + 1] = reset
end
return reply
`);

/**
 * KEYS are the counters of the calls. ARGV has four numbers for each: the quota, how many calls to count, and the
 * day and the calls that the machine knows of, because Redis may have lost them. The reply is that of `TAKE_CALLS`:
 * its numbers are the decision, the calls of the day, and the microseconds until the day ends.
 */
export const TAKE_DAILY_CALLS = defineScript(`
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local today = math.floor(now / ${DAY_MS * 1000})

local reply = {''}
for i, counter in ipairs(KEYS) do
  local quota, added = tonumber(ARGV[4 * i - 3]), tonumber(ARGV[4 * i - 2])
  local knownDay, knownCalls = tonumber(ARGV[4 * i - 1]), tonumber(ARGV[4 * i])
  local fields = redis.call('HMGET', counter, 'day', 'calls')
  local day, calls = tonumber(fields[1] or today), tonumber(fields[2] or 0)
  -- After the clock was set back over midnight, calls still count on the later day, unless it is far ahead.
  local isMoved = day > today + 1
  if day < today then calls = 0 end
  if isMoved or day < today then day = today end
  local isLost = knownDay == day and knownCalls > calls
  if isLost then calls = knownCalls end
  local isRefused = calls + added > quota
  local decision = isRefused and ${REFUSED} or ${ACCEPTED}
  if not isRefused then calls = calls + added end
  if isMoved or isLost or not isRefused then
    local written = redis.pcall('HSET', counter, 'day', day, 'calls', calls)
    if type(written) ~= 'table' then
      redis.call('PEXPIRE', counter, ${2 * DAY_MS})
    elseif not isRefused then
      decision = ${UNDECIDED}
      reply[1] = written.err
    end
  end
  reply[#reply + 1] = decision
  reply[#reply + 1] = calls
  reply[#reply + 1] = (day + 1) * ${DAY_MS * 1000} - now
end
return reply
`);

/** Allowances are in the order of the calls, undefined if undecided. `problem`: why the server cannot write, or empty. */
export function parseTakeReply(reply: unknown, limits: readonly number[]) {
  const [problem] = reply as [string];
  const numbers = reply as readonly number[]; // from the second value on
  const allowances = limits.map((limit, i): Allowance | undefined => {
    const at = 1 + NUMBERS_PER_CALL * i;
    const decision = numbers[at];
    if (decision === UNDECIDED) return undefined;
    const accepted = decision === ACCEPTED;
    const resetMs = (numbers[at + 2] ?? 0) / 1000;
    const remaining = Math.max(0, limit - (numbers[at + 1] ?? 0));
    return { accepted, limit, remaining, resetMs, retryAfterMs: accepted ? 0 : resetMs };
  });
  return { problem, allowances };
}
