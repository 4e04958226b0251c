/**
 * A line of waiting items: first come, first served, until the first has waited too long. From then on
 * there is more work than time: the newest are served, because their clients still wait, and a few of
 * the oldest are given up at a time. So most of the time goes into responses that are still of use.
 */

/** A client whose request has waited this long is better told to come back. */
const MAX_WAIT_MS = 500;
/** Giving up costs a third of a response, so this takes about a tenth of a thread's time. */
const MAX_GIVEN_UP_AT_ONCE = 8;
/** Used entries at the start of the array are removed when there are more than this. */
const MAX_USED = 1024;

interface Entry<T> {
  readonly item: T;
  readonly sinceMs: number;
}

export class WaitingLine<T> {
  readonly #now: () => number;
  #entries: Entry<T>[] = [];
  /** Index of the oldest entry. */
  #first = 0;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get length(): number {
    return this.#entries.length - this.#first;
  }

  push(item: T): void {
    this.#entries.push({ item, sinceMs: this.#now() });
  }

  /** Takes the item to serve next: the oldest, or the newest while the oldest has waited too long. */
  take(): T | undefined {
    return this.#isOverdue() ? this.#entries.pop()?.item : this.#takeOldest();
  }

  /** Takes some of the items that have waited too long, to give them up. */
  takeOverdue(): T[] {
    const overdue: T[] = [];
    while (overdue.length < MAX_GIVEN_UP_AT_ONCE && this.#isOverdue()) overdue.push(this.#takeOldest()!);
    return overdue;
  }

  #isOverdue(): boolean {
    const oldest = this.#entries[this.#first];
    return oldest !== undefined && this.#now() - oldest.sinceMs > MAX_WAIT_MS;
  }

  #takeOldest(): T | undefined {
    const oldest = this.#entries[this.#first];
    if (oldest === undefined) return undefined;
    this.#first++;
    if (this.#first === this.#entries.length || this.#first > MAX_USED) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
    return oldest.item;
  }
}
