/** Ordinary clients: a few persistent connections with a call every few milliseconds. */
import { Agent } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../test/support/deadline.ts';
import type { RunningService } from '../../test/support/running-service.ts';

export const CLIENTS = 4;
const BETWEEN_CALLS_MS = 15;
const QUERIES = ['par', 'london', 'new york', 'sprngfield', 'tokio', 'berlin', 'san fra'];

export class SteadyLoad {
  failed = 0;
  readonly #latenciesMs: number[] = [];
  readonly #service: RunningService;
  readonly #key: string;
  readonly #clients: Promise<void>[];
  #isStopped = false;

  /** `key` must have no rate limit. */
  constructor(service: RunningService, key: string) {
    this.#service = service;
    this.#key = key;
    this.#clients = Array.from({ length: CLIENTS }, () => this.#runClient());
  }

  /** Latencies of the calls since the last time. */
  takeLatencies(): number[] {
    return this.#latenciesMs.splice(0);
  }

  /** Resolves when so many calls have been answered. */
  async untilAnswered(count: number): Promise<void> {
    await waitUntil(`${count} calls are answered`, () => this.#latenciesMs.length - this.failed >= count);
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
      const isAnswered = await this.#service.call('/api/1/query', { form, key: this.#key, agent }).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (!isAnswered) this.failed++;
      this.#latenciesMs.push(performance.now() - startedMs);
      await delay(BETWEEN_CALLS_MS);
    }
    agent.destroy();
  }
}
