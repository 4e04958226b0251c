/**
 * Searches outputs for API keys. It knows every key that the scenarios created, and finds parts of
 * 12 characters too, also if they are percent-encoded.
 */

const PREFIX = 'tpk_';
/** So long a part of a key is never in a text by chance: there are 62 to the power of 12. */
const PART_LENGTH = 12;
const POSSIBLE_PARTS = new RegExp(`[0-9A-Za-z]{${PART_LENGTH},}`, 'g');

export class KeySearch {
  /** Where keys were found, such as `log of the service`. */
  readonly found: string[] = [];
  /** Names of the outputs that were searched, with their total size in characters. */
  readonly searched = new Map<string, number>();
  readonly #parts = new Set<string>();
  #keyCount = 0;

  get keyCount(): number {
    return this.#keyCount;
  }

  addKey(key: string): void {
    const secret = key.slice(PREFIX.length);
    if (this.#parts.has(secret.slice(0, PART_LENGTH))) return;
    this.#keyCount++;
    for (let i = 0; i + PART_LENGTH <= secret.length; i++) this.#parts.add(secret.slice(i, i + PART_LENGTH));
  }

  /** `output` names the kind of text, such as `log`. */
  search(output: string, text: string): void {
    this.searched.set(output, (this.searched.get(output) ?? 0) + text.length);
    if (this.#hasKey(text) || (text.includes('%') && this.#hasKey(decodePercent(text)))) this.found.push(output);
  }

  #hasKey(text: string): boolean {
    for (const [run] of text.matchAll(POSSIBLE_PARTS)) {
      for (let i = 0; i + PART_LENGTH <= run.length; i++) {
        if (this.#parts.has(run.slice(i, i + PART_LENGTH))) return true;
      }
    }
    return false;
  }
}

function decodePercent(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
