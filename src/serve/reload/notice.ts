/**
 * The notice that `/readyz` shows: why the newest files are not being served. The notice is public,
 * so it must not contain folders or file content.
 */
import { basename } from 'node:path';

export type ProblemSource = 'certificate' | 'reload' | 'watch' | 'tlsWatch' | 'download' | 'threads';

export class Notice {
  readonly #paths: readonly string[];
  readonly #problems: Record<ProblemSource, string> = {
    certificate: '',
    reload: '',
    watch: '',
    tlsWatch: '',
    download: '',
    threads: '',
  };

  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** Replaces the earlier problem of this source; '' if there is none any more. */
  set(source: ProblemSource, problem: string): void {
    this.#problems[source] = problem;
  }

  /** Empty when there is no problem. */
  get text(): string {
    const text = Object.values(this.#problems).filter(Boolean).join('; ');
    return this.#paths.reduce((shown, path) => shown.replaceAll(path, basename(path)), text);
  }
}
