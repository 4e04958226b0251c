/** Ordinary clients: a few persistent connections with a call every few milliseconds. */

import { Agent } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { summarize } from '../../bench/statistics.ts';
import { waitUntil } from '../../test/support/deadline.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import type { Scale } from '../checks.ts';
import type { FaultRun } from '../scenario.ts';
import { createKey } from '../service.ts';

export const CLIENTS = 4;
const BASELINE_MS = { full: 10_000, short: 500 };
const BETWEEN_CALLS_MS = { full: 15, short: 60 };
const QUERIES = ['par', 'london', 'new york', 'sprngfield', 'tokio', 'berlin', 'san fra'];

/** Starts a load, and measures its calls before a fault begins. */
export async function startSteadyLoad(run: FaultRun, service: RunningService) {
  const { key } = await createKey(run, service);
  const load = new SteadyLoad(service, key, run.scale);
  run.after(() => load.stop());
  await delay(BASELINE_MS[run.scale]); // the first calls are slower
  load.takeLatencies();
  await delay(BASELINE_MS[run.scale]);
  return { key, load, before: summarize(load.takeLatencies()) };
}

export class SteadyLoad {
  #failed = 0;
  /** Calls with status 503, which a service sends if it has too little time. */
  #overloaded = 0;
  readonly #latenciesMs: number[] = [];
  readonly #service: RunningService;
  readonly #key: string;
  readonly #scale: Scale;
  readonly #clients: Promise<void>[];
  #isStopped = false;

  /** `key` must have no rate limit. */
  constructor(service: RunningService, key: string, scale: Scale) {
    this.#service = service;
    this.#key = key;
    this.#scale = scale;
    this.#clients = Array.from({ length: CLIENTS }, () => this.#runClient());
  }

  /** Calls that failed. Beside other tests a service may have too little time: that counts in a full run only. */
  get failures(): number {
    return this.#failed + (this.#scale === 'full' ? this.#overloaded : 0);
  }

  /** Latencies of the calls since the last time. */
  takeLatencies(): number[] {
    return this.#latenciesMs.splice(0);
  }

  /** Resolves when so many calls have been answered. */
  async untilAnswered(count: number): Promise<void> {
    await waitUntil(
      `${count} calls are answered`,
      () => this.#latenciesMs.length - this.#failed - this.#overloaded >= count,
    );
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #runClient(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; !this.#isStopped; i++) {
      const startedMs = performance.now();
      const form = { query: QUERIES[i % QUERIES.length] ?? '' };
      const status = await this.#service.call('/api/1/query', { form, key: this.#key, agent }).then(
        (response) => response.status,
        () => undefined,
      );
      if (status === 503) this.#overloaded++;
      else if (status !== 200) this.#failed++;
      this.#latenciesMs.push(performance.now() - startedMs);
      await delay(BETWEEN_CALLS_MS[this.#scale]);
    }
    agent.destroy();
  }
}
