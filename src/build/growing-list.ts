/** A typed array that grows: numbers are appended by the million without boxing them. */
export class GrowingUint32 {
  private array = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.array.length) {
      const larger = new Uint32Array(this.array.length * 2);
      larger.set(this.array);
      this.array = larger;
    }
    this.array[this.length++] = value;
  }

  at(i: number): number {
    return this.array[i]!;
  }

  toArray(): Uint32Array {
    return this.array.slice(0, this.length);
  }
}
