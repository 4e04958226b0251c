/**
 * A queue of calls, answered at the end of the tick (turn of the event loop) in which they arrive.
 * Calls are computed and sent in batches, which makes better use of the processor's caches. The
 * calls of connections that have just sent an expensive call are answered last. If there is more work
 * than time, calls that have waited too long are given up.
 */
import { type Waiting, WaitingLine } from './waiting-line.ts';

const BATCH_SIZE = 16;
/** After this time, the queue continues in the next tick. */
const YIELD_AFTER_MS = 5;
/** A call that takes longer to compute marks its connection as slow. */
const SLOW_CALL_MS = 1;
const SLOW_FOR_MS = 1000;

/** What to do with a call. No step may throw. */
interface CallSteps<Call, Computed> {
  /** Returns the same object for all calls of a connection. */
  readonly connectionOf: (call: Call) => object;
  readonly compute: (call: Call) => Computed;
  /** Returns what to send for a call that has waited too long. */
  readonly giveUp: (call: Call) => Computed;
  readonly send: (call: Call, computed: Computed) => void;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

export class CallQueue<Call extends Waiting, Computed> {
  readonly #steps: CallSteps<Call, Computed>;
  readonly #now: () => number;
  readonly #calls: WaitingLine<Call>;
  /** Calls of slow connections. */
  readonly #deferredCalls: WaitingLine<Call>;
  readonly #slowUntilMs = new WeakMap<object, number>();
  #isScheduled = false;

  constructor(steps: CallSteps<Call, Computed>) {
    this.#steps = steps;
    this.#now = steps.now ?? (() => performance.now());
    this.#calls = new WaitingLine(this.#now);
    this.#deferredCalls = new WaitingLine(this.#now);
  }

  add(call: Call): void {
    this.#calls.push(call);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#answerCalls());
  }

  #answerCalls(): void {
    this.#isScheduled = false;
    for (const call of [...this.#calls.takeOverdue(), ...this.#deferredCalls.takeOverdue()]) {
      this.#steps.send(call, this.#steps.giveUp(call));
    }
    const yieldAtMs = this.#now() + YIELD_AFTER_MS;
    while (this.#calls.length > 0 && this.#now() < yieldAtMs) this.#answerBatch(yieldAtMs);
    this.#answerDeferred(yieldAtMs);
    if (this.#calls.length + this.#deferredCalls.length > 0) this.#schedule();
  }

  #answerBatch(yieldAtMs: number): void {
    const batch: Call[] = [];
    const responses: Computed[] = [];
    while (batch.length < BATCH_SIZE && this.#now() < yieldAtMs) {
      const call = this.#calls.take();
      if (call === undefined) break;
      if (this.#isFromSlowConnection(call)) {
        this.#deferredCalls.push(call);
      } else {
        batch.push(call);
        responses.push(this.#compute(call));
      }
    }
    for (let i = 0; i < batch.length; i++) this.#steps.send(batch[i]!, responses[i]!);
  }

  /** Answers at least one deferred call, so that none waits for ever. */
  #answerDeferred(yieldAtMs: number): void {
    do {
      const call = this.#deferredCalls.take();
      if (call === undefined) return;
      this.#steps.send(call, this.#compute(call));
    } while (this.#now() < yieldAtMs);
  }

  /** Also marks the connection as slow if the call takes long. */
  #compute(call: Call): Computed {
    const startedMs = this.#now();
    const response = this.#steps.compute(call);
    const endedMs = this.#now();
    if (endedMs - startedMs > SLOW_CALL_MS) {
      this.#slowUntilMs.set(this.#steps.connectionOf(call), endedMs + SLOW_FOR_MS);
    }
    return response;
  }

  #isFromSlowConnection(call: Call): boolean {
    return (this.#slowUntilMs.get(this.#steps.connectionOf(call)) ?? 0) > this.#now();
  }
}
