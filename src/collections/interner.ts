/** Texts to small numbers in the order of first use; 0 is the empty text. */
export class Numbering {
  readonly all: string[] = [''];
  private readonly known = new Map([['', 0]]);

  of(text: string): number {
    let number = this.known.get(text);
    if (number === undefined) {
      number = this.all.push(text) - 1;
      this.known.set(text, number);
    }
    return number;
  }
}
