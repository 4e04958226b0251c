/** Counters in Redis that share a slot of a cluster, so that one script can count many calls. */
import { parseTakeReply, type TakeReply } from './limit-script.ts';
import type { RedisConnection, RedisNames, RedisScript } from './redis-connection.ts';
import { RedisGuard } from './redis-guard.ts';

/** More calls would keep the server busy for milliseconds. */
const MAX_CALLS_PER_SCRIPT = 500;

export interface CounterGroupOptions {
  readonly connection: RedisConnection;
  /** Its reply must be one that `parseTakeReply` reads. */
  readonly script: RedisScript;
  /** Has braces: Redis Cluster hashes only the part in them. */
  readonly namePrefix: string;
  /** Called when `problem` becomes empty or not empty. */
  readonly onChange: () => void;
}

export interface CountedCall {
  /** Name of the call's counter, without the group's prefix. */
  readonly name: string;
  readonly limit: number;
  /** What the script gets about the call. */
  readonly args: readonly string[];
}

export class CounterGroup<Call extends CountedCall> {
  readonly #options: CounterGroupOptions;
  readonly #guard: RedisGuard;
  readonly #waiting: Call[] = [];

  constructor(options: CounterGroupOptions) {
    this.#options = options;
    const { connection, onChange } = options;
    const probeName = `${options.namePrefix}probe`;
    this.#guard = new RedisGuard({
      probe: () => connection.send(probeName, ['SET', probeName, '1', 'PX', '1000']),
      renew: () => connection.renew(),
      onChange,
    });
  }

  /** Why calls are not counted in Redis; empty if they are. */
  get problem(): string {
    return this.#guard.problem;
  }

  /** Whether calls are sent to Redis. */
  get isAsked(): boolean {
    return this.#guard.isAsked;
  }

  add(call: Call): void {
    this.#waiting.push(call);
  }

  /** Removes the calls that one script call shall count; none if no call waits. */
  takeBatch(): readonly Call[] {
    return this.#waiting.splice(0, MAX_CALLS_PER_SCRIPT);
  }

  /** Makes the server know the script, so that the first calls need not wait for that. */
  async prepare(): Promise<void> {
    const { connection, script, namePrefix } = this.#options;
    await connection.run(script, [`${namePrefix}prepare`], ['1', '0', '0']);
  }

  /** Returns undefined if Redis does not answer. Never rejects. */
  async count(calls: readonly Call[]): Promise<TakeReply | undefined> {
    const { connection, script, namePrefix } = this.#options;
    const limits = calls.map(({ limit }) => limit);
    const args = calls.flatMap((call) => call.args);
    const names = calls.map(({ name }) => namePrefix + name) as unknown as RedisNames;
    const reply = await this.#guard.attempt(async () =>
      parseTakeReply(await connection.run(script, names, args), limits),
    );
    if (reply !== undefined && reply.problem !== '') this.#guard.report(reply.problem);
    return reply;
  }

  close(): void {
    this.#guard.close();
  }
}
