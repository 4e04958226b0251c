/**
 * Calls that arrive in one tick of the event loop, answered together when the tick ends: a few are computed, then their
 * responses are sent. Computing and sending each fill the processor's caches with code and data of their own; alternating
 * between them for each call would evict both.
 *
 * No client holds up the others: a batch that has taken too long yields to the event loop, and calls of a client whose
 * calls were slow a moment ago run after everybody else's, at least one per tick.
 */

/** Calls computed before the first of their responses is sent. */
const BATCH_SIZE = 16;
/** A tick's calls yield to the event loop after this time. A usual call takes a tenth of a millisecond or less. */
const YIELD_AFTER_MS = 5;
/** A client with a call that took this long has slow calls. */
const SLOW_CALL_MS = 1;
/** How long the client's calls then run after those of others. */
const SLOW_FOR_MS = 1000;

export interface BatchSteps<Call, Result> {
  /** Whose call it is: calls of one client wait for each other. */
  readonly clientOf: (call: Call) => object;
  /** Neither step may throw. */
  readonly compute: (call: Call) => Result;
  readonly send: (call: Call, result: Result) => void;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
}

export class TickBatch<Call, Result> {
  readonly #steps: BatchSteps<Call, Result>;
  readonly #now: () => number;
  #calls: Call[] = [];
  readonly #slowCalls: Call[] = [];
  readonly #slowUntilMs = new WeakMap<object, number>();
  /** Until then there may be clients of slow calls. */
  #someSlowUntilMs = 0;
  /** The time at the last look at the clock. */
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
    // calls that arrived in the meantime are answered after those left over
    if (next < calls.length) this.#calls = [...calls.slice(next), ...this.#calls];
    do {
      const slowCall = this.#slowCalls.shift();
      if (slowCall !== undefined) this.#steps.send(slowCall, this.#compute(slowCall));
    } while (this.#slowCalls.length > 0 && this.#clockMs < yieldAtMs);
    if (this.#calls.length + this.#slowCalls.length > 0) this.#schedule();
  }

  /** Answers `calls` from `from` on, and returns where it stopped. */
  #answerBatch(calls: readonly Call[], from: number, yieldAtMs: number): number {
    const batch: Call[] = [];
    const results: Result[] = [];
    let next = from;
    while (next < calls.length && batch.length < BATCH_SIZE && this.#clockMs < yieldAtMs) {
      const call = calls[next++]!;
      if (this.#isFromSlowClient(call)) {
        this.#slowCalls.push(call);
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
      this.#someSlowUntilMs = endedMs + SLOW_FOR_MS;
      this.#slowUntilMs.set(this.#steps.clientOf(call), this.#someSlowUntilMs);
    }
    this.#clockMs = endedMs;
    return result;
  }

  #isFromSlowClient(call: Call): boolean {
    if (this.#someSlowUntilMs <= this.#clockMs) return false;
    return (this.#slowUntilMs.get(this.#steps.clientOf(call)) ?? 0) > this.#clockMs;
  }
}
