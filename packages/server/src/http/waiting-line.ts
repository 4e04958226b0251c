/**
 * A line of waiting items: first come, first served, until the first has waited too long. From then on
 * there is more work than time: the newest are served, because their clients still wait, and a few of
 * the oldest are given up at a time. So most of the time goes into responses that are still of use.
 */

/** A client whose request has waited this long is better told to come back. */
const MAX_WAIT_MS = 500;
/** Giving up costs a third of a response, so this takes about a tenth of a thread's time. */
const MAX_GIVEN_UP_AT_ONCE = 8;
/** Used items at the start of the array are removed when there are more than this. */
const MAX_USED = 1024;

/** How long a request has waited in a line. */
export interface Wait {
  readonly waitedMs: number;
  /** Whether the request has waited so long that it is given up. */
  readonly isOverdue: boolean;
}

export const NO_WAIT: Wait = { waitedMs: 0, isOverdue: false };

export interface Waiting {
  /** When the item began to wait, on the clock of the line. Must not change while it is in the line. */
  readonly sinceMs: number;
}

export class WaitingLine<T extends Waiting> {
  readonly #now: () => number;
  /** In the order of `sinceMs`. */
  #items: T[] = [];
  /** Index of the oldest item. */
  #first = 0;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get length(): number {
    return this.#items.length - this.#first;
  }

  push(item: T): void {
    let at = this.#items.length;
    while (at > this.#first && this.#items[at - 1]!.sinceMs > item.sinceMs) at--;
    this.#items.splice(at, 0, item);
  }

  /** Takes the item to serve next: the oldest, or the newest while the oldest has waited too long. */
  take(): T | undefined {
    return this.#isOverdue() ? this.#items.pop() : this.#takeOldest();
  }

  /** Takes some of the items that have waited too long, to give them up. */
  takeOverdue(): T[] {
    const overdue: T[] = [];
    while (overdue.length < MAX_GIVEN_UP_AT_ONCE && this.#isOverdue()) overdue.push(this.#takeOldest()!);
    return overdue;
  }

  #isOverdue(): boolean {
    const oldest = this.#items[this.#first];
    return oldest !== undefined && this.#now() - oldest.sinceMs > MAX_WAIT_MS;
  }

  #takeOldest(): T | undefined {
    const oldest = this.#items[this.#first];
    if (oldest === undefined) return undefined;
    this.#first++;
    if (this.#first === this.#items.length || this.#first > MAX_USED) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return oldest;
  }
}
