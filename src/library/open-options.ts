/** The options of `openToponym` in Node.js, and their check. */
import { type IndexBytes, isIndexBytes } from './index-bytes.ts';
import { isPlainObject, preview } from './values.ts';

export interface OpenProgress {
  /** What is being done, such as `indexing names`. */
  readonly stage: string;
  /** Of this stage: places, or keys of the trie. */
  readonly done: number;
  /** Undefined if it is not known yet. */
  readonly total?: number | undefined;
}

export interface OpenOptions {
  /**
   * Path of an index file, or its bytes. By default the embedded data, which the first call indexes
   * in the user's cache folder.
   */
  readonly index?: string | IndexBytes | undefined;
  /** Path of a file of corrections and additions: see docs/data.md. */
  readonly overlay?: string | undefined;
  /** Called while the embedded data are indexed. Without it, a terminal gets one line. */
  readonly onProgress?: ((progress: OpenProgress) => void) | undefined;
}

const CHECKS: Readonly<
  Record<keyof OpenOptions, { readonly isValid: (value: unknown) => boolean; readonly expected: string }>
> = {
  index: {
    isValid: (value) => (typeof value === 'string' ? !/^https?:/.test(value) : isIndexBytes(value)),
    expected: 'the path of an index file, or its bytes',
  },
  overlay: { isValid: (value) => typeof value === 'string', expected: 'the path of an overlay file' },
  onProgress: { isValid: (value) => typeof value === 'function', expected: 'a function' },
};

/** Throws TypeError. */
export function checkOpenOptions(options: OpenOptions): void {
  if (!isPlainObject(options)) throw new TypeError(`openToponym: options must be an object, got ${preview(options)}`);
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof OpenOptions] : undefined;
    if (check === undefined) {
      throw new TypeError(`openToponym: unknown option "${name}". Known options: ${Object.keys(CHECKS).join(', ')}`);
    }
    if (value !== undefined && !check.isValid(value)) {
      throw new TypeError(`openToponym: ${name} must be ${check.expected}, got ${preview(value)}`);
    }
  }
}
