/**
 * Work that comes in one turn of the event loop, done together when the turn ends: first one half of all of it, then the
 * other. Searching and sending each fill the processor's caches with code and data of their own; done by turns for each
 * request, they would push each other out.
 */
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
    const made = items.map((item) => this.make(item));
    for (let i = 0; i < items.length; i++) this.send(items[i]!, made[i]!);
  }
}
