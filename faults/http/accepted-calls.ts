/** The accepted calls of one address, to check a rate limit from outside. */

const LIMIT = 60;
const WINDOW_MS = 60_000;

export class AcceptedCalls {
  readonly #calls: { readonly sentMs: number; readonly receivedMs: number }[] = [];

  get count(): number {
    return this.#calls.length;
  }

  /** Calls must be added in the order in which they were sent. */
  add(sentMs: number, receivedMs: number): void {
    this.#calls.push({ sentMs, receivedMs });
  }

  /**
   * Whether more than 60 calls were accepted in less than 60 seconds. The service counted each call
   * between its sending and its response, so network delays cannot make this true by mistake.
   */
  isOverLimit(): boolean {
    return this.#calls.some(({ sentMs }, i) => {
      const last = this.#calls[i + LIMIT];
      return last !== undefined && last.receivedMs - sentMs < WINDOW_MS;
    });
  }
}
