/**
 * What all typeaheads of a client share: the results seen before, and how many calls the service still allows
 * (docs/api.md, Limits), so that several fields of a page neither repeat a call nor run into the limit.
 */
import type { Hits } from './api-types.ts';
import { secondsUntil } from './call.ts';

const MAX_RESULTS = 100;
/** With so few calls left, or fewer, only finished words are asked for. */
const FEW_CALLS = 15;
/** Calls leave the window of the limit after this time. */
const WINDOW_MS = 60_000;

export class Session {
  /** By options and text, the least recently used first. */
  readonly #results = new Map<string, Hits>();
  #callsLeft = Number.POSITIVE_INFINITY;
  #notedMs = 0;
  #closedUntilMs = 0;

  find(key: string): Hits | undefined {
    return this.#results.get(key);
  }

  /** Keeps a result as the one used last. */
  keep(key: string, result: Hits): void {
    this.#results.delete(key);
    this.#results.set(key, result);
    const [oldest] = this.#results.keys();
    if (this.#results.size > MAX_RESULTS && oldest !== undefined) this.#results.delete(oldest);
  }

  /** Whether few calls are left, of those per minute or per day. */
  get isShort(): boolean {
    return this.#callsLeft <= FEW_CALLS && Date.now() < Math.max(this.#notedMs + WINDOW_MS, this.#closedUntilMs);
  }

  /** Until then the service would refuse a call. */
  get closedUntilMs(): number {
    return this.#closedUntilMs;
  }

  /** Reads the headers of a response. */
  readonly note = (headers: Headers): void => {
    this.#notedMs = Date.now();
    this.#callsLeft = Number.POSITIVE_INFINITY;
    for (const [, left, seconds] of headers.get('ratelimit')?.matchAll(/r=(\d+);t=(\d+)/g) ?? []) {
      this.#callsLeft = Math.min(this.#callsLeft, Number(left));
      if (left === '0') this.#close(Number(seconds));
    }
    const seconds = secondsUntil(headers.get('retry-after'));
    if (seconds !== undefined) this.#close(seconds);
  };

  #close(seconds: number): void {
    this.#closedUntilMs = Math.max(this.#closedUntilMs, this.#notedMs + Math.max(1, seconds) * 1000);
  }
}
