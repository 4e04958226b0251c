/**
 * What `/readyz` says besides being ready: what keeps the newest files from being served. Anyone may ask, so the notice
 * names files without their folders and shows nothing of their content; the log has the whole path and the reason.
 */
import { basename } from 'node:path';

export class Notice {
  readonly #paths: readonly string[];
  readonly #problems = { reload: '', watch: '' };

  /** `paths` are those whose folders must not be shown. */
  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  set(source: 'reload' | 'watch', problem: string): void {
    this.#problems[source] = problem;
  }

  /** Empty when there is no problem. */
  get text(): string {
    const text = Object.values(this.#problems).filter(Boolean).join('; ');
    return this.#paths.reduce((shown, path) => shown.replaceAll(path, basename(path)), text);
  }
}
