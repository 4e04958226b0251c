/**
 * A set of place ids. One set of numbers per letter takes a third of the memory of a set of
 * strings.
 */
export class PlaceIds {
  readonly #numbers = new Map<string, Set<number>>();

  /** Returns whether the id was absent. */
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
