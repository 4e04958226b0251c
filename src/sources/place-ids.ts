/**
 * The ids of places of any source: a letter and a number. A set of numbers for each letter takes a third of one of texts.
 */
export class PlaceIds {
  readonly #numbers = new Map<string, Set<number>>();

  /** False when the id was there already. */
  add(id: string): boolean {
    const letter = id.charAt(0);
    let numbers = this.#numbers.get(letter);
    if (numbers === undefined) {
      numbers = new Set();
      this.#numbers.set(letter, numbers);
    }
    const before = numbers.size;
    return numbers.add(Number(id.slice(1))).size > before;
  }
}
