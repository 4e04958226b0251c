/**
 * Random calls of many addresses to several replicas, at a steady rate. A trusted proxy reports the
 * addresses. Afterwards it can be checked that no window of 60 seconds has too many accepted calls,
 * and that no call was refused wrongly.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { AcceptedCalls } from '../http/accepted-calls.ts';
import { RawConnection } from '../http/raw-connection.ts';
import type { Choose } from '../requests/choices.ts';

const CONNECTIONS_PER_REPLICA = 8;
const TICK_MS = 5;
/** While so many calls wait, no other is sent: on a busy machine, a steady rate would be an overload. */
const MAX_WAITING = 100;
/** Every third call comes from one of these addresses, so that they are always at their limit. */
const HOT_ADDRESSES = 10;

export interface RandomCallsOptions {
  readonly ports: readonly number[];
  readonly key: string;
  readonly addresses: number;
  readonly callsPerSecond: number;
  readonly choose: Choose;
}

interface Refusal {
  readonly address: number;
  readonly sentMs: number;
  readonly receivedMs: number;
}

export class RandomCalls {
  sent = 0;
  /** Statuses other than 200, 429 and 503, and connections that closed without a response. */
  readonly errors: string[] = [];
  /** Calls with status 503, which a service sends if it has too little time. */
  overloaded = 0;
  readonly #options: RandomCallsOptions;
  readonly #connections: readonly (readonly RawConnection[])[];
  /** By address: of all replicas together, and of each of them. */
  readonly #accepted: readonly AcceptedCalls[];
  readonly #acceptedByReplica: readonly (readonly AcceptedCalls[])[];
  readonly #refusals: Refusal[] = [];
  #latenciesMs: number[] = [];
  #waiting = 0;

  constructor(options: RandomCallsOptions) {
    this.#options = options;
    const { ports, addresses } = options;
    this.#connections = ports.map((port) =>
      Array.from({ length: CONNECTIONS_PER_REPLICA }, () => new RawConnection({ port })),
    );
    const perAddress = () => Array.from({ length: addresses }, () => new AcceptedCalls());
    this.#accepted = perAddress();
    this.#acceptedByReplica = ports.map(perAddress);
  }

  get acceptedCount(): number {
    return this.#accepted.reduce((sum, calls) => sum + calls.count, 0);
  }

  /** Calls until `isDone` returns true. Resolves when all calls are answered. */
  async runUntil(isDone: () => boolean): Promise<void> {
    const answers: Promise<void>[] = [];
    const startedMs = performance.now();
    const sentBefore = this.sent;
    while (!isDone()) {
      const due = ((performance.now() - startedMs) / 1000) * this.#options.callsPerSecond;
      while (this.sent - sentBefore < due && this.#waiting < MAX_WAITING) answers.push(this.#call());
      await delay(TICK_MS);
    }
    await Promise.all(answers);
  }

  /** Latencies since the last time. */
  takeLatencies(): number[] {
    const taken = this.#latenciesMs;
    this.#latenciesMs = [];
    return taken;
  }

  /** Addresses that had more than 60 calls accepted in 60 seconds, by all replicas together. */
  overLimit(): number {
    return this.#accepted.filter((calls) => calls.isOverLimit()).length;
  }

  /** The same for each replica on its own. */
  overLimitOfOneReplica(): number {
    return this.#acceptedByReplica.flat().filter((calls) => calls.isOverLimit()).length;
  }

  wrongfulRefusals(): number {
    return this.#refusals.filter(
      ({ address, sentMs, receivedMs }) => !this.#accepted[address]?.mayRefuse(sentMs, receivedMs),
    ).length;
  }

  close(): void {
    for (const connection of this.#connections.flat()) connection.destroy();
  }

  async #call(): Promise<void> {
    const { choose, addresses, ports, key } = this.#options;
    const replica = choose(ports.length);
    const address = choose(3) === 0 ? choose(Math.min(HOT_ADDRESSES, addresses)) : choose(addresses);
    const connection = this.#connections[replica]![this.sent++ % CONNECTIONS_PER_REPLICA]!;
    const sentMs = performance.now();
    this.#waiting++;
    const response = await connection.send(callFrom(address, key));
    this.#waiting--;
    const receivedMs = performance.now();
    this.#latenciesMs.push(receivedMs - sentMs);
    if (response?.status === 200) {
      this.#accepted[address]?.add(sentMs, receivedMs);
      this.#acceptedByReplica[replica]?.[address]?.add(sentMs, receivedMs);
    } else if (response?.status === 429) {
      this.#refusals.push({ address, sentMs, receivedMs });
    } else if (response?.status === 503) {
      this.overloaded++;
    } else {
      this.errors.push(response === undefined ? `no response: ${connection.error}` : `status ${response.status}`);
    }
  }
}

function callFrom(address: number, key: string): string {
  return [
    'POST /api/1/query?query=par&hitsPerPage=1 HTTP/1.1',
    'Host: a',
    `X-Forwarded-For: 10.0.${address >> 8}.${address & 255}`,
    `X-Service-Key: ${key}`,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}
