/**
 * A typed array that grows: numbers are appended by the million without boxing them. Of one element type only, because code
 * that meets typed arrays of several types is several times slower in V8.
 */
export class GrowingUint32 {
  length = 0;
  private items = new Uint32Array(1024);

  push(value: number): void {
    if (this.length === this.items.length) {
      const larger = new Uint32Array(2 * this.items.length);
      larger.set(this.items);
      this.items = larger;
    }
    this.items[this.length++] = value;
  }

  at(i: number): number {
    return this.items[i]!;
  }

  /** What was pushed, without a copy: later pushes may leave it behind. */
  view(): Uint32Array {
    return this.items.subarray(0, this.length);
  }

  toArray(): Uint32Array {
    return this.items.slice(0, this.length);
  }
}
