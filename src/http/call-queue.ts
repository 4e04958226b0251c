/**
 * Queues the calls that arrive in one tick of the event loop. When the tick ends, it computes the
 * responses of one batch of calls, sends them, and continues with the next batch. Computing and
 * sending each fill the processor's caches with their own code and data; alternating between them
 * for each call would evict both.
 *
 * No client delays the others for long: after a few milliseconds the remaining calls wait for the
 * next tick. A call that takes long marks its client as slow, and calls of slow clients are
 * deferred until after all other calls. At least one deferred call runs per tick.
 */

/** Maximum calls in a batch. */
const BATCH_SIZE = 16;
/** Time after which the remaining calls wait for the next tick. A typical call takes 0.1 ms. */
const YIELD_AFTER_MS = 5;
/** A call that takes longer than this marks its client as slow. */
const SLOW_CALL_MS = 1;
/** How long a client stays marked as slow. */
const SLOW_FOR_MS = 1000;

export interface CallSteps<Call, Response> {
  /** Identifies the client of a call. */
  readonly clientOf: (call: Call) => object;
  /** Must not throw. */
  readonly compute: (call: Call) => Response;
  /** Must not throw. */
  readonly send: (call: Call, response: Response) => void;
  /** A monotonic clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number;
}

export class CallQueue<Call, Response> {
  readonly #steps: CallSteps<Call, Response>;
  readonly #now: () => number;
  #calls: Call[] = [];
  /** Calls of clients marked as slow. */
  readonly #deferredCalls: Call[] = [];
  readonly #slowUntilMs = new WeakMap<object, number>();
  /** The latest time in `#slowUntilMs`. After it no client is slow. */
  #latestSlowUntilMs = 0;
  /** The last reading of the clock: when the previous call ended and the next one starts. */
  #clockMs = 0;
  #isScheduled = false;

  constructor(steps: CallSteps<Call, Response>) {
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
    setImmediate(() => this.#endTick());
  }

  #endTick(): void {
    this.#isScheduled = false;
    this.#clockMs = this.#now();
    const yieldAtMs = this.#clockMs + YIELD_AFTER_MS;
    const calls = this.#calls;
    this.#calls = [];
    let next = 0;
    while (next < calls.length && this.#clockMs < yieldAtMs) next = this.#answerBatch(calls, next, yieldAtMs);
    // the remaining calls stay ahead of calls that arrived in the meantime
    if (next < calls.length) this.#calls = [...calls.slice(next), ...this.#calls];
    this.#answerDeferred(yieldAtMs);
    if (this.#calls.length + this.#deferredCalls.length > 0) this.#schedule();
  }

  /**
   * Answers one batch of `calls`, starting at index `from`; defers calls of slow clients. Returns
   * the index of the next call.
   */
  #answerBatch(calls: readonly Call[], from: number, yieldAtMs: number): number {
    const batch: Call[] = [];
    const responses: Response[] = [];
    let next = from;
    while (next < calls.length && batch.length < BATCH_SIZE && this.#clockMs < yieldAtMs) {
      const call = calls[next++]!;
      if (this.#isFromSlowClient(call)) {
        this.#deferredCalls.push(call);
      } else {
        batch.push(call);
        responses.push(this.#compute(call));
      }
    }
    for (let i = 0; i < batch.length; i++) this.#steps.send(batch[i]!, responses[i]!);
    this.#clockMs = this.#now();
    return next;
  }

  /** Answers deferred calls until `yieldAtMs`, but at least one. */
  #answerDeferred(yieldAtMs: number): void {
    do {
      const call = this.#deferredCalls.shift();
      if (call === undefined) return;
      this.#steps.send(call, this.#compute(call));
      this.#clockMs = this.#now();
    } while (this.#clockMs < yieldAtMs);
  }

  /** Also marks the client as slow if the call takes long. */
  #compute(call: Call): Response {
    const response = this.#steps.compute(call);
    const endedMs = this.#now();
    if (endedMs - this.#clockMs > SLOW_CALL_MS) {
      this.#latestSlowUntilMs = endedMs + SLOW_FOR_MS;
      this.#slowUntilMs.set(this.#steps.clientOf(call), this.#latestSlowUntilMs);
    }
    this.#clockMs = endedMs;
    return response;
  }

  #isFromSlowClient(call: Call): boolean {
    if (this.#latestSlowUntilMs <= this.#clockMs) return false;
    return (this.#slowUntilMs.get(this.#steps.clientOf(call)) ?? 0) > this.#clockMs;
  }
}
