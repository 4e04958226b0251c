/**
 * Path of the index that a reload reads. A service of the embedded data reads the index of `toponym
 * update` as soon as that exists. Once it serves the updated index, it does not return to the embedded
 * data, even if the file disappears.
 */
import { existsSync } from 'node:fs';

export class IndexLocation {
  #servedPath: string;
  readonly #updatedPath: string | undefined;

  /** `updatedPath` names the updated index if the service serves the embedded data. */
  constructor(servedPath: string, updatedPath: string | undefined) {
    this.#servedPath = servedPath;
    this.#updatedPath = updatedPath;
  }

  get path(): string {
    const updated = this.#updatedPath;
    return updated !== undefined && existsSync(updated) ? updated : this.#servedPath;
  }

  markServed(path: string): void {
    this.#servedPath = path;
  }
}
