/** Numbers distinct strings in the order of first use, after 0 for the empty string. */
export class Interner {
  readonly strings: string[] = [''];
  readonly #numbers = new Map([['', 0]]);

  intern(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.strings.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }
}
