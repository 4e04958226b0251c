/**
 * Work that comes in one turn of the event loop, done together when the turn ends: of a few at a time first one half, then
 * the other. Searching and sending each fill the processor's caches with code and data of their own; done by turns for each
 * request, they would push each other out.
 */

/** So many at a time: what is made first waits for no more than these. */
const TOGETHER = 16;

export class Turn<Item, Made> {
  private readonly make: (item: Item) => Made;
  private readonly send: (item: Item, made: Made) => void;
  private items: Item[] = [];

  /** Neither half may throw. */
  constructor(make: (item: Item) => Made, send: (item: Item, made: Made) => void) {
    this.make = make;
    this.send = send;
  }

  add(item: Item): void {
    if (this.items.push(item) === 1) setImmediate(() => this.end());
  }

  private end(): void {
    const { items } = this;
    this.items = [];
    const made: Made[] = [];
    for (let from = 0; from < items.length; from += TOGETHER) {
      const to = Math.min(from + TOGETHER, items.length);
      for (let i = from; i < to; i++) made.push(this.make(items[i]!));
      for (let i = from; i < to; i++) this.send(items[i]!, made[i]!);
    }
  }
}
