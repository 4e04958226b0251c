/**
 * The notice that `/readyz` shows: why the newest files are not being served. It is public, so it
 * contains file names without their folders and no file content; the log has paths and reasons.
 */
import { basename } from 'node:path';

export class Notice {
  readonly #paths: readonly string[];
  readonly #problems = { reload: '', watch: '' };

  /** `paths` are shown without their folders. */
  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** Replaces the problem that this source reported before; '' if there is none any more. */
  set(source: 'reload' | 'watch', problem: string): void {
    this.#problems[source] = problem;
  }

  /** Empty when there is no problem. */
  get text(): string {
    const text = Object.values(this.#problems).filter(Boolean).join('; ');
    return this.#paths.reduce((shown, path) => shown.replaceAll(path, basename(path)), text);
  }
}
