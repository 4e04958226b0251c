/** Assigns each distinct string a number, in the order of first use; 0 is the empty string. */
export class Interner {
  /** Strings by number. */
  readonly strings: string[] = [''];
  readonly #numbers = new Map([['', 0]]);

  /** The number of a string, assigned now if it is new. */
  intern(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.strings.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }
}
