/** The accepted calls of one address, to check a rate limit from outside. */

const LIMIT = 60;
const WINDOW_MS = 60_000;

export class AcceptedCalls {
  readonly #calls: { readonly sentMs: number; readonly receivedMs: number }[] = [];

  get count(): number {
    return this.#calls.length;
  }

  add(sentMs: number, receivedMs: number): void {
    this.#calls.push({ sentMs, receivedMs });
  }

  /**
   * Whether more than 60 calls were accepted in less than 60 seconds. The service counted each call
   * between its sending and its response, so network delays cannot make this true by mistake.
   */
  isOverLimit(): boolean {
    const calls = this.#calls.toSorted((a, b) => a.sentMs - b.sentMs);
    return calls.some(({ sentMs }, i) => {
      const window = calls.slice(i, i + LIMIT + 1);
      return window.length > LIMIT && Math.max(...window.map(({ receivedMs }) => receivedMs)) - sentMs < WINDOW_MS;
    });
  }

  /** Whether a call could be refused: 60 calls may have been accepted in the 60 seconds before it. */
  mayRefuse(sentMs: number, receivedMs: number): boolean {
    const before = this.#calls.filter((call) => call.sentMs < receivedMs && call.receivedMs > sentMs - WINDOW_MS);
    return before.length >= LIMIT;
  }
}
