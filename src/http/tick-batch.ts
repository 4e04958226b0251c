/**
 * Collects the calls that arrive in one tick of the event loop. When the tick ends, it computes a
 * batch of results, sends them, and continues with the next batch. Computing and sending each fill
 * the processor's caches with their own code and data; alternating between them for each call would
 * evict both.
 *
 * No client delays the others for long: after a few milliseconds the rest of the calls wait for the
 * next tick. Calls of clients marked as slow are deferred until after all other calls; at least one
 * deferred call runs per tick.
 */

/** Results computed before the first of them is sent. */
const BATCH_SIZE = 16;
/** Time after which the rest of the calls wait for the next tick. A typical call takes 0.1 ms. */
const YIELD_AFTER_MS = 5;
/** A call that takes longer than this marks its client as slow. */
const SLOW_CALL_MS = 1;
/** How long a client stays marked as slow. */
const SLOW_FOR_MS = 1000;

export interface BatchSteps<Call, Result> {
  /** Identifies the client of a call. A slow call defers later calls of the same client. */
  readonly clientOf: (call: Call) => object;
  /** Must not throw. */
  readonly compute: (call: Call) => Result;
  /** Must not throw. */
  readonly send: (call: Call, result: Result) => void;
  /** A monotonic clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number;
}

export class TickBatch<Call, Result> {
  readonly #steps: BatchSteps<Call, Result>;
  readonly #now: () => number;
  #calls: Call[] = [];
  /** Calls of clients marked as slow. */
  readonly #deferredCalls: Call[] = [];
  readonly #slowUntilMs = new WeakMap<object, number>();
  /** The latest time in `#slowUntilMs`: after it no client is slow. */
  #latestSlowUntilMs = 0;
  /** The last clock reading. The end of one call serves as the start of the next. */
  #clockMs = 0;
  #isScheduled = false;

  constructor(steps: BatchSteps<Call, Result>) {
    this.#steps = steps;
    this.#now = steps.now ?? (() => performance.now());
  }

  add(call: Call): void {
    this.#calls.push(call);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    this.#clockMs = this.#now();
    const yieldAtMs = this.#clockMs + YIELD_AFTER_MS;
    const calls = this.#calls;
    this.#calls = [];
    let next = 0;
    while (next < calls.length && this.#clockMs < yieldAtMs) next = this.#answerBatch(calls, next, yieldAtMs);
    // the remaining calls stay ahead of those that arrived in the meantime
    if (next < calls.length) this.#calls = [...calls.slice(next), ...this.#calls];
    do {
      const deferredCall = this.#deferredCalls.shift();
      if (deferredCall === undefined) break;
      this.#steps.send(deferredCall, this.#compute(deferredCall));
      this.#clockMs = this.#now();
    } while (this.#clockMs < yieldAtMs);
    if (this.#calls.length + this.#deferredCalls.length > 0) this.#schedule();
  }

  /** Answers one batch of `calls`, starting at index `from`. Returns the index of the next call. */
  #answerBatch(calls: readonly Call[], from: number, yieldAtMs: number): number {
    const batch: Call[] = [];
    const results: Result[] = [];
    let next = from;
    while (next < calls.length && batch.length < BATCH_SIZE && this.#clockMs < yieldAtMs) {
      const call = calls[next++]!;
      if (this.#isFromSlowClient(call)) {
        this.#deferredCalls.push(call);
      } else {
        batch.push(call);
        results.push(this.#compute(call));
      }
    }
    for (let i = 0; i < batch.length; i++) this.#steps.send(batch[i]!, results[i]!);
    this.#clockMs = this.#now();
    return next;
  }

  #compute(call: Call): Result {
    const result = this.#steps.compute(call);
    const endedMs = this.#now();
    if (endedMs - this.#clockMs > SLOW_CALL_MS) {
      this.#latestSlowUntilMs = endedMs + SLOW_FOR_MS;
      this.#slowUntilMs.set(this.#steps.clientOf(call), this.#latestSlowUntilMs);
    }
    this.#clockMs = endedMs;
    return result;
  }

  #isFromSlowClient(call: Call): boolean {
    if (this.#latestSlowUntilMs <= this.#clockMs) return false;
    return (this.#slowUntilMs.get(this.#steps.clientOf(call)) ?? 0) > this.#clockMs;
  }
}
